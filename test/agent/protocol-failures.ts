/** The cases about failures, retries, broken streams, overflow, usage and a missing key. */
import { expect } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { EXIT, UserError } from "../../src/shared/index.ts";
import { type ScriptedTurn, startSimulator } from "../../src/simulator/index.ts";
import { EXPIRED, KEY } from "../anthropic/certificates.ts";
import { virtualTime } from "../support/virtual-time.ts";
import { MAIN, task, WINDOW } from "./compacting.ts";
import { bash, type Driven, lastSaid, read, say, sent, text, turn } from "./driving.ts";
import { engineIn } from "./engines.ts";
import { answering, NEXT, type Play, statedFault, statedText, TASK } from "./protocol-plays.ts";

const files = { "a.md": "x\n" };
const play = (script: Play["setup"]["script"], drive: Play["drive"]): Play => ({ setup: { script, files }, drive });
const fine = answering(say("Fine."));

/** The server answers as the case says; the request is final, the message says why, and the next prompt works. */
const final = (
  id: string,
  kind: string,
  words: readonly string[],
  check: (house: Driven) => void = () => undefined,
): Play =>
  play(fine, async (house) => {
    house.simulator.failNext(statedFault(id));
    await house.say(TASK);
    expect(house.simulator.requests).toHaveLength(1);
    expect(house.of("model.request-failed")).toMatchObject([{ kind, attempts: 1, retriesExhausted: true }]);
    expect(house.of("context.compacted")).toEqual([]);
    const [failed] = house.of("task.failed");
    for (const word of words) expect(failed?.detail).toContain(word);
    check(house);
    await house.say(NEXT);
    expect(house.types().at(-1)).toBe("task.completed");
  });

/** The server answers as the case says; the recorded wait is looked at, and not waited for. */
const waits = (id: string, least: number, most: number): Play =>
  play(fine, async (house) => {
    house.simulator.failNext(statedFault(id));
    const failed = house.next("model.request-failed");
    house.submit(TASK);
    const { payload } = await failed;
    expect(payload).toMatchObject({ status: 429, retriesExhausted: false });
    expect(payload.retryAfterMs).toBeGreaterThanOrEqual(least);
    expect(payload.retryAfterMs).toBeLessThanOrEqual(most);
    house.interrupt();
    await house.settled();
    await house.say(NEXT);
    expect(lastSaid(house)).toEqual([`text: ${TASK}`, `text: ${NEXT}`]);
  });

const retried = async (house: Driven): Promise<void> => {
  await house.say(TASK);
  expect(house.of("model.request-failed")).toMatchObject([{ kind: "retryable", retriesExhausted: false }]);
  expect(
    house
      .of("model.request-started")
      .map(({ attempt }) => attempt)
      .slice(0, 2),
  ).toEqual([1, 2]);
  expect(house.types().at(-1)).toBe("task.completed");
};

/** The answer is silent in virtual time, as its own turn or a fault says; `drive` is told the words of each failed attempt. */
function silent(
  first: ScriptedTurn,
  eventsSent: number,
  drive: (house: Driven, words: readonly string[]) => void,
): Play {
  const time = virtualTime();
  time.eventsSent = eventsSent;
  const outside = { clock: time.client, random: () => 0, fetch: time.fetch };
  return {
    setup: { script: answering(first), files, outside, simulator: { clock: time.server } },
    async drive(house) {
      house.engine.session.bus.on("model.request-failed", ({ payload }) => {
        if (payload.retryAfterMs !== undefined) time.passSoon(payload.retryAfterMs);
      });
      await house.say(TASK);
      expect(time.armed).toBe(0);
      drive(
        house,
        house.of("model.request-failed").map(({ message }) => message),
      );
      await house.say(NEXT);
      expect(house.types().at(-1)).toBe("task.completed");
    },
  };
}

const FOR_EVER_MS = 1_000_000_000;
const pings = { kind: "silence", afterEvents: 1, ms: FOR_EVER_MS, pingEveryMs: 10_000 } as const;

