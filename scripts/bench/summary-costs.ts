/**
 * What the request for a summary itself costs, as the account records it: the same conversation, made by the whole house with the
 * simulator as its model, summed up by each route. Counts, not times: on another machine they differ by what the path of the
 * temporary folder makes, which the model is told.
 */
import type { CompactionRoute } from "../../src/context/index.ts";
import type { ModelUsage } from "../../src/shared/index.ts";
import type { Script, ScriptedTurn } from "../../src/simulator/index.ts";
import { eventsOf, type House, openHouse } from "../../test/support/house.ts";
import { asksForSummary } from "../../test/support/summing-model.ts";
import type { Effort } from "./effort.ts";
import type { Aim, Figure } from "./table.ts";

const ROUTES: readonly CompactionRoute[] = ["aux", "main", "server"];

/** For whom the conversation was cached: all but the question, and what the last requests added. */
const MOSTLY_CACHED: Aim = { most: 5 };

export async function summaryCosts({ conversations }: Effort): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const tokens of conversations) {
    const aux = await billOf(tokens, "aux");
    for (const route of ROUTES) {
      const bill = route === "aux" ? aux : await billOf(tokens, route);
      figures.push(
        ...figuresOf(`${tokens / 1000}K tokens summed up by ${route}`, bill, route === "aux" ? undefined : aux),
      );
    }
  }
  return figures;
}

interface Bill {
  /** What the newest request of the conversation held, as the API counted it. */
  readonly conversation: number;
  readonly usage: ModelUsage;
  readonly usd: number;
}

/** Beside the conversation's own tokens, and beside the auxiliary model's price. */
function figuresOf(name: string, { conversation, usage, usd }: Bill, aux: Bill | undefined): readonly Figure[] {
  const sent = sentTokens(usage);
  const notCached = ((sent - usage.cacheReadTokens) / sent) * 100;
  const of = (what: string, value: number) => ({ name: `${name}: ${what}`, floor: [], product: [value] });
  return [
    { ...of("tokens sent", sent), unit: "", floor: [conversation] },
    { ...of("not from the cache", notCached), unit: "%", ...(aux && { aim: MOSTLY_CACHED }) },
    { ...of("tokens of the answer", usage.outputTokens), unit: "" },
    { ...of("price", usd), unit: "USD", floor: aux ? [aux.usd] : [] },
  ];
}

const sentTokens = ({ inputTokens, cacheReadTokens, cacheWriteTokens }: ModelUsage): number =>
  inputTokens + cacheReadTokens + cacheWriteTokens;

/** In a house of its own, for what one request writes to the cache the next would read. */
async function billOf(tokens: number, route: CompactionRoute): Promise<Bill> {
  const size = (): number => (house ? conversationTokens(house) : 0);
  let house: House | undefined;
  house = await openHouse({ script: untilLarge(() => size() >= tokens) });
  try {
    for (let turn = 1; size() < tokens; turn++) await house.say(`Find out why part ${turn} of the log is so long.`);
    const { session, agent } = house.engine;
    const [conversation, before, seen] = [size(), session.state().usage.spentUsd, house.events.length];
    const made = await agent.compact({ route });
    const [answer, ...others] = eventsOf(house.events.slice(seen), "model.response-completed");
    if (!made.ok || made.value.route !== route || !answer || others.length > 0) {
      const came = made.ok ? `${made.value.route} did it, in ${others.length + 1} requests` : made.error.message;
      throw new Error(`${tokens} tokens were not summed up by one request to ${route}: ${came}`);
    }
    return { conversation, usage: answer.payload.usage, usd: session.state().usage.spentUsd - before };
  } finally {
    await house.close();
  }
}

const conversationTokens = ({ engine }: House): number => {
  const { last } = engine.session.state().usage;
  return last ? sentTokens(last) : 0;
};

/** Lines of 60 bytes that each command prints: many short results, some long. */
const LINES = [10, 60, 150, 20, 400] as const;

/** How many answers a turn has. */
const ANSWERS = 21;

const THOUGHT = "The log is long because each line is written twice; the next part has to be looked at as well. ";

const untilLarge =
  (isLarge: () => boolean): Script =>
  (request) => {
    if (asksForSummary(request)) return { content: [{ type: "text", text: SUMMARY }] };
    const isLast = isLarge() || (request.index + 1) % ANSWERS === 0;
    return isLast ? { content: [{ type: "text", text: "Each line is written twice." }] } : lookAt(request.index);
  };

function lookAt(index: number): ScriptedTurn {
  const first = index * 1000;
  const last = first + (LINES[index % LINES.length] ?? 1) - 1;
  const command = `seq -f 'line %.0f of the log: the loop reads a file and goes on' ${first} ${last}`;
  return {
    content: [
      { type: "thinking", thinking: THOUGHT.repeat(1 + (index % 6)) },
      { type: "tool_use", name: "bash", input: { command } },
    ],
    stream: { deltaChars: 4096 },
  };
}

const points = (name: string, count: number): string =>
  Array.from(
    { length: count },
    (_, at) => `  - ${name} ${at + 1}: each line of the log is written twice, once by the loop`,
  ).join("\n");

/** 1,101 tokens, the same for every route; nobody thinks before it. */
const SUMMARY = `objective: find out why the log is so long
completed:
${points("part", 24)}
current_state: half of the log has been looked at
important_files: []
changes: []
failed_attempts:
${points("attempt", 12)}
decisions:
${points("decision", 12)}
running_processes: []
next_steps:
${points("step", 12)}
raw_evidence: []
`;
