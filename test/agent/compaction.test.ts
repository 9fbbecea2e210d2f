/**
 * A window that fills up: room is made at the right places, whoever sums up and however that goes; every way ends, and what is
 * sent afterwards is accepted by a server that checks every signature.
 */
import { describe, expect, test } from "bun:test";
import type { Fault } from "../../src/simulator/index.ts";
import { AUX } from "../support/summing-model.ts";
import { CHECKPOINT, courseOf, inSmallWindow, isSummary, OVERLOADED, talk, task } from "./compacting.ts";
import { type Driven, type Setup, say, sent } from "./driving.ts";
import { cutHome, engineIn, recordingOf } from "./engines.ts";

const bodyText = (house: Driven, at: number): string => JSON.stringify(sent(house, at));

describe("in a tool loop", () => {
  test("everything becomes one message, with the user's words in full; the task goes on to its end", () =>
    inSmallWindow({ script: task({ steps: 9 }) }, async (house) => {
      await house.say("Print NINE lines, please.");
      expect(courseOf(house)).toEqual(["compacted proactive-token-budget by aux", "completed"]);
      const [compacted] = house.of("context.compacted");
      const behind = house.simulator.requests.findIndex(({ body }) => isSummary(body)) + 1;
      const [first, ...rest] = sent(house, behind);
      expect([first?.role, first?.content.length, rest.length]).toEqual(["user", 1, 0]);
      expect(first?.content[0]?.text).toBe(compacted?.message ?? "");
      expect(compacted?.message).toContain("Print NINE lines, please.");
      expect(compacted?.message).toContain("half of the lines are printed");
      expect(compacted).toMatchObject({ summaryModel: AUX, route: "aux", trigger: "proactive-token-budget" });
      const { tokensBefore = 0, tokensAfterEstimate = 0 } = compacted ?? {};
      expect(tokensAfterEstimate).toBeLessThan(tokensBefore / 2);
    }));

  test("the session's own model sums up with nearly all of it from its cache", () =>
    inSmallWindow({ script: task({ steps: 9 }), flags: { compaction: { route: "main" } } }, async (house) => {
      await house.say("Print nine lines.");
      expect(courseOf(house)).toEqual(["compacted proactive-token-budget by main", "completed"]);
      const asked = house.simulator.requests.find(({ raw }) => raw.includes("This is no message of the user's"));
      const {
        cache_read_input_tokens: read = 0,
        cache_creation_input_tokens: written = 0,
        input_tokens: rest = 0,
      } = asked?.usage ?? {};
      expect(read / (read + written + rest)).toBeGreaterThan(0.75); // all but the newest result and the question
    }));
});

describe("at a turn's start", () => {
  test("the newest part stays as it is, byte for byte, and the instructions before it", () =>
    inSmallWindow({ script: talk(900) }, async (house) => {
      for (let at = 1; at <= 14; at++) await house.say(`question ${at}`);
      expect(courseOf(house).filter((what) => what !== "completed")).toEqual([
        "compacted proactive-token-budget by aux",
      ]);
      const behind = house.simulator.requests.findIndex(({ body }) => isSummary(body)) + 1;
      const [before, after] = [sent(house, behind - 2), sent(house, behind)];
      const kept = after.slice(1);
      expect(kept.length).toBeGreaterThan(0);
      const withoutThinking = before.map(({ role, content }) => ({
        role,
        content: content.filter(({ type }) => type !== "thinking"),
      }));
      expect(kept.slice(0, -2)).toEqual(withoutMarks(withoutThinking.slice(-kept.length + 2)));
      const systems = house.simulator.requests.flatMap(({ body }) =>
        isSummary(body) ? [] : [JSON.stringify((body as { readonly system: unknown }).system)],
      );
      expect(new Set(systems).size).toBe(1);
    }));
});

const withoutMarks = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value, (key, one) => (key === "cache_control" ? undefined : one))) as T;

const refusal = (status: number, type: string, message: string): Fault => ({
  kind: "http",
  status,
  body: { type: "error", error: { type, message } },
});

const TOO_LONG = refusal(413, "request_too_large", "Request exceeds the maximum size");

