/** What streams, what goes on, and what calls for attention, as events tell it. */
import { describe, expect, test } from "bun:test";
import type { DurableEvent, DurableInput } from "../../src/shared/index.ts";
import type { CoalescedFrame } from "../../src/tui/index.ts";
import { createAttentionWatch, terminalTitle } from "../../src/tui/model/attention.ts";
import type { CallItem } from "../../src/tui/model/items.ts";
import { createViewModel } from "../../src/tui/model/view-model.ts";
import * as w from "../session/log-words.ts";
import { told } from "./item-words.ts";

type Appends = { readonly [K in keyof Omit<CoalescedFrame, "durables">]?: Readonly<Record<string, string>> };

/** A model that is told frames; `e<seq>` and `1000 + seq - 1` are id and time of each event. */
function watched(parts?: Parameters<typeof createViewModel>[0]) {
  const model = createViewModel(parts);
  const log: DurableInput[] = [];
  return {
    model,
    frame(appends: Appends, ...inputs: readonly (DurableInput | readonly DurableInput[])[]) {
      const from = log.length;
      log.push(...inputs.flat());
      const lane = (name: keyof Appends) => new Map(Object.entries(appends[name] ?? {}));
      model.apply({
        textAppends: lane("textAppends"),
        thinkingAppends: lane("thinkingAppends"),
        toolCallsStarted: lane("toolCallsStarted"),
        toolInputPreviews: lane("toolInputPreviews"),
        toolOutputAppends: lane("toolOutputAppends"),
        processOutputAppends: lane("processOutputAppends"),
        durables: w.given(log).slice(from) as DurableEvent[],
      });
      return model.state();
    },
  };
}
const inWords = ({ live }: { readonly live: ReturnType<ReturnType<typeof createViewModel>["state"]>["live"] }) =>
  live.map(({ kind, name, what, pieces, isSettled }) =>
    [kind, name, what, ...pieces, isSettled && "✓"].filter((part) => part !== undefined).join(" "),
  );

describe("what streams", () => {
  test("text and thinking grow in place, and become items only with their answer", () => {
    const { frame } = watched();
    frame({}, w.said("hi"), w.asked("r"));
    const first = frame({ thinkingAppends: { "r/0": "h" } });
    const second = frame({ thinkingAppends: { "r/0": "m" }, textAppends: { "r/1": "so" } });
    expect([inWords(second), first.live[0] === second.live[0]]).toEqual([["thinking h m", "answer so"], true]);
    const settled = frame(
      { textAppends: { "r/1": " it is" } },
      w.thought("r", 0, "s", "hm"),
      w.text("r", 1, "so it is"),
    );
    expect([inWords(settled), told(settled.items)]).toEqual([["thinking hm ✓", "answer so it is ✓"], ["says: hi"]]);
    const ended = frame({}, w.ended("r"));
    expect([ended.live, told(ended.items)]).toEqual([[], ["says: hi", "thinks: hm", "answer: so it is"]]);
  });

  test("a call shows its name at once, and what it is about as soon as it can be read", () => {
    const { frame } = watched();
    frame({}, w.asked("r"));
    const shown = [
      frame({ toolCallsStarted: { t: "edit" } }),
      frame({ toolInputPreviews: { t: '{"file_path":"src/a\\u00' } }),
      frame({ toolInputPreviews: { t: '{"file_path":"src/a\\u00e9.ts","new_string":"x\\"command\\": \\"rm' } }),
    ];
    expect(shown.map(inWords)).toEqual([["call edit"], ["call edit src/a"], ["call edit src/aé.ts"]]);
    expect(inWords(frame({}, w.call("r", 0, "other-id", { command: "ls" })))).toEqual(["call read ls ✓"]);
  });

  test("a failed or stopped answer takes all that streamed along", () => {
    for (const end of [w.failed("r"), w.interrupted()]) {
      const { frame } = watched();
      frame({ textAppends: { "r/0": "x" }, toolCallsStarted: { t: "bash" } }, w.asked("r"));
      frame({ textAppends: { "r/0": "y" }, toolCallsStarted: { u: "bash" }, toolInputPreviews: { u: "{" } }, end);
      const state = frame({ textAppends: { "r/0": "late" } }, w.asked("r2"));
      expect(state.live).toEqual([]);
    }
  });

  test("nothing of an answer that is no part of the conversation", () => {
    const { frame } = watched();
    expect(frame({ textAppends: { "c/0": "summary" } }, w.asked("c", { purpose: "compaction" })).live).toEqual([]);
    expect(frame({ textAppends: { "gone/0": "late" } }).live).toEqual([]);
  });

  test("a running call shows its newest lines, in bounds, and gives them up for its result", () => {
    const { frame } = watched();
    const call = (state: ReturnType<typeof frame>) =>
      state.items.find((item): item is CallItem => item.kind === "call");
    frame({}, w.called("r", "t"), w.started("t"));
    const many = Array.from({ length: 500 }, (_, at) => `${at}\n`).join("");
    const running = call(frame({ toolOutputAppends: { t: many } }));
    expect([running?.output.startsWith("300\n"), running?.output.endsWith("499\n"), running?.isCut]).toEqual([
      true,
      true,
      true,
    ]);
    const more = call(frame({ toolOutputAppends: { t: "end" } }));
    expect([more === running, more?.output.endsWith("499\nend")]).toEqual([false, true]);
    const done = call(frame({ toolOutputAppends: { t: "late" } }, w.done("t", "all")));
    expect([done?.output, done?.isCut]).toEqual(["all", undefined]);
  });
});

