/** Who is asked for a summary, in which order, which answers are none, and what is recorded of the one that is used. */
import { describe, expect, test } from "bun:test";
import { createContextEngine, freezePrefix } from "../../src/context/index.ts";
import type { AskedAnswer, CompactionRoute } from "../../src/context/types.ts";
import type { SessionState } from "../../src/session/index.ts";
import type { Message } from "../../src/shared/index.ts";
import { CHECKPOINT } from "../agent/compacting.ts";
import { FACTS, memoryBlobs, type StateParts, stateOf, TOOL } from "./workshop.ts";

const WHOLE = 10_000;
const words = (tokens: number): string => "lines ".repeat((tokens * 4) / 6);
const asks = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const answers = (text: string): Message => ({ role: "assistant", content: [{ type: "text", text }] });

/** A question and a long answer to it. */
const TALK = [asks("print the lines"), answers(words(WHOLE))];
const AT_REST = { phase: "idle" } as const;

function talkOf({ messages = TALK, conversation, turn = AT_REST, ...more }: StateParts): SessionState {
  const spans = messages.map((_, at) => ({ first: (at + 1) * 10, last: (at + 1) * 10 }));
  return stateOf({ messages, conversation: { spans, ...conversation }, turn, ...more });
}

interface Asking {
  readonly state?: SessionState;
  readonly route: CompactionRoute | "none";
  /** What each route says; what is left out is a good checkpoint. */
  readonly says?: Partial<Record<CompactionRoute, Partial<AskedAnswer>>>;
  readonly isHeldToSchema?: boolean;
}

const GOOD: Readonly<Record<CompactionRoute, Partial<AskedAnswer>>> = {
  aux: { text: CHECKPOINT },
  main: { text: CHECKPOINT },
  server: { block: { type: "compaction", content: "It was printed." } },
};

/** What came of it, and who was asked in which order, by the shape of the requests. */
async function compressed({ state = talkOf({}), route, says = {}, isHeldToSchema = false }: Asking) {
  const frozen = await freezePrefix(memoryBlobs(), ["You print."], [TOOL]);
  const outputSchema = { wanted: { type: "object" }, sent: { type: "object" }, sha256: "schema" };
  const asked: CompactionRoute[] = [];
  const requests: string[] = [];
  const engine = createContextEngine({
    prefix: { ...frozen, ...(isHeldToSchema && { outputSchema }) },
    facts: () => ({ ...FACTS, serverCompaction: true }),
    reservedOutputTokens: 8_000,
    summaries: {
      auxModel: "x",
      route: "aux",
      async ask(request) {
        const by = request.model === "x" ? "aux" : request.compaction ? "server" : "main";
        asked.push(by);
        requests.push(JSON.stringify(request));
        const nothing = { text: "", stopReason: "end_turn", model: `${by} itself` };
        return { ok: true, value: { ...nothing, ...GOOD[by], ...says[by] } };
      },
    },
  });
  const made = await engine.compress(state, { trigger: "user-command", route }, new AbortController().signal);
  return { made, asked, requests };
}

/** Short enough that a checkpoint can be as long. */
const SMALL = talkOf({ messages: [asks("print the lines"), answers(words(1_200))] });
const HUGE = CHECKPOINT.replace("half of the lines are printed", words(1_200));
const NO_YAML = { text: "I would rather talk." };

describe("a summary that leaves the conversation as large as it was", () => {
  const says = {
    aux: { text: HUGE },
    main: { text: HUGE },
    server: { block: { type: "compaction", content: words(1_200) } },
  };
  test.each([
    ["aux", ["aux", "main"]],
    ["main", ["main", "aux"]],
    ["server", ["server", "main", "aux"]],
  ] as const)("by %s is not used: each other one is asked once, then it ends with words", async (route, order) => {
    const { made, asked } = await compressed({ state: SMALL, route, says });
    expect(asked).toEqual([...order]);
    expect(made).toEqual({
      ok: false,
      error: { reason: "irreducible", message: expect.stringContaining("did not make it smaller") },
    });
  });
  test("is not used where nobody is asked either", async () => {
    const messages = [asks(words(4_000)), answers("so?"), asks(words(4_000))];
    const state = talkOf({ messages, turn: { responses: 1 } });
    const { made, asked } = await compressed({ state, route: "none" });
    expect([made.ok, asked]).toEqual([false, []]);
    expect(made).toMatchObject({ error: { message: expect.stringContaining("did not make it smaller") } });
  });
  test("gives way to one that is smaller", async () => {
    const large = { server: says.server, main: says.main };
    const { made } = await compressed({ state: SMALL, route: "server", says: large });
    expect(made).toMatchObject({ ok: true, value: { route: "aux", summaryModel: "aux itself" } });
  });
});