describe("a request that turns out to be too long", () => {
  const OVERFLOWS: readonly (readonly [name: string, fault: Fault])[] = [
    ["400", refusal(400, "invalid_request_error", "prompt is too long: 20500 tokens > 20000 maximum")],
    ["413", TOO_LONG],
  ];
  for (const [name, fault] of OVERFLOWS) {
    test(`by ${name}: the loop so far is summed up, and goes on`, () =>
      inSmallWindow({ script: task({ steps: 3 }) }, async (house) => {
        const failing = house.next("tool.completed").then(() => house.simulator.failNext(fault));
        await house.say("Print three lines.");
        await failing;
        expect(courseOf(house)).toEqual([
          "request failed: context-overflow",
          "compacted reactive-overflow by aux",
          "completed",
        ]);
      }));
  }
  test("by the stop reason: what was cut is part of what is summed up", () =>
    inSmallWindow(
      {
        script: task({ steps: 3, stopReasonOf: (step) => (step === 2 ? "model_context_window_exceeded" : undefined) }),
      },
      async (house) => {
        await house.say("Print three lines.");
        expect(courseOf(house)).toEqual(["compacted reactive-overflow by aux", "completed"]);
      },
    ));
  test("and stays so: it ends, with words, and without a loop", () =>
    inSmallWindow(
      {
        script: task({
          steps: 3,
          faultOf: (step) => (step > 1 ? refusal(413, "request_too_large", "too large") : undefined),
        }),
      },
      async (house) => {
        await house.say("Print three lines.");
        expect(courseOf(house).at(-1)).toBe("failed irreducible");
        expect(courseOf(house).filter((what) => what.startsWith("compacted")).length).toBeLessThanOrEqual(3);
        expect(house.of("task.failed")[0]?.detail).toMatch(/What fills the window is the .* \(about \d+ tokens\)/);
      },
    ));
});

describe("a summary that", () => {
  test("makes nothing smaller is not used: every route is asked once, and the turn ends with words", () => {
    const words = `Print three lines. ${"No line is short. ".repeat(300)}`; // stays as it is
    return inSmallWindow({ script: task({ steps: 3, printed: 1_500 }) }, async (house) => {
      const failing = house.next("tool.completed").then(() => house.simulator.failNext(TOO_LONG));
      await house.say(words);
      await failing;
      expect(courseOf(house)).toEqual(["request failed: context-overflow", "failed irreducible"]);
      expect(house.of("task.failed")[0]?.detail).toContain("did not make it smaller");
      expect(house.of("model.request-started").filter(({ purpose }) => purpose === "compaction").length).toBe(2);
    });
  });
  test("is no checkpoint is asked for again, with what is wrong with it", () =>
    inSmallWindow(
      { script: task({ steps: 9, summary: (attempt) => say(attempt === 1 ? "I would rather talk." : CHECKPOINT) }) },
      async (house) => {
        await house.say("Print nine lines.");
        expect(courseOf(house)).toEqual(["compacted proactive-token-budget by aux", "completed"]);
        const asked = house.simulator.requests.flatMap(({ body }, at) =>
          isSummary(body) ? [bodyText(house, at)] : [],
        );
        expect([asked.length, asked[1]?.includes("An earlier attempt could not be used")]).toEqual([2, true]);
      },
    ));
  for (const [what, answer] of [
    ["is never one", "no"],
    ["is empty", " "],
  ] as const) {
    test(`${what} replaces nothing: the turn ends, and can be gone on with`, () =>
      inSmallWindow(
        { script: task({ steps: 9, summary: (attempt) => say(attempt <= 4 ? answer : CHECKPOINT) }) },
        async (house) => {
          await house.say("Print nine lines.");
          expect(courseOf(house)).toEqual(["failed model-fatal-error"]);
          expect(house.of("task.failed")[0]?.detail).toMatch(
            /^Compaction failed, and the conversation is as it was\. The summary of/,
          );
          expect(house.of("model.request-started").filter(({ purpose }) => purpose === "compaction").length).toBe(4);
          expect(house.engine.agent.resume()).toBe(true);
          await house.settled();
          expect(courseOf(house).slice(1)).toEqual(["compacted proactive-token-budget by aux", "completed"]);
        },
      ));
  }
  test("is too long is asked for again, shorter", () =>
    inSmallWindow(
      { script: task({ steps: 9, summary: (attempt) => say(attempt === 1 ? "z".repeat(60_000) : CHECKPOINT) }) },
      async (house) => {
        await house.say("Print nine lines.");
        expect(courseOf(house)).toEqual(["compacted proactive-token-budget by aux", "completed"]);
        const asked = house.simulator.requests.flatMap(({ body }, at) =>
          isSummary(body) ? [bodyText(house, at)] : [],
        );
        expect([asked.length, asked[1]?.includes("write less")]).toEqual([2, true]);
      },
    ));
  test("nobody can give ends the turn and takes nothing away; a resume makes it", () =>
    inSmallWindow({ script: task({ steps: 9 }) }, async (house) => {
      const failing = house
        .next("model.request-started", ({ payload }) => payload.purpose === "compaction")
        .then(() => house.simulator.failNext(OVERLOADED));
      await house.say("Print nine lines.");
      await failing;
      expect(courseOf(house)).toEqual(["request failed: retryable", "failed model-fatal-error"]);
      const { messages } = house.engine.session.state().conversation;
      await house.reopen();
      expect(house.engine.session.state().conversation.messages).toEqual([...messages]);
      expect(house.engine.agent.resume()).toBe(true);
      await house.settled();
      expect(courseOf(house).slice(2)).toEqual(["compacted proactive-token-budget by aux", "completed"]);
    }));
  test("the user stops changes nothing; the turn can be gone on with", () => {
    let isStopped = false;
    return inSmallWindow(
      {
        script: task({ steps: 9 }),
        onSse: (event, house, { body }) => {
          if (isStopped || event.event !== "content_block_delta" || !isSummary(body)) return;
          isStopped = true;
          house.interrupt();
        },
      },
      async (house) => {
        await house.say("Print nine lines.");
        expect(courseOf(house)).toEqual(["request failed: cancelled"]);
        expect(house.of("user.interrupted").length).toBe(1);
        const { messages } = house.engine.session.state().conversation;
        await house.reopen();
        expect(house.engine.session.state().conversation.messages).toEqual([...messages]);
        expect(house.engine.agent.resume()).toBe(true);
        await house.settled();
        expect(courseOf(house).slice(1)).toEqual(["compacted proactive-token-budget by aux", "completed"]);
      },
    );
  });
  test("a crash cuts is asked for again", () =>
    inSmallWindow({ script: task({ steps: 9 }) }, async (house) => {
      await house.say("Print nine lines.");
      const recorded = recordingOf(house);
      const at = recorded.lines.findIndex((line) => line.includes('"purpose":"compaction"'));
      for (const more of [1, 2]) {
        const home = cutHome(recorded, at + more);
        const engine = await engineIn({ home, cwd: house.cwd, simulator: house.simulator }, { resume: recorded.id });
        const kinds: string[] = [];
        engine.session.bus.onAny((event) => void kinds.push(event.type));
        expect(engine.agent.resume()).toBe(true);
        await engine.agent.settled();
        expect([kinds.includes("context.compacted"), kinds.at(-1)]).toEqual([true, "task.completed"]);
        await engine.close();
      }
    }));
});

