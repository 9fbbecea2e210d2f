/**
 * Looks for words in a log: in what was said, asked for and answered, as it stands there and without regard to upper and lower
 * case. A line is only decoded when its raw text holds the words, so a long log costs little more than reading it.
 */
import { closeSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { type DurableEvent, decode, type LogEvent } from "../../shared/index.ts";
import type { Match, SearchOptions } from "../store-types.ts";
import { lineBatches } from "./lines.ts";
import { openLog } from "./log-file.ts";

/** The newest matches of one log, at most `limit`, newest first. Lines that are no events are passed over. Throws StoreError. */
export async function searchLog(path: string, words: string, options: SearchOptions): Promise<readonly Match[]> {
  const { limit, only, skip = () => false } = options;
  const needle = words.toLowerCase();
  const raw = JSON.stringify(words).slice(1, -1).toLowerCase();
  const found: Match[] = [];
  const { fd, stat } = openLog(path, "read");
  try {
    for (const batch of lineBatches(fd, stat.size)) {
      for (const { text, complete } of batch) {
        // A torn end was never accepted, be it an event.
        if (!complete || !text?.toLowerCase().includes(raw)) continue;
        const match = matchIn(text, needle, only);
        if (match && !skip(match.sessionId)) found.push(match);
        if (found.length > limit) found.shift();
      }
      await setImmediate();
    }
  } finally {
    closeSync(fd);
  }
  return found.reverse();
}

function matchIn(text: string, needle: string, only: SearchOptions["only"]): Match | undefined {
  const read = decode(text);
  if (!read.ok || "opaque" in read.value) return undefined;
  const event = read.value;
  for (const { who, text: said } of partsOf(event)) {
    if (only && !only.includes(who)) continue;
    const line = matchingLine(said, needle);
    if (line !== undefined) return { ...placeOf(event), who, line };
  }
  return undefined;
}

const placeOf = ({ sessionId, seq, ts }: LogEvent) => ({ sessionId, seq, ts });

/** Words that go over the end of a line are shown by the line in which they begin. */
function matchingLine(text: string, needle: string): string | undefined {
  if (!text.toLowerCase().includes(needle)) return undefined;
  const first = needle.split("\n", 1)[0] ?? "";
  return text.split("\n").find((line) => line.toLowerCase().includes(first)) ?? "";
}

interface Part {
  readonly who: Match["who"];
  readonly text: string;
}

function partsOf(event: DurableEvent): readonly Part[] {
  switch (event.type) {
    case "session.started":
    case "session.renamed":
      return [{ who: "title", text: event.payload.title }];
    case "user.message-created": {
      const { text, by, shell } = event.payload;
      const who = by === "kernel" ? "khaelor" : "user";
      return [text, ...(shell ? [shell.command, shell.output] : [])].map((said) => ({ who, text: said }));
    }
    case "user.steering-queued":
      return [{ who: "user", text: event.payload.text }];
    case "model.text-block-completed":
      return [{ who: "model", text: event.payload.text }];
    case "tool.requested":
      return stringsIn(event.payload.input).map((text) => ({ who: "call", text }));
    case "tool.completed":
    case "tool.failed":
      return [{ who: "result", text: event.payload.modelText }];
    default:
      return [];
  }
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
