/**
 * Esc at every moment there is: behind each event that the server sends, and behind each that the engine tells, counted and not
 * chosen. After each of them nothing dangles, nothing runs on, and the next message is taken.
 */
import { describe, expect, test } from "bun:test";
import type { EventType } from "../../src/shared/index.ts";
import type { Fault, ScriptedTurn } from "../../src/simulator/index.ts";
import { asksForSummary } from "../support/summing-model.ts";
import { done, FILES, look, repair } from "./add-project.ts";
import { CHECKPOINT, MAIN, type task, WINDOW } from "./compacting.ts";
import { bash, call, type Driven, edit, read, say, text, thinking, turn } from "./driving.ts";
import { answers, type Course, NEXT, saidNext, stopEverywhere } from "./interrupts.ts";

/** Thinking, text and calls side by side, in one answer of many small events. */
const RICH: ScriptedTurn = {
  ...turn(
    thinking("First the notes."),
    text("I look, and then I run it."),
    read("a.md"),
    bash("echo ran >> ran.md"),
    edit("a.md", "one", "two"),
  ),
  stream: { deltaChars: 12, pingEvery: 4 },
};

/** What a user does at the moment of the stop. */
const STOPS: Readonly<Record<string, (house: Driven) => void>> = {
  "": (house) => house.interrupt(),
  "twice, ": (house) => {
    house.interrupt();
    house.interrupt();
  },
  "and with a message at once, ": (house) => {
    house.interrupt();
    house.submit(NEXT);
  },
  "by quitting, ": (house) => house.engine.agent.dispatch({ kind: "quit" }),
};
const stop = (house: Driven): void => house.interrupt();

describe("an interrupt behind each event of the server's answer", () => {
  test("after which the server says nothing more, leaves a session that goes on", async () => {
    const scriptAt = (at: number) => answers({ ...RICH, fault: { kind: "silence", afterEvents: at + 1 } });
    const { moments } = await stopEverywhere({ script: answers(), scriptAt, onWire: true }, stop);
    expect(moments).toBeGreaterThan(30);
  }, 60_000);

  for (const [how, act] of Object.entries(STOPS)) {
    test(`${how}leaves a session that goes on`, async () => {
      const script = answers({ ...RICH, stream: { deltaChars: 400 } });
      const { moments } = await stopEverywhere({ script, onWire: true }, act);
      expect(moments).toBeGreaterThan(15);
    }, 60_000);
  }
});

const OTHER = "claude-sonnet-5-5";
const busy: Fault = { kind: "http", status: 529, headers: { "retry-after": "7" } };
const final: Fault = { ...busy, headers: { "x-should-retry": "false" } };
const brief: ScriptedTurn = { ...turn(text("I run it."), read("a.md")), stream: { deltaChars: 400 } };

/** Each with what it has to pass, so that a course that no longer does is noticed. */
const COURSES: Readonly<Record<string, Course & { readonly passes: readonly EventType[] }>> = {
  "of an answer with calls": {
    script: answers({ ...RICH, stream: { deltaChars: 40 } }),
    passes: ["model.thinking-delta", "model.tool-input-delta", "tool.started", "file.modified", "task.completed"],
  },
  "of a change, its check and its claim": {
    script: answers(look, repair, done),
    setup: { files: FILES },
    passes: ["task.verification-requested", "verify.result", "task.completed"],
  },
  "around two waits between attempts": {
    script: answers({ ...brief, fault: [busy, { kind: "cut", afterEvents: 4 }] }),
    passes: ["model.request-failed", "model.text-delta", "task.completed"],
  },
  "while a question waits": {
    script: answers(turn(bash("sh ask.sh"), read("a.md"))),
    setup: { somebodyToAsk: true, flags: { permissionMode: "ask" } },
    passes: ["permission.requested", "permission.granted", "tool.completed"],
  },
  "while another model takes over": {
    script: (request) => {
      if (request.body.model === OTHER) return say(saidNext(request) ? "Fine." : "The other one.");
      return answers(turn(bash("echo looked")), { ...brief, fault: Array.from({ length: 9 }, () => final) })(request);
    },
    setup: { flags: { fallbackModel: OTHER } },
    passes: ["session.model-changed", "context.compacted", "task.completed"],
  },
  "from the moment on at which room is made": {
    script: (request) => {
      if (asksForSummary(request)) return { ...say(CHECKPOINT), stream: { deltaChars: 100 } };
      return saidNext(request) ? say("Fine.") : printing(request);
    },
    setup: { windows: { [MAIN]: WINDOW }, files: { "long.md": `${"x".repeat(79)}\n`.repeat(110) } },
    from: (event) => event.type === "model.request-started" && event.payload.purpose === "compaction",
    passes: ["context.compacted", "task.completed"],
  },
  "of a summary that was asked for": {
    script: (request) => {
      if (asksForSummary(request)) return { ...say(CHECKPOINT), stream: { deltaChars: 100 } };
      return saidNext(request) ? say("Fine.") : say("y".repeat(6_000));
    },
    setup: { windows: { [MAIN]: WINDOW } },
    from: (event) => event.type === "model.request-started" && event.payload.purpose === "compaction",
    async begin(house) {
      for (let at = 1; at <= 4; at++) await house.say(`question ${at}`);
      const before = [...house.engine.session.state().conversation.messages];
      const made = await house.engine.agent.compact({});
      const { messages } = house.engine.session.state().conversation;
      expect(Bun.deepEquals([...messages], before)).toBe(!made.ok);
    },
    passes: ["context.compacted"],
  },
};

/** By the conversation alone, as each course is begun anew. */
function printing(request: Parameters<ReturnType<typeof task>>[0]): ScriptedTurn {
  const lines =
    request.toolResults().length + (JSON.stringify(request.body.messages).includes("print many lines") ? 5 : 0);
  return lines < 8 ? turn(call("read", { file_path: "long.md", offset: lines + 1 })) : say("All is read.");
}

describe("an interrupt behind each event of the engine", () => {
  for (const [what, { passes, ...course }] of Object.entries(COURSES)) {
    test(`${what} leaves a session that goes on`, async () => {
      const { moments, passed } = await stopEverywhere(course, stop);
      expect(moments).toBeGreaterThan(7);
      expect([...passed]).toEqual(expect.arrayContaining([...passes]));
    }, 60_000);
  }
});
