/** Every way in which an answer can end or fail, and that the session is usable afterwards. */
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CANCELLED, CONTINUATIONS } from "../../src/agent/texts.ts";
import { watchRun } from "../../src/cli/result.ts";
import { runHeadless } from "../../src/cli/run-turn.ts";
import { loop, type ScriptedTurn, type ScriptRequest, type SseEvent, sequence } from "../../src/simulator/index.ts";
import { bash, type Driven, expectSound, inHouse, lastSaid, read, say, sent, text, thinking, turn } from "./driving.ts";
import { engineIn } from "./engines.ts";

const limits = ({ simulator }: Driven): readonly unknown[] =>
  simulator.requests.map(({ body }) => (body as { readonly max_tokens: number }).max_tokens);
const overloaded = { kind: "http", status: 529, headers: { "retry-after-ms": "1" } } as const;
const refusing = (status: number, message: string, type = "invalid_request_error") =>
  ({ kind: "http", status, body: { type: "error", error: { type, message } } }) as const;

/** After a turn that ended without an answer, whatever was wrong: the next message is answered. */
async function stillUsable(house: Driven, said: readonly string[] = ["text: next please"]): Promise<void> {
  await house.say("next please");
  expect(lastSaid(house)).toEqual([...said]);
  expect(house.types().at(-1)).toBe("task.completed");
}
/** `first` for the first message, "Fine." to the next one. */
const once =
  (first: (request: ScriptRequest) => ScriptedTurn) =>
  (request: ScriptRequest): ScriptedTurn =>
    request.lastUserText().includes("next please") ? say("Fine.") : first(request);

describe("an answer that the output limit cut", () => {
  const cut: ScriptedTurn = { ...say("The beginning"), stopReason: "max_tokens" };

  test("is continued once, with all that the model has, and then completed", async () => {
    await inHouse({ script: sequence([cut, say("and the end.")]) }, async (house) => {
      await house.say("tell");
      expect(lastSaid(house)).toEqual([`text: ${CONTINUATIONS["max-tokens"]}`]);
      expect(house.of("user.message-created").map(({ by }) => by)).toEqual(["user", "kernel"]);
      const [first, second] = limits(house);
      expect([first, second]).toEqual([32_000, 128_000]);
      expect(house.types().at(-1)).toBe("task.completed");
    });
  });

  test("a second time ends the turn as out of budget", async () => {
    await inHouse({ script: once(() => cut) }, async (house) => {
      await house.say("tell");
      expect(house.simulator.requests).toHaveLength(2);
      expect(house.of("task.failed")).toMatchObject([{ reason: "budget" }]);
      await stillUsable(house);
      expect(limits(house).at(-1)).toBe(32_000);
    });
  });

  test("in its only call drops it, though it parses, and goes on", async () => {
    const answer = { ...turn(text("Running."), bash("echo ran > ran.md")), stopReason: "max_tokens" };
    await inHouse({ script: sequence([answer, say("Done.")]) }, async (house) => {
      await house.say("run");
      expect(existsSync(join(house.cwd, "ran.md"))).toBe(false);
      expect(house.of("tool.cancelled")).toMatchObject([{ reason: "discarded" }]);
      expect(lastSaid(house)).toEqual([`text: ${CONTINUATIONS["max-tokens"]}`]);
      expect(
        sent(house)
          .at(1)
          ?.content.map(({ type }) => type),
      ).toEqual(["text"]);
    });
  });

  test("in its second call runs the first, and needs no words to go on", async () => {
    const answer = { ...turn(bash("echo one >> ran.md"), bash("echo two >> ran.md")), stopReason: "max_tokens" };
    await inHouse({ script: sequence([answer, say("Done.")]) }, async (house) => {
      await house.say("run");
      expect(readFileSync(join(house.cwd, "ran.md"), "utf8")).toBe("one\n");
      expect(lastSaid(house)).toEqual(["result"]);
    });
  });

  test("in a call that is never closed, as the API may leave it, runs the one before it", async () => {
    const alter = (events: readonly SseEvent[]): readonly SseEvent[] =>
      events.toSpliced(
        events.findLastIndex(({ event }) => event === "content_block_stop"),
        1,
      );
    const calls = turn(text("Both."), bash("echo one >> ran.md"), bash("echo two >> ran.md"));
    const answer = { ...calls, stopReason: "max_tokens", alter };
    await inHouse({ script: sequence([answer, say("Done.")]) }, async (house) => {
      await house.say("run");
      expect(readFileSync(join(house.cwd, "ran.md"), "utf8")).toBe("one\n");
      expect(house.of("tool.cancelled")).toMatchObject([{ reason: "discarded" }]);
      expect(house.simulator.requests).toHaveLength(2);
      expect(house.types().at(-1)).toBe("task.completed");
    });
  });

  test("in its thinking leaves nothing of it, and goes on", async () => {
    await inHouse({ script: sequence([{ ...turn(thinking("Hm")), stopReason: "max_tokens" }]) }, async (house) => {
      house.simulator.failNext(overloaded); // a retry is no second continuation
      await house.say("think");
      expect(house.of("user.message-created")).toHaveLength(2);
      expect(house.of("task.failed")).toMatchObject([{ reason: "budget" }]);
      expect(sent(house).map(({ role }) => role)).toEqual(["user"]);
    });
  });
});