describe("what goes on", () => {
  const steps: readonly (readonly [string, Appends, ...(DurableInput | readonly DurableInput[])[]])[] = [
    ["idle", {}, w.begun],
    ["waiting-for-model 1001", {}, w.said("hi")],
    ["waiting-for-model 1002", {}, w.asked("r")],
    ["thinking 1002", { thinkingAppends: { "r/0": "h" } }],
    ["waiting-for-model 1003", {}, w.thought("r", 0, "s", "h")],
    ["writing 1003", { textAppends: { "r/1": "x" } }],
    ["retrying 9004 overloaded", {}, w.failed("r", { retryAfterMs: 8000, message: "overloaded" })],
    ["waiting-for-model 1005", {}, w.asked("r2")],
    ["writing 1005", { toolCallsStarted: { t: "read" } }],
    ["waiting-for-model 1007", {}, w.call("r2", 0, "t", { file_path: "a" }), w.ended("r2", "tool_use")],
    ["asking", {}, w.question("q", "t")],
    ["waiting-for-model 1007", {}, w.granted("q")],
    ["calling read a 1010", {}, w.started("t")],
    ["waiting-for-model 1011", {}, w.done("t", "x")],
    ["waiting-for-model 1014", {}, w.answered("r3", "ok")],
    [
      "verifying 1015",
      {},
      w.event("task.verification-requested", { attempt: 1, detectedChecks: [], withheldCandidateSeq: 1 }),
    ],
    ["idle", {}, w.completed],
    ["waiting-for-model 1017", {}, w.said("again")],
    ["idle", {}, w.interrupted()],
    ["idle", {}, w.said("", { shell: { command: "ls", exitCode: 0, output: "" } })],
  ];
  test("is what events have said, and since when", () => {
    const { frame } = watched();
    const seen = steps.map(([, appends, ...inputs]) => Object.values(frame(appends, ...inputs).activity).join(" "));
    expect(seen).toEqual(steps.map(([activity]) => activity));
  });

  test("nothing goes on after a restart until something happens, but a question still waits", () => {
    const { frame } = watched();
    const state = frame({}, w.said("hi"), w.called("r", "t"), w.question("q", "t"), w.resumed());
    expect([state.activity.kind, state.questions[0]?.call]).toEqual(["asking", { name: "read", input: {} }]);
    expect(frame({}, w.granted("q")).activity.kind).toBe("idle");
    expect(frame({}, w.started("t")).activity).toEqual({ kind: "calling", name: "read", what: "", since: 1008 });
  });

  test("nor does what a resume closes mean that somebody is at work", () => {
    const { frame } = watched();
    const running = [w.said("hi"), w.called("r", "t"), w.started("t")] as const;
    const state = frame({}, ...running, w.resumed(), w.cancelled("t", "effects unknown", "resume-recovery"));
    expect(state.activity.kind).toBe("idle");
    expect(frame({}, w.said("go on")).activity.kind).toBe("waiting-for-model");
  });
});