describe("a window that fills up again and again", () => {
  /** Each result nearly fills it. */
  const thrashing = { steps: 40, printed: 36_000 };
  test("ends with words where nobody can be asked", () =>
    inSmallWindow({ script: task(thrashing), flags: { permissionMode: "ask", ...ALLOWED } }, async (house) => {
      await house.say("Print enormous lines.");
      expect(courseOf(house)).toEqual([
        ...Array(3).fill("compacted proactive-token-budget by aux"),
        "failed irreducible",
      ]);
    }));
  test("is gone on with by a resume: no further with the same model, to the end with one that has more room", () =>
    inSmallWindow({ script: task(thrashing), flags: { permissionMode: "ask", ...ALLOWED } }, async (house) => {
      await house.say("Print ENORMOUS lines.");
      const before = courseOf(house).length;
      expect(house.engine.agent.resume()).toBe(true);
      await house.settled();
      expect(courseOf(house).slice(before)).toEqual(["failed irreducible"]);
      await house.reopen({ flags: { model: "claude-sonnet-5-5", permissionMode: "ask", ...ALLOWED } });
      expect(house.engine.notices).toEqual([]);
      expect(house.engine.agent.resume()).toBe(true);
      await house.settled();
      expect(courseOf(house).slice(before + 1)).toEqual(["completed"]);
      const first = house.simulator.requests.find(({ raw }) => raw.includes("This session goes on with another model"));
      expect(first?.raw).toContain("Print ENORMOUS lines.");
    }));
  test("is a question to whoever is there; a yes lets it go on, a no ends it", () =>
    inSmallWindow(
      { script: task(thrashing), flags: { permissionMode: "ask", ...ALLOWED }, somebodyToAsk: true },
      async (house) => {
        const answers = ["once", "deny"] as const;
        let asked = 0;
        house.engine.session.bus.on("permission.requested", ({ payload }) => {
          const decision = answers[asked++] ?? "deny";
          const requestId = payload.permissionRequestId;
          queueMicrotask(() => house.engine.agent.dispatch({ kind: "permission-response", requestId, decision }));
        });
        await house.say("Print enormous lines.");
        const compactions = courseOf(house).filter((what) => what.startsWith("compacted")).length;
        expect([asked, compactions, courseOf(house).at(-1)]).toEqual([2, 6, "failed irreducible"]);
      },
    ));
});

const ALLOWED: Setup["flags"] = { permissions: [{ capability: "process.execute", pattern: "*", action: "allow" }] };
