/** Nobody answers a question by accident, and each answer is given once. */
import { beforeEach, describe, expect, test } from "bun:test";
import { HOLD_MS } from "../../../src/tui/view/permission/held-answer.ts";
import { DEAD_MS } from "../../../src/tui/view/permission-panel.ts";
import { screenWith } from "./layer-stage.ts";
import { bash, LOOP, PUSH, stage } from "./panel-stage.ts";

let { panel, composer, clock, answers, said, show, press, seen } = stage();
beforeEach(() => {
  ({ panel, composer, clock, answers, said, show, press, seen } = stage());
});

/** Pressed, and nothing else for a moment. */
function answer(name: string): void {
  press(name);
  clock.advance(HOLD_MS);
}

describe("answers", () => {
  const ALL = ["y", "s", "a", "A", "n", "escape"];
  test("each key gives its own, once", () => {
    for (const name of ALL) {
      show({ ...PUSH, requestId: name });
      expect(press(name)).toEqual([true]);
      clock.advance(HOLD_MS);
      expect(press(name, "y")).toEqual([true, true]);
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
    expect(press("x")).toEqual([false]);
    expect([answers, seen().includes("always")]).toEqual([[], false]);
  });

  test("whoever presses the key of another is told so, and nothing is written; what goes on behind it is text", () => {
    show(bash("ls"));
    answer("s");
    expect([answers, said, composer.draft]).toEqual([[], ["No rule would be safe here: y allows it once."], ""]);
    press("y");
    clock.advance(HOLD_MS);
    expect(answers).toEqual([["q1", "once"]]);
    composer.draft = "";
    show(bash("ls", { requestId: "q3" }));
    for (const letter of "step") if (!press(letter)[0]) composer.draft += letter;
    expect([said.length, composer.draft]).toEqual([1, "step"]);
  });

  test("keys are dead for a moment after a question appears, and after the next one does", () => {
    panel.update([PUSH, { ...PUSH, requestId: "q2" }]);
    seen();
    clock.advance(DEAD_MS - 1);
    expect(press("escape", "enter", "up")).toEqual([true, true, true]);
    clock.advance(1);
    answer("y");
    panel.update([{ ...PUSH, requestId: "q2" }]);
    seen();
    answer("y");
    clock.advance(DEAD_MS);
    expect(answers).toEqual([["q1", "once"]]);
    press("n");
    expect(answers).toEqual([
      ["q1", "once"],
      ["q2", "deny"],
    ]);
  });

  test("what was not drawn takes no key, and what was out of sight appears anew", () => {
    panel.update([PUSH]);
    clock.advance(DEAD_MS);
    expect(press("y", "escape")).toEqual([false, false]);
    seen();
    panel.rows({ width: 100, height: 0 });
    clock.advance(DEAD_MS);
    expect(press("y")).toEqual([false]);
    show(PUSH);
    panel.reappear();
    seen();
    clock.advance(DEAD_MS - 1);
    answer("y");
    expect(answers).toEqual([]);
  });

  test("letters that come too early make it wait anew: nobody answers by holding a key down", () => {
    panel.update([PUSH]);
    seen();
    for (let at = 0; at < 40; at++) {
      clock.advance(30);
      press("y");
    }
    clock.advance(DEAD_MS);
    expect([answers, composer.draft]).toEqual([[], ""]);
    answer("y");
    expect(answers).toEqual([["q1", "once"]]);
  });

  test("a key held down since before is no yes either, whenever it begins to repeat", () => {
    show(PUSH);
    for (let at = 0; at < 40; at++) {
      press("y");
      clock.advance(HOLD_MS - 1);
    }
    expect(answers).toEqual([]);
  });

  test("what others follow at once was text: it goes to the draft, and letters stay there until Tab", () => {
    for (const words of ["yes please", "sad day", "also", "A plan"]) {
      composer.draft = "";
      show({ ...PUSH, requestId: words });
      for (const letter of words) if (!press(letter === " " ? "space" : letter)[0]) composer.draft += letter;
      clock.advance(1000);
      expect([answers, composer.draft]).toEqual([[], words]);
      composer.draft = "";
      expect(press("y", "s", "enter")).toEqual([false, false, false]);
    }
    press("tab");
    answer("y");
    expect(answers).toEqual([["A plan", "once"]]);
  });

  test("early letters go to the draft as soon as one of them is no answer", () => {
    panel.update([PUSH]);
    seen();
    for (const letter of "say it") if (!press(letter === " " ? "space" : letter)[0]) composer.draft += letter;
    expect([answers, composer.draft]).toEqual([[], "say it"]);
  });

  test("a paste behind it, an Escape and a question that goes take a yes back", () => {
    show(PUSH);
    press("y");
    panel.paste?.("es");
    clock.advance(1000);
    panel.update([]);
    show({ ...PUSH, requestId: "q2" });
    press("y");
    panel.update([LOOP]);
    clock.advance(1000);
    show({ ...PUSH, requestId: "q3" });
    press("y", "escape");
    clock.advance(1000);
    expect(answers).toEqual([["q3", "deny"]]);
  });

  test("what else is open keeps the keys, and is told how to give them up", () => {
    show(PUSH);
    composer.isElsewhere = true;
    expect(press("y", "tab", "escape", "enter")).toEqual([false, false, false, false]);
    expect(seen()).toContain("esc closes what has the keys now");
    composer.isElsewhere = false;
    expect(press("y")).toEqual([false]);
    seen();
    clock.advance(DEAD_MS);
    answer("y");
    expect(answers).toEqual([["q1", "once"]]);
  });

  test("a lasting yes can be given only where the whole of what it stores is told", () => {
    for (let height = 1; height <= 20; height++) {
      for (const width of [10, 20, 40, 60, 100]) {
        const long = { capability: "git.modify", pattern: `git push ${"long/".repeat(30)} *` };
        for (const question of [PUSH, { ...PUSH, suggestion: long }]) {
          panel.update([{ ...question, requestId: `${width} ${height} ${question === PUSH}` }]);
          const told = seen(width, height).replace(/\s+/g, "");
          clock.advance(DEAD_MS);
          answer("a");
          const rule = question.suggestion?.pattern.replace(/\s+/g, "") ?? "";
          if (answers.length > 0) expect(told).toContain(`“${rule}”`);
          answers.length = 0;
        }
      }
    }
  });

  test("an answer that was lost can be given again after a while", () => {
    show(PUSH);
    answer("y");
    clock.advance(1999 - HOLD_MS);
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
    answer("y");
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
    clock.advance(HOLD_MS);
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

  test.each([20, 40])("at %p rows, under a long command, the cursor stands where the reason is typed", (height) => {
    show(bash(Array.from({ length: 30 }, (_, at) => `echo ${at}`).join("\n")));
    press("d", "n", "o");
    const rows = screenWith(panel)({ width: 100, height });
    expect(rows.filter((row) => row.includes("▮"))).toEqual([" › no▮"]);
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