describe("summing up", () => {
  const asked = (id: string) => w.asked(id, { purpose: "compaction" });
  const seen = (steps: ReturnType<typeof watched>["frame"], ...all: readonly Parameters<typeof steps>[]) =>
    all.map((step) => Object.values(steps(...step).activity).join(" "));

  test("between two turns: how long, and how much has streamed of it, of each attempt anew", () => {
    const { frame } = watched();
    const step = { textAppends: { "c/0": "four" } };
    expect(
      seen(
        frame,
        [{}, w.answered("r", "ok"), w.completed],
        [{}, asked("c")],
        [step],
        [{ textAppends: { "c/0": "five!", "r/0": "late" } }],
        [{}, w.failed("c", { retryAfterMs: 8000, message: "overloaded" })],
        [{ textAppends: { "c/0": "six" } }, asked("c")],
        [{}, w.ended("c"), w.compacted(1)],
      ),
    ).toEqual([
      "idle",
      "summing 1004 0",
      "summing 1004 4",
      "summing 1004 9",
      "retrying 9005 overloaded",
      "summing 1006 3",
      "idle",
    ]);
  });

  test("in a turn, which goes on behind it", () => {
    const { frame } = watched();
    expect(
      seen(frame, [{}, w.said("go")], [{}, asked("c")], [{}, w.ended("c")], [{}, w.compacted(1), w.asked("r")]),
    ).toEqual(["waiting-for-model 1000", "summing 1001 0", "waiting-for-model 1002", "waiting-for-model 1004"]);
  });

  test("stopped while it waits for another attempt, of which no event tells: over when none is made, also while something else runs", () => {
    let isCompacting = true;
    const session = { isBusy: () => true, isCompacting: () => isCompacting };
    const { frame, model } = watched(session);
    frame({}, asked("c"), w.failed("c", { retryAfterMs: 8000, message: "overloaded" }));
    expect(frame({}).activity.kind).toBe("retrying");
    isCompacting = false;
    expect(frame({}).activity.kind).toBe("idle");
    model.addCommand("sleep 2", 2000);
    expect(frame({}).activity.kind).toBe("own-command");
    expect(frame({}, w.said("next")).activity.kind).toBe("waiting-for-model");
  });

  test("calls for attention with what came of it, and not with what was said before", () => {
    const { frame } = watched();
    const watch = createAttentionWatch();
    const update = (...inputs: Parameters<typeof frame>[1][]) => watch.update(frame({}, ...inputs))?.text;
    update(w.answered("r", "said before"), w.completed);
    update(asked("c"));
    expect(update(w.ended("c"), w.compacted(1))).toBe("khaelor: summed up: 1 tokens");
    update(asked("d"));
    expect(update(w.failed("d", { kind: "cancelled" }))).toBeUndefined();
  });
});