describe("no summary", () => {
  test("is what the session's own model says twice in no form: the auxiliary one is asked", async () => {
    const { made, asked } = await compressed({ route: "main", says: { main: NO_YAML } });
    expect(asked).toEqual(["main", "main", "aux"]);
    expect(made).toMatchObject({ ok: true, value: { route: "aux", summaryModel: "aux itself" } });
  });
  test("is a refusal, whatever stands in it; it is not asked for again there", async () => {
    const { made, asked } = await compressed({ route: "aux", says: { aux: { stopReason: "refusal" } } });
    expect(asked).toEqual(["aux", "main"]);
    expect(made).toMatchObject({ ok: true, value: { route: "main" } });
  });
  test.each([
    ["tool_use", "It called a tool"],
    ["max_tokens", "It was cut at the output limit"],
  ])("is one that ended by %s, whatever stands in it: the next attempt is told so", async (stopReason, problem) => {
    const { made, asked, requests } = await compressed({ route: "main", says: { main: { stopReason } } });
    expect(asked).toEqual(["main", "main", "aux"]);
    expect([requests[0]?.includes(problem), requests[1]?.includes(problem)]).toEqual([false, true]);
    expect(made).toMatchObject({ ok: true, value: { route: "aux" } });
  });
  test.each([
    ["that is missing", undefined],
    ["that holds null", { type: "compaction", content: null }],
    ["that holds nothing", { type: "compaction", content: " \n" }],
  ])("is a block of the server's %s: the next route is asked", async (_what, block) => {
    const { made, asked } = await compressed({ route: "server", says: { server: { block } as never } });
    expect(asked).toEqual(["server", "main"]);
    expect(made).toMatchObject({ ok: true, value: { route: "main" } });
  });
  test("by anybody is a failure that says whose could not be used, and nobody is asked a third time", async () => {
    const { made, asked } = await compressed({ route: "aux", says: { aux: NO_YAML, main: NO_YAML } });
    expect(asked).toEqual(["aux", "aux", "main", "main"]);
    const message = expect.stringMatching(/^Compaction failed, and the conversation is as it was\. The summary of m /);
    expect(made).toEqual({ ok: false, error: { reason: "model-fatal-error", message } });
  });
});

describe("a route that could not give one", () => {
  test.each(["aux", "main", "server"] as const)(
    "%s wanted in a session held to a JSON schema: only the auxiliary model is asked",
    async (route) => {
      const state = talkOf({ conversation: { outputSchemaSha256: "schema" } });
      const { made, asked } = await compressed({ state, route, isHeldToSchema: true, says: { aux: NO_YAML } });
      expect([made.ok, asked]).toEqual([false, ["aux", "aux"]]);
    },
  );
  test("the server inside a turn: the session's own model is asked", async () => {
    const state = talkOf({ messages: [...TALK, asks("and?")], turn: { responses: 1 } });
    const { made, asked } = await compressed({ state, route: "server" });
    expect(asked).toEqual(["main"]);
    expect(made).toMatchObject({ ok: true, value: { route: "main" } });
  });
});

test("the sizes that are recorded are measured with what the API's own counts have taught", async () => {
  const sizes = async (calibration?: number) => {
    const state = talkOf({});
    const usage = { ...state.usage, ...(calibration !== undefined && { calibration }) };
    const { made } = await compressed({ state: { ...state, usage }, route: "aux" });
    if (!made.ok) throw new Error(made.error.message);
    return { before: made.value.tokensBefore, after: made.value.tokensAfterEstimate ?? 0 };
  };
  const [untaught, once, more] = [await sizes(), await sizes(1), await sizes(1.5)];
  expect(untaught).toEqual(once);
  expect(more.before).toBe(Math.round(once.before * 1.5));
  expect(more.after).toBe(Math.round(once.after * 1.5));
  expect(once.before).toBeGreaterThan(WHOLE);
  expect(once.after).toBeLessThan(WHOLE / 2);
});

test("the size before it is what the API counted, where it has counted the conversation as it stands", async () => {
  const last = { inputTokens: 50_000, outputTokens: 7 };
  const state = talkOf({ last, conversation: { countedTail: { message: 1, block: 0 } } });
  const { made } = await compressed({ state, route: "aux" });
  expect(made).toMatchObject({ ok: true, value: { tokensBefore: 50_007 } });
});
