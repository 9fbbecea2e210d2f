/** What cannot be seen is spelled out, in names, commands and whatever is asked about. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { subjectOf, subjectSoFar } from "../../src/tui/model/call-subject.ts";
import { oneLine, oneName, spelled, spellOut } from "../../src/tui/spelling.ts";
import { foreignText } from "../support/generators.ts";

test("controls, directions, joiners, odd blanks and what has no picture get a sign; the rest stays", () => {
  expect(spellOut("a\n\t\r\u001b\0\u0085b")).toBe("a\\n\\t\\r\\e\\0\\u0085b");
  expect(spellOut("\u202e\u200b\u2066\ufeff\u00ad\u2028\u00a0\u3164\u{e0041}")).toBe(
    "\\u202e\\u200b\\u2066\\ufeff\\u00ad\\u2028\\u00a0\\u3164\\u{e0041}",
  );
  expect(spellOut("naïve 中文 👍 \\n")).toBe("naïve 中文 👍 \\n");
  expect(spelled("a\u200bb")).toEqual([
    { text: "a", isSpelled: false },
    { text: "\\u200b", isSpelled: true },
    { text: "b", isSpelled: false },
  ]);
});

test("whatever comes in, nothing unseen comes out", () => {
  const unseen = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u;
  fc.assert(
    fc.property(foreignText, (text) => {
      for (const shown of [spellOut(text), oneLine(text), oneName(text)]) expect(unseen.test(shown)).toBe(false);
    }),
    { numRuns: 300 },
  );
});

test("one line says that there is more, a name does not end at its line feed", () => {
  expect([oneLine(" first \nsecond"), oneLine("abcdef", 3), oneLine("only\n")]).toEqual(["first …", "abc …", "only"]);
  expect([oneName("two\nlines.txt"), oneName("abcdef", 3)]).toEqual(["two\\nlines.txt", "abc…"]);
});

test("what a call is about can be read from any beginning of its input, and is never more than the whole says", () => {
  const input = fc.record({ file_path: foreignText, content: foreignText }, { requiredKeys: ["file_path"] });
  fc.assert(
    fc.property(input, fc.nat(), (value, cut) => {
      const json = JSON.stringify(value);
      const whole = subjectOf(JSON.parse(json));
      const soFar = subjectSoFar(json.slice(0, cut % (json.length + 1)));
      expect(whole.startsWith(soFar.replace(/[\ud800-\udbff]$/, ""))).toBe(true);
      if (json.length <= 2048) expect(subjectSoFar(json)).toBe(whole);
    }),
    { numRuns: 300 },
  );
});
