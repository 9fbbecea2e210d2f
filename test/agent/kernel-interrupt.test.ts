/** Esc at every kind of moment: what had settled stays, what was open is closed, and the next message works. */
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ScriptedTurn } from "../../src/simulator/index.ts";
import { bash, type Driven, inHouse, lastSaid, read, say, sent, text, thinking, turn } from "./driving.ts";

/** Everything after the interrupt, and the message that follows it. */
async function goesOn(house: Driven, results: readonly string[] = []): Promise<void> {
  await house.settled();
  expect(house.of("user.interrupted")).toHaveLength(1);
  expect(house.engine.session.state().turn).toMatchObject({ phase: "interrupted", pending: [], permissions: [] });
  const requests = house.simulator.requests.length;
  await house.say("go on");
  expect(house.simulator.requests).toHaveLength(requests + 1);
  expect(lastSaid(house)).toEqual([...results, "text: go on"]);
  expect(house.types().at(-1)).toBe("task.completed");
}

/** The content of the last assistant message that was sent, by type and words. */
const kept = (house: Driven): readonly string[] =>
  (sent(house).findLast(({ role }) => role === "assistant")?.content ?? []).map(
    ({ type, text: words }) => `${type}${words === undefined ? "" : `: ${words}`}`,
  );

/** The answer to the first message is `first`, which a test stops; to the messages that follow it is "Fine.". */
const script =
  (first: ScriptedTurn) =>
  ({ lastUserText }: { lastUserText: () => string }): ScriptedTurn =>
    /go on|queued before/.test(lastUserText()) ? say("Fine.") : first;

/** Long enough to be stopped in the middle. */
const LONG = "word ".repeat(400);
const stream = { deltaChars: 5, deltaMs: 1 };

describe("an interrupt", () => {
  test("while text streams keeps what was shown", async () => {
    await inHouse({ script: script({ ...say(LONG), stream }) }, async (house) => {
      const shown: string[] = [];
      house.engine.session.bus.on("model.text-delta", ({ payload }) => void shown.push(payload.text));
      house.submit("talk");
      for (let deltas = 0; deltas < 3; deltas++) await house.next("model.text-delta");
      house.interrupt();
      await goesOn(house);
      const [partial] = house.of("model.text-block-completed");
      expect(partial).toMatchObject({ partial: true, blockIndex: 0 });
      expect(shown.join("")).toStartWith(partial?.text ?? "");
      expect(partial?.text.length).toBeGreaterThanOrEqual(15);
      expect(kept(house)).toEqual([`text: ${partial?.text}`]);
      expect(house.of("model.request-failed")).toMatchObject([{ kind: "cancelled", retriesExhausted: false }]);
    });
  });

  test("before anything was said leaves no trace of an answer", async () => {
    const silent = { ...say("never"), fault: { kind: "silence", afterEvents: 1 } } as const;
    await inHouse({ script: script(silent) }, async (house) => {
      const started = house.next("model.request-started");
      house.submit("talk");
      await started;
      house.interrupt();
      await house.settled();
      await house.say("go on");
      expect(sent(house).map(({ role }) => role)).toEqual(["user"]);
      expect(lastSaid(house)).toEqual(["text: talk", "text: go on"]);
    });
  });

  test("while it thinks keeps nothing of the thought", async () => {
    await inHouse({ script: script({ ...turn(thinking(LONG), text("x")), stream }) }, async (house) => {
      const delta = house.next("model.thinking-delta");
      house.submit("think");
      await delta;
      house.interrupt();
      await house.settled();
      expect(house.of("model.thinking-block-completed")).toEqual([]);
      await house.say("go on");
      expect(sent(house).map(({ role }) => role)).toEqual(["user"]);
    });
  });

  test("after a thought, in the text that follows it, keeps both", async () => {
    await inHouse({ script: script({ ...turn(thinking("Hm."), text(LONG)), stream }) }, async (house) => {
      const delta = house.next("model.text-delta");
      house.submit("think");
      await delta;
      house.interrupt();
      await goesOn(house);
      expect(kept(house)).toEqual(["thinking", expect.stringMatching(/^text: wo/)]);
    });
  });

  test("while a call is written drops that call, and closes the one before it", async () => {
    const answer = { ...turn(text("Two."), read("a.md"), bash(`echo ${LONG}`)), stream };
    await inHouse({ script: script(answer), files: { "a.md": "x" } }, async (house) => {
      const second = house.next("model.tool-input-delta", ({ payload }) => payload.blockIndex === 2);
      house.submit("call");
      await second;
      house.interrupt();
      await goesOn(house, ["error"]);
      const [asked] = house.of("tool.requested");
      expect(house.of("user.interrupted")).toEqual([{ scope: "turn", pendingToolUseIds: [asked?.toolUseId ?? ""] }]);
      expect(house.of("tool.cancelled")).toEqual([
        {
          toolUseId: asked?.toolUseId ?? "",
          reason: "interrupted",
          modelText: "[Cancelled by the user. It was not run.]",
        },
      ]);
      expect(kept(house)).toEqual(["text: Two.", "tool_use"]);
      expect(house.of("tool.started")).toEqual([]);
    });
  });

  test("while a command runs ends its processes, says that it may have acted, and skips the calls behind it", async () => {
    const command = "echo $$ > pid.md; echo begun; sleep 60 & wait; echo late > late.md";
    await inHouse({ script: script(turn(bash(command), read("pid.md"))) }, async (house) => {
      const output = house.next("tool.output");
      house.submit("wait");
      await output;
      house.interrupt();
      await goesOn(house, ["error", "error"]);
      const [running, behind] = house.of("tool.cancelled");
      expect(running).toMatchObject({ reason: "interrupted" });
      expect(running?.modelText).toStartWith("[Cancelled by the user while it was running. It may have had effects;");
      expect(running?.modelText).toContain("begun");
      expect(behind?.modelText).toBe("[Cancelled by the user. It was not run.]");
      const pid = Number(readFileSync(join(house.cwd, "pid.md"), "utf8"));
      expect(() => process.kill(pid, 0)).toThrow("ESRCH");
      expect(existsSync(join(house.cwd, "late.md"))).toBe(false);
    });
  });

  test("between two attempts ends the wait", async () => {
    const busy = { kind: "http", status: 529, headers: { "retry-after": "60" } } as const;
    await inHouse({ script: script({ ...say("never"), fault: busy }) }, async (house) => {
      const failed = house.next("model.request-failed");
      house.submit("talk");
      await failed;
      house.interrupt();
      await house.settled();
      await house.say("go on");
      expect(house.of("model.request-failed")).toMatchObject([{ status: 529, retriesExhausted: false }]);
      expect(house.types().at(-1)).toBe("task.completed");
    });
  });

  test("twice is once, and with nothing running it is nothing", async () => {
    await inHouse({ script: script({ ...say(LONG), stream }) }, async (house) => {
      house.interrupt();
      const delta = house.next("model.text-delta");
      house.submit("talk");
      await delta;
      house.interrupt();
      house.interrupt();
      await goesOn(house);
      house.interrupt();
      expect(house.of("user.interrupted")).toHaveLength(1);
    });
  });

  test("followed at once by a message: it begins its own turn as soon as the stopped one is closed", async () => {
    await inHouse({ script: script(turn(bash("echo begun; sleep 60"))) }, async (house) => {
      const output = house.next("tool.output");
      house.submit("wait");
      await output;
      house.engine.agent.dispatch({ kind: "steer", text: "queued before", deliver: "next-turn" });
      house.interrupt();
      house.submit("go on");
      expect(house.engine.agent.isBusy()).toBe(true);
      await house.settled();
      expect(lastSaid(house, 1)).toEqual(["error", "text: go on"]);
      expect(house.of("task.completed").map(({ evidence }) => evidence.objective)).toEqual(["go on", "queued before"]);
    });
  });

  test("leaves what was queued before it to the user: it follows his next message", async () => {
    await inHouse({ script: script({ ...say(LONG), stream }) }, async (house) => {
      const delta = house.next("model.text-delta");
      house.submit("talk");
      await delta;
      house.engine.agent.dispatch({ kind: "steer", text: "queued before" });
      house.interrupt();
      await house.settled();
      expect(house.engine.session.state().turn.queued).toMatchObject([{ text: "queued before" }]);
      expect(house.simulator.requests).toHaveLength(1);
      await house.say("go on");
      expect(lastSaid(house)).toEqual(["text: go on", "text: queued before"]);
    });
  });

  test("with steering as the next word", async () => {
    await inHouse({ script: script({ ...say(LONG), stream }) }, async (house) => {
      const delta = house.next("model.text-delta");
      house.submit("talk");
      await delta;
      house.interrupt();
      await house.settled();
      house.engine.agent.dispatch({ kind: "steer", text: "go on" });
      await house.settled();
      expect(lastSaid(house)).toEqual(["text: go on"]);
      expect(house.types().at(-1)).toBe("task.completed");
    });
  });
});