describe("an answer that says nothing", () => {
  test("is asked about once", async () => {
    let asked = 0;
    const script = () => (asked++ === 0 ? turn() : say("Done."));
    await inHouse({ script }, async (house) => {
      await house.say("work");
      expect(lastSaid(house)).toEqual(["text: work", `text: ${CONTINUATIONS.empty}`]);
      expect(house.types().at(-1)).toBe("task.completed");
    });
  });

  test("twice ends the turn, be it empty, blank or only thought", async () => {
    for (const silent of [turn(), turn(text(" \n")), turn(thinking("Nothing to say."))]) {
      await inHouse({ script: once(() => silent) }, async (house) => {
        await house.say("work");
        expect(house.simulator.requests).toHaveLength(2);
        expect(house.of("task.failed")).toMatchObject([{ reason: "model-fatal-error" }]);
        await stillUsable(house, ["text: work", `text: ${CONTINUATIONS.empty}`, "text: next please"]);
      });
    }
  });
});

describe("a refusal", () => {
  const refusal = (...content: ScriptedTurn["content"]): ScriptedTurn => ({ content, stopReason: "refusal" });

  for (const [when, answer] of [
    ["before anything was said", refusal()],
    ["in the middle of an answer", refusal(text("First, take"))],
    ["after a call", refusal(text("I will run it."), bash("echo ran > ran.md"))],
  ] as const) {
    test(`${when} ends the turn and leaves it out of the conversation`, async () => {
      await inHouse({ script: once(() => answer) }, async (house) => {
        await house.say("do something bad");
        expect(house.simulator.requests).toHaveLength(1);
        expect(house.of("task.failed")).toMatchObject([{ reason: "refused" }]);
        expect(existsSync(join(house.cwd, "ran.md"))).toBe(false);
        await stillUsable(house);
        expect(sent(house)).toHaveLength(1);
      });
    });
  }

  test("after a tool has run leaves out the answer only", async () => {
    const script = once(({ index }) => (index === 0 ? turn(bash("echo a")) : refusal(text("No"))));
    await inHouse({ script }, async (house) => {
      await house.say("do something");
      expect(house.of("task.failed")).toMatchObject([{ reason: "refused" }]);
      await stillUsable(house, ["result", "text: next please"]);
    });
  });
});

test("a paused turn is continued", async () => {
  const paused = { ...say("Looking around."), stopReason: "pause_turn" };
  await inHouse({ script: sequence([paused, say("Found it.")]) }, async (house) => {
    await house.say("search");
    expect(lastSaid(house)).toEqual([`text: ${CONTINUATIONS.paused}`]);
    expect(house.types().at(-1)).toBe("task.completed");
  });
});

test("a stop reason that nobody knows ends the turn with its name, and nothing that it asked for is done", async () => {
  const script = once(() => ({ ...turn(text("So."), bash("echo a > ran.md")), stopReason: "out_of_ink" }));
  await inHouse({ script }, async (house) => {
    await house.say("write");
    expect(house.of("task.failed")).toMatchObject([
      { reason: "model-fatal-error", detail: expect.stringContaining("out_of_ink") },
    ]);
    expect(house.of("tool.cancelled").map(({ modelText }) => modelText)).toEqual([CANCELLED.unknown.pending]);
    expect([existsSync(join(house.cwd, "ran.md")), house.simulator.requests.length]).toEqual([false, 1]);
    await stillUsable(house, ["error", "text: next please"]);
  });
});

