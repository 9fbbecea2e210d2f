/** Nobody answers a question by accident, and each answer is given once. */
import { beforeEach, describe, expect, test } from "bun:test";
import { DEAD_MS } from "../../../src/tui/view/permission-panel.ts";
import { bash, LOOP, PUSH, stage } from "./panel-stage.ts";

let { panel, composer, clock, answers, show, press, seen } = stage();
beforeEach(() => {
  ({ panel, composer, clock, answers, show, press, seen } = stage());
});

describe("answers", () => {
  const ALL = ["y", "s", "a", "A", "n", "escape"];
  test("each key gives its own, once", () => {
    for (const name of ALL) {
      show({ ...PUSH, requestId: name });
      expect(press(name, name, "y")).toEqual([true, true, true]);
    }
    expect(answers).toEqual([
      ["y", "once"],
      ["s", "session"],
      ["a", "always-project"],
      ["A", "always-user"],
      ["n", "deny"],
      ["escape", "deny"],
    ]);
  });

  test("a lasting yes is there only where a rule is suggested", () => {
    show(bash("ls"));
    expect(press("s", "a", "A", "x")).toEqual([false, false, false, false]);
    expect([answers, seen().includes("always")]).toEqual([[], false]);
  });

  test("keys are dead for a moment after a question appears, and after the next one does", () => {
    panel.update([PUSH, { ...PUSH, requestId: "q2" }]);
    clock.advance(DEAD_MS - 1);
    expect(press(...ALL, "enter", "d", "x")).toEqual(Array.from({ length: 9 }, () => true));
    expect(answers).toEqual([]);
    clock.advance(1);
    press("y");
    panel.update([{ ...PUSH, requestId: "q2" }]);
    press("y", "y");
    clock.advance(DEAD_MS);
    expect(answers).toEqual([["q1", "once"]]);
    press("n");
    expect(answers).toEqual([
      ["q1", "once"],
      ["q2", "deny"],
    ]);
  });

  test("an answer that was lost can be given again after a while", () => {
    show(PUSH);
    press("y");
    clock.advance(1999);
    press("n");
    clock.advance(1);
    press("n");
    expect(answers).toEqual([
      ["q1", "once"],
      ["q1", "deny"],
    ]);
  });

  test("the same question again does not make them dead again", () => {
    show(PUSH);
    panel.update([{ ...PUSH }, LOOP]);
    press("y");
    expect(answers).toEqual([["q1", "once"]]);
  });

  test("Enter and space answer nothing", () => {
    show(PUSH);
    expect(press("enter")).toEqual([true]);
    press("space", "enter");
    expect(answers).toEqual([]);
  });

  test("while a draft is there letters go to it, until Tab moves the keys here", () => {
    composer.draft = "look y";
    show(PUSH);
    expect(press("y", "n", "a", "enter", "up", "d")).toEqual(Array.from({ length: 6 }, () => false));
    expect([answers, seen()]).toEqual([
      [],
      expect.stringContaining("tab to answer; until then what you type goes to the draft"),
    ]);
    expect(press("tab", "x", "y")).toEqual([true, true, true]);
    expect(answers).toEqual([["q1", "once"]]);
  });

  test("a second Tab gives them back, and a question that is gone took nothing along", () => {
    composer.draft = "x";
    show(PUSH);
    press("tab", "tab");
    expect(press("y")).toEqual([false]);
    press("tab");
    expect(panel.update([])).toBe(false);
    show({ ...PUSH, requestId: "q2" });
    expect([press("y"), answers]).toEqual([[false], []]);
  });

  test("Escape denies, with a draft too", () => {
    composer.draft = "x";
    show(PUSH);
    expect([press("escape"), answers]).toEqual([[true], [["q1", "deny"]]]);
  });

  test("d asks for a reason, Enter denies with it, Escape goes back to the question", () => {
    show(PUSH);
    press("d", "y", "escape");
    expect(answers).toEqual([]);
    press("d", "n", "o", "p", "e");
    panel.paste?.(" please");
    expect(panel.cursor?.({ width: 100, height: 20 })).toEqual({
      x: " › nope please".length,
      y: seen().split("\n").indexOf(" › nope please"),
    });
    press("enter");
    expect(answers).toEqual([["q1", "deny", "nope please"]]);
    show({ ...PUSH, requestId: "q2" });
    press("d", "enter");
    expect(answers.at(-1)).toEqual(["q2", "deny"]);
  });

  test("keys of the whole interface pass by", () => {
    show(PUSH);
    expect(press("ctrl+c", "ctrl+z", "ctrl+l")).toEqual([false, false, false]);
  });

  test("the wheel and the arrows scroll, and pass by when there is nothing to scroll", () => {
    show(PUSH);
    seen();
    expect([press("down"), panel.wheel?.(3)]).toEqual([[false], false]);
    show(bash("a\n".repeat(50), { requestId: "long" }));
    seen();
    show(bash(Array.from({ length: 50 }, (_, at) => `step${at}`).join("\n"), { requestId: "longer" }));
    seen();
    expect([press("down"), panel.wheel?.(3), seen().includes("step4"), seen().includes("step3\n")]).toEqual([
      [true],
      true,
      true,
      false,
    ]);
  });
});