export const FAILURE_PLAYS: Readonly<Record<string, Play>> = {
  "api-044": silent({ ...say("never"), fault: Array.from({ length: 9 }, () => pings) }, 1, (house, words) => {
    expect(words).toHaveLength(2);
    for (const each of words) expect(each).toContain("the answer stalled: only keep-alive messages arrived for 600 s");
    expect(house.of("task.failed")).toMatchObject([{ detail: words[1] ?? "" }]);
  }),
  "api-045": silent({ ...say("late"), delayMs: FOR_EVER_MS }, -1, (house, words) => {
    expect(words[0]).toBe("the server accepted the request and did not answer for 180 s");
    expect(house.of("model.request-started").map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5]);
  }),
  "api-022": final("api-022", "context-overflow", ["What fills the window is"]),
  /** Once summed up, the server goes on saying that it is too long. */
  "api-020": {
    setup: {
      script: task({ steps: 9, faultOf: (step) => (step > 5 ? statedFault("api-020") : undefined) }),
      windows: { [MAIN]: WINDOW },
    },
    async drive(house) {
      await house.say(TASK);
      const compactions = house.of("context.compacted").length;
      expect([compactions >= 1, compactions <= 3]).toEqual([true, true]);
      expect(house.of("task.failed")).toMatchObject([
        { reason: "irreducible", detail: expect.stringMatching(/What fills the window is .*tokens/) },
      ]);
    },
  },
  "api-025": {
    setup: { script: task({ steps: 9, summary: () => say(statedText("api-025")) }), windows: { [MAIN]: WINDOW } },
    async drive(house) {
      const asked = house.next("model.request-started", ({ payload }) => payload.purpose === "compaction");
      house.submit(TASK);
      await asked;
      const { messages } = house.engine.session.state().conversation;
      const before = [...messages];
      await house.settled();
      expect(house.of("context.compacted")).toEqual([]);
      expect(house.of("task.failed")).toMatchObject([{ detail: expect.stringMatching(/^Compaction failed/) }]);
      expect([...house.engine.session.state().conversation.messages]).toEqual(before);
    },
  },
  "api-023": final("api-023", "invalid-request", ["max_tokens: 68000 > 64000"]),
  "api-034": final("api-034", "auth", ["ANTHROPIC_API_KEY"], (house) => {
    expect(readFileSync(house.engine.session.path, "utf8")).not.toContain("test-key");
  }),
  "api-036": final("api-036", "invalid-request", ["messages.3: something odd", "request req_"]),

  "api-027": play(
    answering({ ...turn(text("As far as"), bash("echo a > ran.md")), stopReason: "model_context_window_exceeded" }),
    async (house) => {
      await house.say(TASK);
      expect(house.of("task.failed")).toMatchObject([{ reason: "irreducible" }]);
      expect(existsSync(join(house.cwd, "ran.md"))).toBe(false);
      await house.say(NEXT);
      expect(sent(house)[1]?.content).toMatchObject([{ type: "text", text: "As far as" }]);
    },
  ),

  "api-029": waits("api-029", 20_000, 40_000),
  "api-031": waits("api-031", 500, 60_000),
  "api-033": play(fine, async (house) => {
    house.simulator.failNext(statedFault("api-033"));
    await retried(house);
  }),

  "api-040": play(fine, async (house) => {
    const elsewhere = await startSimulator({ script: () => say("stolen") });
    try {
      const location = `${elsewhere.url}/v1/messages`;
      house.simulator.failNext({ ...statedFault("api-040"), headers: { location } });
      await house.say(TASK);
      expect(elsewhere.requests).toEqual([]);
      expect(house.of("task.failed")).toHaveLength(1);
    } finally {
      await elsewhere.close();
    }
  }),

  "api-042": play(fine, async (house) => {
    house.simulator.failNext({ kind: "clean-end", afterSeen: "content_block_stop" });
    await retried(house);
    const { responses, total } = house.engine.session.state().usage;
    expect(responses).toBe(1);
    expect(total.outputTokens).toBe(house.of("model.response-completed")[0]?.usage.outputTokens ?? 0);
  }),

  "api-047": play(answering({ ...say("Kept."), stream: { unknownEvents: true } }), async (house) => {
    await house.say(TASK);
    expect(house.of("model.text-block-completed")).toMatchObject([{ text: "Kept." }]);
    expect(house.types().at(-1)).toBe("task.completed");
  }),

  "api-049": play(answering(turn({ type: "tool_use", name: "read", json: '{"path": "a' })), async (house) => {
    await house.say(TASK);
    expect(house.of("tool.started")).toEqual([]);
    expect(house.of("tool.failed")[0]?.modelText).toContain("was not complete JSON");
    expect(lastSaid(house)).toEqual(["error"]);
  }),

  "api-051": play(answering(turn(bash("echo ran >> ran.md"))), async (house) => {
    house.simulator.failNext({
      kind: "error-event",
      afterSeen: "content_block_stop",
      error: { type: "api_error", message: "Internal server error" },
    });
    await retried(house);
    expect(readFileSync(join(house.cwd, "ran.md"), "utf8")).toBe("ran\n");
    expect(lastSaid(house)).toEqual(["result"]);
  }),

  "api-053": {
    setup: {
      script: answering(turn(text("Reading."), read("a.md"))),
      files,
      onSse: ({ event }, house) => {
        if (event === "message_stop" && house.of("user.interrupted").length === 0) house.interrupt();
      },
    },
    async drive(house) {
      await house.say(TASK);
      expect(house.of("user.interrupted").length).toBeLessThanOrEqual(1);
      expect(house.engine.session.state().turn.pending).toEqual([]);
      await house.say(NEXT);
    },
  },

  "api-071": play(answering({ ...say("x".repeat(400)), stream: { twoMessageDeltas: true } }), async (house) => {
    await house.say(TASK);
    const [record] = house.simulator.requests;
    expect(record?.usage?.output_tokens).toBeGreaterThan(10);
    expect(house.of("model.response-completed")[0]?.usage.outputTokens).toBe(record?.usage?.output_tokens ?? 0);
    expect(house.engine.session.state().usage.total.outputTokens).toBe(record?.usage?.output_tokens ?? 0);
  }),

  "api-073": play(fine, async (house) => {
    house.simulator.failNext({ kind: "error-event", afterSeen: "message_delta" });
    await retried(house);
    const { usage } = house.engine.session.state();
    const [answered] = house.of("model.response-completed");
    expect(usage.total).toEqual(answered?.usage as typeof usage.total);
    expect(usage.cut.outputTokens).toBeGreaterThan(0);
    expect(usage.responses).toBe(1);
  }),

  "api-038": play(fine, async (house) => {
    const server = Bun.serve({ port: 0, tls: { key: KEY, cert: EXPIRED }, fetch: () => new Response("never read") });
    const connection = {
      auth: { kind: "api-key", value: "test-key" },
      baseURL: `https://localhost:${server.port}`,
    } as const;
    const engine = await engineIn(house, { connection });
    try {
      engine.agent.dispatch({ kind: "submit-message", text: TASK, mentions: [] });
      await engine.agent.settled();
      const failure = engine.session.state().turn.lastFailure;
      expect(failure).toMatchObject({ kind: "invalid-request", attempts: 1, retriesExhausted: true });
      expect(failure?.message).toStartWith("certificate problem with localhost:");
    } finally {
      await engine.close();
      await server.stop(true);
    }
  }),

  "api-077": play(fine, async (house) => {
    const env = { PATH: process.env.PATH, HOME: dirname(house.cwd) };
    const refusal = await engineIn(house, { env, connection: undefined } as never).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(refusal).toBeInstanceOf(UserError);
    expect(refusal).toMatchObject({ exitCode: EXIT.auth, message: expect.stringContaining("ANTHROPIC_API_KEY") });
    await house.say(TASK); // and whoever has a key is not disturbed
  }),
};