describe("a conversation that no longer fits", () => {
  const tooLong = "prompt is too long: 205000 tokens > 200000 maximum";
  const sum =
    "input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000, decrease input length or `max_tokens` and try again";
  for (const [what, fault] of [
    ["the prompt is too long", refusing(400, tooLong)],
    ["input and output together are too long", refusing(400, sum)],
    ["the request is too large", refusing(413, "Request exceeds the maximum size", "request_too_large")],
  ] as const) {
    test(`(${what}) ends the turn in words, and the session goes on`, async () => {
      await inHouse({ script: () => say("Fine.") }, async (house) => {
        house.simulator.failNext(fault);
        await house.say("big");
        expect(house.simulator.requests).toHaveLength(1);
        expect(house.of("model.request-failed")).toMatchObject([{ kind: "context-overflow", retriesExhausted: true }]);
        expect(house.of("task.failed")).toMatchObject([
          { reason: "irreducible", detail: expect.stringContaining("larger window") },
        ]);
        await stillUsable(house, ["text: big", "text: next please"]);
      });
    });
  }

  test("(the window is full in mid-answer) keeps what was said and ends the turn in words", async () => {
    const full = { ...turn(text("As far as"), bash("echo a > ran.md")), stopReason: "model_context_window_exceeded" };
    await inHouse({ script: once(() => full) }, async (house) => {
      await house.say("big");
      expect(house.of("task.failed")).toMatchObject([{ reason: "irreducible" }]);
      expect(existsSync(join(house.cwd, "ran.md"))).toBe(false);
      await stillUsable(house);
      expect(sent(house).at(1)?.content).toMatchObject([{ type: "text", text: "As far as" }]);
    });
  });
});

describe("a request that fails", () => {
  test("is repeated, each attempt recorded, and counts as one", async () => {
    const script = sequence([turn(bash("echo a")), say("Done.")]);
    await inHouse({ script, flags: { limits: { maxTurns: 2 } } }, async (house) => {
      house.simulator.failNext(overloaded);
      await house.say("try");
      expect(house.of("model.request-started").map(({ attempt }) => attempt)).toEqual([1, 2, 1]);
      expect(house.of("model.request-failed")).toMatchObject([
        { kind: "retryable", status: 529, retriesExhausted: false, retryAfterMs: expect.any(Number) },
      ]);
      expect(house.types().at(-1)).toBe("task.completed");
    });
  });

  test("after a complete call is repeated without running that call: it runs once", async () => {
    const cut = { kind: "error-event", afterSeen: "content_block_stop", times: 2 } as const;
    const answer = { ...turn(text("Once."), bash("echo ran >> ran.md"), bash("echo and >> ran.md")), fault: cut };
    await inHouse({ script: sequence([answer, say("Done.")]) }, async (house) => {
      await house.say("run");
      expect(readFileSync(join(house.cwd, "ran.md"), "utf8")).toBe("ran\nand\n");
      expect(house.of("tool.requested")).toHaveLength(3);
      expect(house.of("tool.cancelled")).toMatchObject([{ reason: "discarded" }]);
      expect(house.of("tool.started")).toHaveLength(2);
      expect(lastSaid(house)).toEqual(["result", "result"]);
      expect(house.engine.session.state().usage.responses).toBe(2);
    });
  });

  for (const [what, fault, kind] of [
    ["for good", refusing(400, "messages.3: something odd"), "invalid-request"],
    ["for want of a right key", refusing(401, "invalid x-api-key", "authentication_error"), "auth"],
  ] as const) {
    test(`${what} ends the turn with the server's words, and the next message is sent`, async () => {
      await inHouse({ script: () => say("Fine.") }, async (house) => {
        house.simulator.failNext(fault);
        await house.say("try");
        expect(house.simulator.requests).toHaveLength(1);
        expect(house.of("model.request-failed")).toMatchObject([{ kind, retriesExhausted: true }]);
        const [failed] = house.of("task.failed");
        expect(failed).toMatchObject({ reason: "model-fatal-error" });
        expect(failed?.detail).toContain(fault.body.error.message);
        await stillUsable(house, ["text: try", "text: next please"]);
      });
    });
  }

  test("before it goes out, for its key is no key, ends the turn too", async () => {
    await inHouse({ script: () => say("never asked") }, async (house) => {
      const connection = { auth: { kind: "api-key", value: "two words" }, baseURL: house.simulator.url } as const;
      const engine = await engineIn(house, { connection });
      try {
        const watch = watchRun(engine.session, () => 0);
        const end = await runHeadless(engine, { prompt: "try", onEvent: watch.onEvent });
        expect(watch.finish(end)).toMatchObject({ status: "failed", exit_code: 3, result: "" });
        await expectSound({ engine });
        expect(house.simulator.requests).toEqual([]);
      } finally {
        await engine.close();
      }
    });
  });

  test("in a tool loop leaves the loop's results in place", async () => {
    const script = loop({ steps: 1, turn: () => turn(read("a.md")), last: "Fine." });
    await inHouse({ script, files: { "a.md": "x\n" } }, async (house) => {
      house.engine.session.bus.on("tool.completed", () => house.simulator.failNext(refusing(400, "odd")));
      await house.say("try");
      expect(house.types().at(-1)).toBe("task.failed");
      await stillUsable(house, ["result", "text: next please"]);
    });
  });
});
