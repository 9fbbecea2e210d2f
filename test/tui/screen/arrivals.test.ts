/** What a terminal sends, torn by pauses: sequences stay whole, keys pass at once. */
import { describe, expect, test } from "bun:test";
import { createArrivals } from "../../../src/tui/screen/arrivals.ts";
import { manualClock } from "../../support/clock.ts";

const LULL_MS = 200;

/** Each piece comes after a pause; what was passed on by then, and what in the end. */
function arrived(pieces: readonly string[], lullMs = LULL_MS) {
  const clock = manualClock();
  const passed: string[] = [];
  const { push } = createArrivals((bytes) => void passed.push(Buffer.from(bytes).toString("utf8")), clock);
  for (const piece of pieces) {
    push(Buffer.from(piece));
    clock.advance(lullMs);
  }
  const before = [...passed];
  clock.runAll();
  return { before, passed };
}

/** Begun with two bytes at least, for a lone Escape is not waited for so long. */
const WHOLE: readonly string[] = [
  ...["\x1b[1;5D", "\x1bOA", "\x1b[<35;10;5M", "\x1b[M !!", "\x1b[I", "\x1b[97;5:1u", "\x1b[27;5;97~", "\x1b[12;40R"],
  ...["\x1b[?62;4c", "\x1b[?2026;2$y", "\x1b[>1;10;0c", "\x1b[?997;1n", "\x1b[8;30;100t", "\x1b[200~one\rtwo\x1b[201~"],
  ...["\x1b]11;rgb:1616/1515/1212\x07", "\x1b]11;rgb:1616/1515/1212\x1b\\", "\x1b]52;c;aGk=\x1b\\", "\x1b]lname\x1b\\"],
  ...[
    "\x1bP>|xterm(380)\x1b\\",
    "\x1bP1+r4d73\x1b\\",
    "\x1bP!|00000000\x1b\\",
    "\x1bP1$r0m\x1b\\",
    "\x1b_Gi=1;OK\x1b\\",
  ],
];

describe("a sequence that is torn arrives in one piece", () => {
  test.each(WHOLE)("%j", (whole) => {
    const marks = whole.startsWith("\x1b[200~") ? 6 : whole.length; // in a paste everything passes
    for (let cut = 2; cut < marks; cut++) {
      const [first, rest] = [whole.slice(0, cut), whole.slice(cut)];
      expect(arrived([`x${first}`, `${rest}y`]).before).toEqual(["x", `${rest === "" ? "" : first}${rest}y`]);
    }
    const [begin, signs] = [whole.slice(0, 2), [...whole.slice(2, marks)]];
    expect(arrived([begin, ...signs, whole.slice(marks)]).passed[0]?.slice(0, marks)).toBe(whole.slice(0, marks));
    expect(arrived([whole], 0).before).toEqual([whole]);
    expect(arrived([...whole], 5).passed.join("")).toBe(whole);
  });
});

describe("keys pass at once", () => {
  test.each([
    "a",
    "\r",
    "\x03",
    "漢",
    "\x1ba",
    "\x1b\r",
    "\x1b[A",
    "\x1bOP",
    "\x1b[27u",
    "\x1b[13;2u",
    "\x1b\x1b[A",
    "ab\x1b[Bc",
  ])("%j", (bytes) => expect(arrived([bytes], 0).before).toEqual([bytes]));

  test("Escape and Alt with a sign that could begin something pass after a moment", () => {
    expect(arrived(["\x1b"], 30).before).toEqual(["\x1b"]);
    expect(arrived(["\x1b\x1b"], 300).before).toEqual(["\x1b\x1b"]);
    expect(arrived(["\x1b]"], 300).before).toEqual(["\x1b]"]);
  });

  test("what is typed behind Alt with such a sign is typed", () => {
    expect(arrived(["\x1b]", "h"]).before).toEqual(["\x1b]h"]);
    expect(arrived(["\x1bP", "x"]).before).toEqual(["\x1bPx"]);
  });

  test("what never ends is let go", () => {
    expect(arrived(["\x1b]11;rgb", "x"], 1000).before).toEqual(["\x1b]11;rgb", "x"]);
    const long = `\x1b]52;c;${"A".repeat(70_000)}`;
    expect(arrived([long], 0).before).toEqual([long]);
  });
});

test("a paste is one also when its Escape was not waited for, if it comes soon and at once", () => {
  expect(arrived(["\x1b", "[200~a\r\x1b[201~"]).passed).toEqual(["\x1b", "\x1b[200~a\r\x1b[201~"]);
  expect(arrived(["\x1b", "[200~a"], 2000).passed).toEqual(["\x1b", "[200~a"]);
  expect(arrived(["x", "[200~a"]).passed).toEqual(["x", "[200~a"]);
});

describe("a paste whose end does not come", () => {
  const open = "\x1b[200~one\r";

  test("is ended by Ctrl+C after a while", () => {
    expect(arrived([open, "\x03", "x"], 500).passed).toEqual([open, "\x1b[201~", "x"]);
    for (const pressed of ["\x1b[99;5u", "\x1b[99;5:1u", "\x1b[99::99;69u", "\x1b[27;5;99~"]) {
      expect(arrived([open, pressed], 500).passed).toEqual([open, "\x1b[201~"]);
    }
  });

  test("not by one that is part of it, nor behind its end", () => {
    expect(arrived([open, "\x03"], 10).passed).toEqual([open, "\x03"]);
    expect(arrived([open, "two\x03"], 500).passed).toEqual([open, "two\x03"]);
    expect(arrived([`${open}\x1b[201~`, "\x03"], 500).passed).toEqual([`${open}\x1b[201~`, "\x03"]);
  });

  test("its end may be torn anywhere", () => {
    for (let cut = 1; cut < 6; cut++) {
      const end = "\x1b[201~";
      const pieces = [open, end.slice(0, cut), end.slice(cut), "\x03"];
      expect(arrived(pieces, 500).passed).toEqual(pieces);
    }
  });
});
