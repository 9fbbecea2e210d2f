/** The search: over what items say and not over rows, from where one is, counted in slices that bound each frame. */
import { describe, expect, test } from "bun:test";
import { widthOf } from "../../../../src/tui/layout/span.ts";
import type { Line } from "../../../../src/tui/line.ts";
import { counter, createSearchBar } from "../../../../src/tui/view/search-bar.ts";
import { createTranscript } from "../../../../src/tui/view/transcript.ts";
import { answer, call, createSession, MEASURE, type Session, textOf, thinking, user } from "./stage.ts";

function open(session: Session, [width, height]: readonly [number, number] = [60, 10]) {
  const transcript = createTranscript({ measure: () => MEASURE });
  const draw = (): readonly Line[] => {
    transcript.update(session.state());
    return transcript.rows(width, height);
  };
  draw();
  return { transcript, draw, search: transcript.search, count: () => counter(transcript.search.status()) };
}

/** What is tinted, row by row. */
const marks = (lines: readonly Line[]): string[] =>
  lines.flatMap(({ spans }) =>
    spans.filter(({ tint }) => tint !== undefined).map(({ text, tint }) => `${tint}: ${text}`),
  );

const ten = Array.from({ length: 10 }, (_, at) =>
  answer(`a${at}`, `Number ${at} says **needle** here\n\n${"filler\n\n".repeat(6)}`),
);

describe("finding", () => {
  test("the newest match that is not below what is seen comes first, and both ways lead around", () => {
    const { search, draw, count } = open(createSession([...ten, answer("z", "nothing")]));
    search.find("needle");
    expect([count(), marks(draw())]).toEqual(["10 of 10", ["current: needle"]]);
    search.move(-1);
    expect([count(), draw().map(textOf).join()]).toEqual(["9 of 10", expect.stringContaining("Number 8")]);
    search.move(1);
    search.move(1);
    expect([count(), draw().map(textOf).join()]).toEqual(["1 of 10", expect.stringContaining("Number 0")]);
    search.move(-1);
    expect(count()).toBe("10 of 10");
  });

  test("typing on searches from where it began", () => {
    const { search, count, transcript, draw } = open(createSession(ten));
    transcript.scroll(-40);
    draw();
    const at: string[] = [];
    for (const query of ["n", "nu", "number", "number 1", "number 1x", "number 1"]) {
      search.find(query);
      draw();
      at.push(count());
    }
    expect(at.slice(2)).toEqual(["8 of 10", "1 of 1", "nothing found", "1 of 1"]);
  });

  test("case counts only with a capital, and nothing in a query commands", () => {
    const { search, count } = open(createSession([answer("a", "Error error ERROR (a.b)")]));
    const counts = ["error", "Error", "(a.b)", "a.b", "axb", ".*"].map((query) => {
      search.find(query);
      return count();
    });
    expect(counts).toEqual(["3 of 3", "1 of 1", "1 of 1", "1 of 1", "nothing found", "nothing found"]);
  });

  test("a match over a soft break is one match, marked in both rows", () => {
    const { search, count, draw } = open(createSession([answer("a", "one two three four five six seven")]), [20, 10]);
    search.find("four five");
    expect([count(), marks(draw())]).toEqual(["1 of 1", ["current: four", "current: five"]]);
  });

  test("a sign that several characters make is marked whole, and counted once", () => {
    const family = "\u{1f469}\u200d\u{1f469}\u200d\u{1f467}";
    const text = `x ${family}e\u0301\u6f22 \u{1f1e9}\u{1f1ea} **e**\u0301 **\u{1f1eb}**\u{1f1f7}\u{1f1eb}\u{1f1f7}`;
    const { search, count, draw } = open(createSession([answer("a", text)]));
    const found = ["\u200d", "\u{1f469}", "x \u{1f469}", "e", "\u0301\u6f22", "\u{1f1ea}", "\u{1f1eb}\u{1f1f7}"].map(
      (query) => {
        search.find(query);
        const lines = draw();
        for (const line of lines) expect(widthOf(line.spans)).toBe(line.width);
        return [count(), ...marks(lines)];
      },
    );
    expect(found).toEqual([
      ["1 of 1", `current: ${family}`],
      ["1 of 1", `current: ${family}`],
      ["1 of 1", `current: x ${family}`],
      ["2 of 2", "found: e\u0301", "current: e", "current: \u0301"],
      ["1 of 1", "current: e\u0301\u6f22"],
      ["1 of 1", "current: \u{1f1e9}\u{1f1ea}"],
      ["1 of 1", "current: \u{1f1eb}", "found: \u{1f1f7}\u{1f1eb}", "found: \u{1f1f7}"],
    ]);
  });

  test("what is folded is found, and unfolded", () => {
    const output = Array.from({ length: 60 }, (_, at) => `line ${at}`).join("\n");
    const { search, draw } = open(createSession([call("c", { output }), thinking("t", "a hidden thought"), ...ten]));
    search.find("line 57");
    expect(marks(draw())).toEqual(["current: line 57"]);
    search.find("hidden");
    expect(marks(draw())).toEqual(["current: hidden"]);
  });

  test("in a long answer the right place is found", () => {
    const text = Array.from({ length: 3000 }, (_, at) => `Line number ${at}.`).join("\n\n");
    const { search, draw } = open(createSession([user("u", "go"), answer("a", text), answer("b", "end")]));
    search.find("number 1234.");
    expect(marks(draw())).toEqual(["current: number 1234."]);
    expect(draw().map(textOf).join()).toContain("Line number 1235.");
  });

  test("what comes later is counted too", () => {
    const session = createSession(ten);
    const { search, count, draw } = open(session);
    search.find("needle");
    session.push(answer("new", "needle and needle"));
    draw();
    expect(count()).toBe("10 of 12");
    session.replace(0, answer("a0", "gone"));
    draw();
    expect(count()).toBe("9 of 11");
    search.clear();
    expect([count(), marks(draw())]).toEqual(["", []]);
  });
});

