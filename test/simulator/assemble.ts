/** Puts an answer together from its events, as a client would, and throws where the grammar is broken. */
import type { Body } from "./harness.ts";
import type { Parsed } from "./wire.ts";

interface Assembly {
  content: Body[];
  json: string[];
  /** The index of the open block, or -1. */
  open: number;
  state: "before" | "inside" | "after";
  stop: unknown;
  output: unknown;
}

/** Each says whether the event may come now, and takes it in. */
const TAKE: Readonly<Record<string, (a: Assembly, data: Body) => boolean>> = {
  ping: () => true,
  weather_report: () => true,
  message_start: (a) => {
    const isFirst = a.state === "before";
    a.state = "inside";
    return isFirst;
  },
  content_block_start: (a, { index, content_block }) => {
    const isNext = a.state === "inside" && a.open === -1 && index === a.content.length;
    a.open = a.content.length;
    a.content.push({ ...(content_block as Body) });
    a.json.push("");
    return isNext;
  },
  content_block_delta: (a, { index, delta }) => {
    addDelta(a, delta as Body);
    return index === a.open;
  },
  content_block_stop: (a, { index }) => {
    const block = a.content[a.open];
    if (block?.type === "tool_use") block.input = JSON.parse(a.json[a.open] || "{}");
    const isOpen = index === a.open;
    a.open = -1;
    return isOpen;
  },
  message_delta: (a, { delta, usage }) => {
    a.stop = (delta as Body).stop_reason;
    a.output = (usage as Body).output_tokens;
    return a.open === -1;
  },
  message_stop: (a) => {
    const isInside = a.state === "inside" && a.open === -1;
    a.state = "after";
    return isInside;
  },
};

function addDelta(a: Assembly, { type, ...delta }: Body): void {
  const block = a.content[a.open] ?? {};
  if (type === "input_json_delta") a.json[a.open] += String(delta.partial_json);
  else if (type === "signature_delta") Object.assign(block, delta);
  else if (type !== "weather_delta") {
    for (const [key, value] of Object.entries(delta)) block[key] = `${block[key]}${value}`;
  }
}

export function assemble(events: readonly Parsed[]): Pick<Assembly, "content" | "stop" | "output"> {
  const a: Assembly = { content: [], json: [], open: -1, state: "before", stop: undefined, output: undefined };
  for (const { data } of events) {
    if (a.state === "after" || !TAKE[String(data.type)]?.(a, data))
      throw new Error(`unexpected ${JSON.stringify(data)}`);
  }
  if (a.state !== "after") throw new Error("no message_stop");
  return { content: a.content, stop: a.stop, output: a.output };
}
