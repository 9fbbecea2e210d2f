/** What a question of consent shows, at every size. */
import { beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { spellOut } from "../../../src/tui/spelling.ts";
import { subjectLines } from "../../../src/tui/view/permission/subject.ts";
import cases from "../../cases/terminal.json" with { type: "json" };
import { expectGolden, textOf } from "../../support/frames.ts";
import { bash, edit, LOOP, MENTION, measure, PUSH, stage } from "./panel-stage.ts";

let { panel, composer, show, press, seen } = stage();
beforeEach(() => {
  ({ panel, composer, show, press, seen } = stage());
});

describe("golden frames", () => {
  const sizes = [
    [100, 24],
    [60, 15],
    [30, 12],
    [10, 6],
  ] as const;
  const frames = () => sizes.map(([width, height]) => `${width}×${height}\n${seen(width, height)}`).join("\n\n");

  test("a command", () => {
    show(PUSH, LOOP, MENTION);
    expectGolden("permission-command", frames());
  });

  test("an edit, and a whole file", () => {
    show(edit("const a = 1;\nlet b;\nreturn b;", "const a = 1;\nconst b = a;\nreturn b;"));
    const first = frames();
    const content = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`).join("\n");
    show({ ...edit("", ""), requestId: "q2", call: { name: "write", input: { file_path: "new\u200b.md", content } } });
    expectGolden("permission-edit", `${first}\n\n${frames()}`);
  });

  test("a call that repeats itself, a file that was mentioned, a draft that is under way, a reason", () => {
    show(LOOP);
    const loop = frames();
    show(MENTION);
    const mention = frames();
    composer.draft = "wait";
    show(PUSH);
    const aside = frames();
    press("tab", "d", "n", "o");
    expectGolden("permission-others", [loop, mention, aside, frames()].join("\n\n"));
  });
});

describe("what is asked about", () => {
  test("is shown whole: a long command goes on in the next row, and what is below is told", () => {
    show(bash(`echo ${"abc ".repeat(200)}; rm -rf build`));
    expect(seen()).toMatch(/↓ \d+ more rows · up\/down/);
    press("end");
    expect(seen()).toContain("rm -rf build");
    press("home");
    expect(seen()).toContain("$ echo abc");
  });

  test("never takes more than two fifths of the height, and never nothing", () => {
    show(bash(Array.from({ length: 99 }, (_, at) => `echo ${at}`).join("\n")));
    for (let height = 1; height <= 40; height++) {
      const rows = seen(100, height).split("\n");
      expect(rows.length).toBeLessThanOrEqual(height);
      const subject = rows.filter((row) => /echo \d|more rows/.test(row));
      expect(subject.length).toBeLessThanOrEqual(Math.max(1, height * 0.4));
      if (height > 1) expect(subject.length).toBeGreaterThan(0);
    }
  });

  test("no row is wider than the screen", () => {
    for (const question of [PUSH, edit("字".repeat(200), "b\u202e"), LOOP, MENTION, bash("x".repeat(5_000))]) {
      show({ ...question, requestId: Math.random().toString() });
      for (let width = 1; width <= 130; width++) {
        for (const line of panel.rows({ width, height: 20 })) {
          expect(line.width).toBeLessThanOrEqual(width);
          expect(measure(textOf(line))).toBe(line.width);
        }
      }
    }
  });

  test("is shown to the last character, and a row that goes on is told from a line of its own", () => {
    const parts = [
      "a",
      "rm -rf",
      " ",
      "  ",
      "\n",
      "\t",
      "\r",
      "\u200b",
      "\u2800",
      "\u001b[2K",
      "漢",
      "x".repeat(30),
      "…",
    ];
    const commands = fc
      .array(fc.constantFrom(...parts), { maxLength: 14 })
      .map((all) => all.join(""))
      .filter((command) => command.split("\n").filter((line) => line.trim() === "").length < 3);
    const holds = fc.property(commands, fc.integer({ min: 12, max: 60 }), (command, width) => {
      const margin = width < 40 ? 1 : 3;
      const rows = subjectLines(bash(command), { width, measure }).map((line) => textOf(line).slice(margin));
      const begun = rows.filter((row) => !row.startsWith("… "));
      const squeezed = (text: string) => text.replaceAll(/\s/g, "");
      const shown = squeezed(rows.map((row) => row.slice(2)).join(""));
      const lines = command.split("\n");
      expect(shown.replaceAll(/⟨\d+blanks?⟩/g, "")).toBe(squeezed(spellOut(lines.join(""))));
      expect(shown.includes("blank")).toBe(lines.some((line) => line.endsWith(" ")));
      expect(begun.length).toBe(lines.length);
    });
    fc.assert(holds, { numRuns: 300, seed: 3 });
  });

  test("an end of a line that only one side of a change has is shown", () => {
    const shownOf = (old: string, next: string) => {
      show({ ...edit(old, next), requestId: `${old}|${next}` });
      return seen()
        .split("\n")
        .slice(2, 4)
        .map((row) => row.trim());
    };
    expect(shownOf("a", "a\n")).toEqual(["- a", "+ a\\n"]);
    expect(shownOf("a \n", "a\n")).toEqual(["- a ⟨1 blank⟩", "+ a"]);
    expect(shownOf("a\r\n", "a\n")).toEqual(["- a\\r", "+ a"]);
  });

  const ours = cases.cases.filter(({ where }) => where === "permission-panel" || where === "file-name");
  test.each(ours.map((one) => [one.id, one.why, one] as const))(
    "%s: %s",
    (_id, _why, { where, input, expect: expected }) => {
      const text = String(input);
      const question =
        where === "file-name"
          ? { ...edit("", "x"), call: { name: "edit", input: { file_path: text, old_string: "", new_string: "x" } } }
          : bash(text);
      show(question);
      const { visible_contains: parts = [], visible } = expected as { visible_contains?: string[]; visible?: string };
      for (const part of [...parts, ...(visible === undefined ? [] : [visible])]) {
        expect(seen()).toContain(part);
      }
      expect(seen()).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u);
    },
  );
  test("there are such cases", () => expect(ours.length).toBeGreaterThanOrEqual(4));

  test("says what a lasting yes would store and for whom, or that none is safe", () => {
    show(PUSH);
    expect(seen(120)).toContain(
      "always: allow git.modify “git push origin *” · s until this session ends · a in this project · A in all of yours",
    );
    show(bash("rm -rf x", { requestId: "other" }));
    expect(seen()).toContain("no rule would be safe here: it can be allowed once");
  });

  test("says what comes of a yes", () => {
    show(edit("a", "b"));
    expect(seen()).toContain("   what the file holds now is kept");
    show({ ...PUSH, requestId: "other" });
    expect(seen()).toContain("cannot be taken back by khaelor");
  });
});