test("a huge session is counted in slices, and says so", () => {
  const items = Array.from({ length: 4000 }, (_, at) => answer(`a${at}`, `${"some text ".repeat(30)}needle`));
  const { search, count } = open(createSession(items));
  search.find("needle");
  expect(count()).toMatch(/^\d+\+ found$/);
  let slices = 1;
  while (search.readOn()) slices++;
  expect([count(), slices > 3]).toEqual(["4000 of 4000", true]);
  search.find("not there");
  expect(count()).toBe("searching");
  while (search.readOn());
  expect(count()).toBe("nothing found");
});

test.each(["answer", "thinking"] as const)("what streams is searched once for each piece that comes: %s", (kind) => {
  const session = createSession();
  let measured = 0;
  const count = (text: string): number => {
    measured += text.length;
    return MEASURE(text);
  };
  const transcript = createTranscript({ measure: () => count });
  const frame = (): { readonly measured: number; readonly shown: number } => {
    const before = measured;
    transcript.update(session.state());
    const rows = transcript.rows(60, 50);
    return { measured: measured - before, shown: rows.map(textOf).join("").length };
  };
  session.begin("r/0", kind);
  session.stream("r/0", "some needle in a line\n\n".repeat(400));
  transcript.toggleAll("thinking");
  frame();
  transcript.search.find("needle");
  frame();
  session.stream("r/0", "one more needle");
  frame();
  const still = frame();
  expect(marks(transcript.rows(60, 50)).length).toBe(25);
  expect(still.measured).toBeLessThanOrEqual(still.shown);
});

describe("the bar", () => {
  const key = (name: string, text?: string) => ({
    name,
    ctrl: false,
    alt: false,
    shift: false,
    ...(text && { text }),
  });

  test("types, steps, types on and closes", () => {
    const { transcript, draw, count } = open(createSession(ten));
    let isClosed = false;
    const bar = createSearchBar({
      search: transcript.search,
      measure: () => MEASURE,
      onClose: () => {
        isClosed = true;
      },
      onChange: () => undefined,
    });
    const row = () => bar.rows({ width: 60, height: 3 }).map(textOf);
    expect(row()).toEqual([" / Find in the session"]);
    for (const letter of "needle") bar.key(key(letter, letter));
    draw();
    expect(row()).toEqual([` / needle${" ".repeat(42)}10 of 10`]);
    expect(bar.cursor?.({ width: 60, height: 1 })).toEqual({ x: 9, y: 0 });
    bar.key(key("enter"));
    bar.key(key("n", "N"));
    expect([count(), row()[0]?.trimEnd()]).toEqual(["9 of 10", expect.stringContaining("9 of 10 · n N")]);
    bar.key(key("/", "/"));
    bar.key(key("s", "s"));
    expect(count()).toBe("nothing found");
    expect(bar.key(key("escape"))).toBe(true);
    expect([isClosed, count(), marks(draw())]).toEqual([true, "", []]);
  });

  test("after Enter, what is typed is for the draft again, and what was found stays marked", () => {
    const { transcript, draw } = open(createSession(ten));
    let isClosed = false;
    const onClose = () => {
      isClosed = true;
    };
    const bar = createSearchBar({
      search: transcript.search,
      text: "needle",
      measure: () => MEASURE,
      onClose,
      onChange: () => undefined,
    });
    transcript.search.find("needle");
    bar.key(key("enter"));
    expect([bar.key(key("h", "h")), isClosed, marks(draw())]).toEqual([false, true, ["current: needle"]]);
  });

  test("gives way where there is no room", () => {
    const { transcript } = open(createSession(ten));
    const parts = {
      search: transcript.search,
      measure: () => MEASURE,
      onClose: () => undefined,
      onChange: () => undefined,
    };
    transcript.search.find("needle");
    const bar = createSearchBar({ ...parts, text: "needle" });
    const widths = [1, 3, 10, 20, 27, 80].map((width) => bar.rows({ width, height: 1 })[0]?.width ?? 0);
    expect(widths.every((width, at) => width <= ([1, 3, 10, 20, 27, 80][at] ?? 0))).toBe(true);
    expect(bar.rows({ width: 10, height: 0 })).toEqual([]);
  });
});
