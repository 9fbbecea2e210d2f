/** A long text is laid out in sections, and looks as if it had been laid out whole. */
import { expect, test } from "bun:test";
import { layoutItem } from "../../../../src/tui/layout/item.ts";
import { createLive } from "../../../../src/tui/layout/live.ts";
import { itemSheet } from "../../../../src/tui/view/transcript/sheets.ts";
import { createTextSections } from "../../../../src/tui/view/transcript/text-sections.ts";
import { markdown, randomFrom } from "./random-markdown.ts";
import { answer, MEASURE } from "./stage.ts";

const layout = { item: layoutItem, live: createLive };
const look = (width: number) => ({
  width,
  measure: MEASURE,
  isOpen: false,
  isCompact: width < 40,
  follows: answer("before", "x"),
});

test("sections together look as the whole does", () => {
  for (let seed = 1; seed <= 40; seed++) {
    const random = randomFrom(seed);
    const item = {
      ...answer("a", markdown(random, 40 + random(120))),
      ...(random(3) === 0 && { isPartial: true as const }),
    };
    const context = look(12 + random(120));
    const { sections } = itemSheet(item, layout);
    const inParts = sections.flatMap((section, at) =>
      section.layOut({ ...context, ...(at > 0 && { follows: undefined }) }),
    );
    expect(Bun.deepEquals(inParts, [...layoutItem(item, context)]) || `seed ${seed}`).toBe(true);
  }
});

test("where a text is cut does not depend on how it came", () => {
  for (let seed = 1; seed <= 40; seed++) {
    const random = randomFrom(seed);
    const text = markdown(random, 150);
    const whole = createTextSections();
    whole.push(text);
    const inPieces = createTextSections();
    for (let at = 0; at < text.length; ) {
      const size = 1 + random(random(5) === 0 ? 3000 : 40);
      inPieces.push(text.slice(at, at + size));
      at += size;
    }
    expect(inPieces.list).toEqual(whole.list);
    expect(whole.list.map((section) => section.text).join("")).toBe(text);
  }
});

test("no section of usual text is much longer than a screen or two", () => {
  const one = `\`\`\`ts\n${"const a = 1; // one long block of code\n".repeat(3000)}\`\`\`\n`;
  const list = `${"- an item of a list that never ends\n".repeat(5000)}`;
  for (const [text, most] of [
    [one, 5_000],
    [list, 17_000],
  ] as const) {
    const sections = createTextSections();
    sections.push(text);
    expect(Math.max(...sections.list.map((section) => section.text.length))).toBeLessThan(most);
  }
});
