/** A conversation that outgrows a small window, through the real client: the three forms, and the summary that ends them. */
import { expect, test } from "bun:test";
import {
  type CompletedBlock,
  createModelClient,
  type ModelClient,
  ModelError,
  type ModelEvent,
  type ModelRequest,
} from "../../src/anthropic/index.ts";
import {
  type AssistantBlock,
  type CompactionBlock,
  type Message,
  type ModelUsage,
  silentLogger,
  systemClock,
} from "../../src/shared/index.ts";
import { modelLike, type Script, type SimulatedModel, type Simulator } from "../../src/simulator/index.ts";
import { withSimulator } from "./harness.ts";

const WINDOW = 60_000;
const OUTPUT = 4000;

/** One call, then an answer that is longer than what fits; a summary for whoever asks. */
const script: Script = ({ body, lastResults, index }) => {
  if (body.compaction) return { content: [{ type: "text", text: "They read a large file." }] };
  const thinking = { type: "thinking", thinking: `thought ${index}` } as const;
  if (lastResults().length > 0) return { content: [thinking, { type: "text", text: "word ".repeat(2000) }] };
  return { content: [thinking, { type: "tool_use", name: "read", input: { path: "a.txt" } }] };
};

interface Answer {
  readonly blocks: readonly CompletedBlock[];
  readonly stopReason: string;
  readonly usage: ModelUsage | undefined;
}

function clientOf({ url: baseURL }: Simulator): ModelClient {
  const auth = { kind: "api-key", value: "k" } as const;
  return createModelClient({ auth, baseURL, version: "0", clock: systemClock, random: () => 0, logger: silentLogger });
}

const REQUEST = {
  model: "claude-opus-5-5",
  system: ["be exact"],
  tools: [{ name: "read", description: "reads", input_schema: { type: "object" } }],
  marks: [],
  maxOutputTokens: OUTPUT,
  thinking: "adaptive",
} as const;

/** What came, or the kind of the failure where that is what came. */
async function ask(client: ModelClient, change: Pick<ModelRequest, "messages" | "compaction">): Promise<Answer> {
  const events: ModelEvent[] = [];
  try {
    for await (const event of client.stream({ ...REQUEST, ...change }, new AbortController().signal))
      events.push(event);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { blocks: [], stopReason: `${error.failure.kind} ${error.failure.status}`, usage: undefined };
  }
  const finished = events.find((event) => event.type === "finished");
  return {
    blocks: events.flatMap((event) => (event.type === "block-completed" ? [event.block] : [])),
    stopReason: finished?.stopReason ?? "",
    usage: finished?.usage,
  };
}

const text = (words: string): Message => ({ role: "user", content: [{ type: "text", text: words }] });

/** A question, the call for it, and a result of so many bytes. */
async function upToResult(client: ModelClient, bytes: number): Promise<readonly Message[]> {
  const messages = [text("what does the file say?")];
  const { blocks } = await ask(client, { messages });
  const call = blocks.find((block) => block.type === "tool_use");
  const content = blocks as readonly AssistantBlock[]; // no summary was asked for
  const result = { type: "tool_result", tool_use_id: call?.id ?? "", content: "y".repeat(bytes) } as const;
  return [...messages, { role: "assistant", content }, { role: "user", content: [result] }];
}

const forms: readonly (readonly [what: string, model: Partial<SimulatedModel>, bytes: number, stop: string])[] = [
  ["a result that fits", {}, 100_000, "end_turn"],
  ["too many tokens", {}, 250_000, "context-overflow 400"],
  ["too many bytes", { requestBytes: 150_000 }, 160_000, "context-overflow 413"],
  ["a window that is full before the answer is", {}, 4 * (WINDOW - 1000), "model_context_window_exceeded"],
];
for (const [what, model, bytes, stop] of forms) {
  test(`in the middle of a tool loop: ${what}`, () =>
    withSimulator(
      { script, models: [modelLike(REQUEST.model, { contextWindow: WINDOW, ...model })] },
      async (simulator) => {
        const client = clientOf(simulator);
        expect((await ask(client, { messages: await upToResult(client, bytes) })).stopReason).toBe(stop);
      },
    ));
}

test("a conversation is summed up by the server, and goes on behind its block", () =>
  withSimulator({ script, models: [modelLike(REQUEST.model, { contextWindow: WINDOW })] }, async (simulator) => {
    const client = clientOf(simulator);
    const messages = await upToResult(client, 200_000);
    const { blocks, stopReason, usage } = await ask(client, { messages, compaction: { instructions: "be brief" } });
    expect({ stopReason, usage }).toEqual({
      stopReason: "compaction",
      usage: {
        inputTokens: expect.any(Number) as never,
        outputTokens: 6,
        cacheReadTokens: 0,
        cacheWriteTokens: 0,
        cacheWrite5m: 0,
        cacheWrite1h: 0,
      },
    });
    expect(usage?.inputTokens).toBeGreaterThan(50_000);
    const [made] = blocks;
    const block = (made?.type === "compaction" ? made.block : {}) as unknown as CompactionBlock; // as a log would hold it
    let behind: readonly Message[] = [{ role: "assistant", content: [block] }, text("and now?")];
    for (const _step of [1, 2]) {
      const answer = await ask(client, { messages: behind });
      const content = answer.blocks as readonly AssistantBlock[]; // as above
      const results = content.flatMap((part) =>
        part.type === "tool_use" ? [{ type: "tool_result", tool_use_id: part.id, content: "small" } as const] : [],
      );
      behind = [
        ...behind,
        { role: "assistant", content },
        results.length > 0 ? { role: "user", content: results } : text("thanks"),
      ];
    }
    expect((await ask(client, { messages: behind })).stopReason).toBe("tool_use");
    expect(simulator.refusals).toEqual([]);
  }));