describe("a command of the user's own", () => {
  const shell = w.said("", { shell: { command: "ls", exitCode: 0, output: "" } });
  test("is under way until it is recorded; what it waits for is told before it", () => {
    const { frame, model } = watched();
    frame({}, w.said("a"));
    model.addCommand("ls", 1000);
    model.addCommand("make", 1000);
    const steps = [frame({}), frame({}, w.completed), frame({}, shell), frame({}, shell)];
    expect(steps.map((state) => [inWords(state).join(), Object.values(state.activity).join(" ")])).toEqual([
      ["call ! ls,call ! make", "waiting-for-model 1000"],
      ["call ! ls,call ! make", "own-command ls 1001"],
      ["call ! make", "own-command make 1002"],
      ["", "idle"],
    ]);
  });

  test("calls for no attention when it is over", () => {
    const { frame, model } = watched();
    const watch = createAttentionWatch();
    watch.update(frame({}, w.answered("r", "said before")));
    model.addCommand("ls", 1000);
    expect([frame({}), frame({}, shell)].map(watch.update)).toEqual([undefined, undefined]);
  });
});

test("a note stands where the transcript ends when it is said", () => {
  const { frame, model } = watched();
  frame({}, w.said("a"));
  model.addNote({ kind: "note", text: "n1" });
  model.addNote({ kind: "note", text: "n2" });
  const { items } = frame({}, w.said("b"));
  expect(told(items)).toEqual(["says: a", "note: n1", "note: n2", "says: b"]);
  expect(new Set(items.map(({ id }) => id)).size).toBe(4);
});

describe("attention", () => {
  test("is called for by a question and by the end of a turn, once each; not by what was there before, nor by a stop", () => {
    const { frame } = watched();
    const watch = createAttentionWatch();
    const steps: (readonly [string | undefined, ...(DurableInput | readonly DurableInput[])[]])[] = [
      [undefined, w.said("a"), w.question("old", "t")],
      [undefined, w.granted("old")],
      ["khaelor asks: d", w.question("q", "t")],
      [undefined, w.question("q2", "t")],
      ["khaelor asks: d", w.granted("q")],
      [undefined, w.granted("q2")],
      ["khaelor: all is …", w.answered("r", "all is\nwell"), w.completed],
      [undefined, w.said("b")],
      [undefined, w.interrupted()],
      [undefined, w.said("c")],
      ["khaelor stopped: no\\e key", w.event("task.failed", { reason: "budget", detail: "no\u001b key" })],
    ];
    const seen = steps.map(([, ...inputs]) => watch.update(frame({}, ...inputs))?.text);
    expect(seen).toEqual(steps.map(([text]) => text));
    const other = watched();
    expect(watch.update(other.frame({}, w.said("d"), w.question("q3", "t")))).toBeUndefined();
  });

  test("tells of the turn that ended, not of one before it; a stop that comes alone is none", () => {
    const { frame } = watched();
    const watch = createAttentionWatch();
    const step = (...inputs: Parameters<typeof frame>[1][]) => watch.update(frame({}, ...inputs))?.text;
    step(w.said("a"), w.answered("r1", "said before"));
    expect(step(w.completed)).toBe("khaelor: said before");
    step(w.said("b"), w.asked("r2"));
    expect([step(w.interrupted()), step(w.failed("r2", { kind: "cancelled" }))]).toEqual([undefined, undefined]);
    step(w.said("c"), w.asked("r3"), w.text("r3", 0, "first I look"), w.call("r3", 1, "t"), w.ended("r3", "tool_use"));
    step(w.done("t", "found"), w.asked("r4"));
    expect(step(w.interrupted())).toBeUndefined();
    step(w.failed("r4", { kind: "cancelled" }), w.said("d"));
    expect(step(w.completed)).toBe("khaelor is done");
  });

  test("the terminal's title tells what it is about and whether it works or waits", () => {
    const title = (activity: Parameters<typeof terminalTitle>[1]["activity"]) =>
      terminalTitle("a\u0007b", { activity });
    expect([title({ kind: "idle" }), title({ kind: "thinking", since: 1 }), title({ kind: "asking" })]).toEqual([
      "a\\u0007b · khaelor",
      "● a\\u0007b · khaelor",
      "? a\\u0007b · khaelor",
    ]);
    expect(terminalTitle("", { activity: { kind: "idle" } })).toBe("khaelor");
  });
});