describe("Esc at the finish line", () => {
  test("after the answer, while the log is made safe for the claim: nothing is claimed any more", async () => {
    await inHouse({ script: script(say("Done.")) }, async (house) => {
      const answered = house.next("model.response-completed");
      house.submit("talk");
      await answered;
      await new Promise((resolve) => setImmediate(resolve)); // by now the turn waits for the disk
      const { phase } = house.engine.session.state().turn;
      house.interrupt();
      await house.settled();
      const ended = house.types().filter((type) => type === "user.interrupted" || type === "task.completed");
      expect([phase, ended]).toEqual(phase === "open" ? ["open", ["user.interrupted"]] : ["idle", ["task.completed"]]);
      await house.say("go on");
    });
  });

  const answers: Readonly<Record<string, ScriptedTurn>> = {
    "a text": say("Done."),
    "two calls": turn(text("Two."), bash("echo a >> ran.md"), bash("echo b >> ran.md")),
    "a call that the limit cut": {
      ...turn(bash("echo a >> ran.md"), bash("echo b >> ran.md")),
      stopReason: "max_tokens",
    },
  };
  for (const [what, answer] of Object.entries(answers)) {
    test(`of ${what}, however many ticks after the last block: at most one interrupt, nothing dangling`, async () => {
      for (let ticks = 0; ticks < 24; ticks++) {
        await inHouse({ script: script(answer) }, async (house) => {
          const last = lastBlock(house, answer.content.length - 1);
          house.submit("talk");
          await last;
          for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
          house.interrupt();
          await house.settled();
          const ended = house.types().filter((type) => type === "user.interrupted" || type === "task.completed");
          expect(ended).toHaveLength(1);
          await house.say("go on");
          expect(house.types().at(-1)).toBe("task.completed");
        });
      }
    }, 30_000);
  }
});

/** The event that settles the block at this place of the first answer. */
const lastBlock = (house: Driven, at: number): Promise<unknown> =>
  at === 0
    ? house.next("model.text-block-completed")
    : house.next("tool.requested", ({ payload }) => payload.blockIndex === at);
