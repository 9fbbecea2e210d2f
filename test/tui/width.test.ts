/** Cells are counted as the library counts that places them, for both kinds of terminal. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { OptimizedBuffer } from "@opentui/core";
import { createTestRenderer } from "@opentui/core/testing";
import fc from "fast-check";
import { measureBy, type WidthMethod } from "../../src/tui/layout/width.ts";
import cases from "../cases/terminal.json" with { type: "json" };
import { NO_SIGNALS } from "../support/renderer-options.ts";

type TestTerminal = Awaited<ReturnType<typeof createTestRenderer>>;
let terminal: TestTerminal;
const buffers = new Map<WidthMethod, OptimizedBuffer>();

beforeAll(async () => {
  terminal = await createTestRenderer({ width: 40, height: 4, ...NO_SIGNALS });
  const owner = { owner: terminal.renderer.nativeScene };
  for (const method of ["unicode", "wcwidth"] as const) {
    buffers.set(method, OptimizedBuffer.create(40, 2, method, owner as never));
  }
});
afterAll(() => terminal.renderer.destroy());

function nativeWidth(method: WidthMethod, text: string): number {
  const buffer = buffers.get(method);
  const encoded = buffer?.encodeUnicode(text);
  if (!buffer || !encoded) throw new Error("not encoded");
  const width = encoded.data.reduce((sum, { width }) => sum + width, 0);
  buffer.freeUnicode(encoded);
  return width;
}

const METHODS = ["unicode", "wcwidth"] as const;

const TABLE: readonly (readonly [text: string, unicode: number, wcwidth: number])[] = [
  ["abc", 3, 3],
  ["e\u0301", 1, 1],
  ["漢字", 4, 4],
  ["\ud55c\uae00", 4, 4],
  ["\u1112\u1161\u11ab", 2, 4],
  ["\u{1f44d}\u{1f3fd}", 2, 4],
  ["\u{1f469}\u200d\u{1f4bb}", 2, 4],
  ["\u{1f468}\u200d\u{1f469}\u200d\u{1f467}", 2, 6],
  ["\u2764\ufe0f", 2, 1],
  ["\u26a0\ufe0f", 2, 1],
  ["\u2714\ufe0f", 2, 1],
  ["1\ufe0f\u20e3", 2, 1],
  ["\u{1f1eb}\u{1f1f7}", 2, 2],
  ["▌›●◌✓✗─│…", 9, 9],
  ["\u200b", 0, 0],
  ["\u00ad", 1, 1],
  ["\uff76\uff9e", 1, 2],
  ["\u6f22\uff9f", 2, 3],
  ["\u0e01\u0e33", 2, 2],
  ["\u6f22\u0eb3", 2, 3],
  ["\u0600\u0661", 1, 2],
  ["", 0, 0],
];

describe("the table", () => {
  test.each(TABLE)("%p", (text, unicode, wcwidth) => {
    expect([measureBy("unicode")(text), measureBy("wcwidth")(text)]).toEqual([unicode, wcwidth]);
    expect([nativeWidth("unicode", text), nativeWidth("wcwidth", text)]).toEqual([unicode, wcwidth]);
  });
});

test("every character alone takes what the native tables say", () => {
  for (const method of METHODS) {
    const measure = measureBy(method);
    const wrong: string[] = [];
    for (let code = 0x20; code < 0xe1000; code = code === 0x323af ? 0xe0000 : code + 1) {
      if ((code >= 0x7f && code < 0xa0) || (code >= 0xd800 && code < 0xe000)) continue;
      const char = String.fromCodePoint(code);
      const [ours, native] = [measure(char), nativeWidth(method, char)];
      if (ours !== native) wrong.push(`${code.toString(16)}: ${ours}, not ${native}`);
    }
    expect(wrong).toEqual([]);
  }
});

const PARTS = [
  ..."abz 0~éß漢字。Ａ한글กา✓●─…①☕★♥❤⚠✔☎👍👩💻🔥🏽🏿🇫🇷🇦かяאب\u0301\u0308\u200d\ufe0f\u0e47\u200b\u2060\u3099",
  "\u{1f44d}\u{1f3fd}",
  "\u{1f469}\u200d\u{1f4bb}",
  "\u2764\ufe0f\u200d\u{1f525}",
  "1\ufe0f\u20e3",
  "\u1112\u1161\u11ab",
  "\u0915\u094d\u0937\u093f",
  "\u0ba8\u0bbf",
];

/** A skin colour without skin that is joined on: no text, and no terminal agrees with another on it. */
const STRAY_AND_JOINED = /(?<!\p{Emoji_Modifier_Base})[\u{1f3fb}-\u{1f3ff}]\P{Extended_Pictographic}*\u200d/u;

describe("texts of hard parts, at random", () => {
  test.each(METHODS)("%s", (method) => {
    const measure = measureBy(method);
    const text = fc.array(fc.constantFrom(...PARTS), { maxLength: 12 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, (sample) => {
        fc.pre(!STRAY_AND_JOINED.test(sample));
        expect(measure(sample)).toBe(nativeWidth(method, sample));
      }),
      { numRuns: 2000 },
    );
  });
});

test("the widths of the handed cases", () => {
  const measure = measureBy("unicode");
  for (const { id, topic, where, input, expect: expected } of cases.cases) {
    if (topic !== "width" || where !== "composer") continue;
    expect([id, measure(String(input))]).toEqual([id, expected.width as number]);
  }
});
