/** The acceptance cases of typed and pasted text: in the one-line field, and in the draft. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createTextField } from "../../../src/tui/input/text-field.ts";
import { measureBy } from "../../../src/tui/layout/width.ts";
import { composerStage } from "./composer-stage.ts";
import { key } from "./keys.ts";

interface Case {
  readonly id: string;
  readonly topic: string;
  readonly where: string;
  readonly input: unknown;
  readonly expect: Readonly<Record<string, unknown>>;
}

const { cases } = JSON.parse(readFileSync(join(import.meta.dir, "../../cases/terminal.json"), "utf8")) as {
  readonly cases: readonly Case[];
};
const ofComposer = (topic: string) => cases.filter((one) => one.where === "composer" && one.topic === topic);
const graphemes = (text: string) => [...new Intl.Segmenter().segment(text)].length;

for (const { id, input, expect: wanted } of ofComposer("width")) {
  test(`${id}: width and backspace in the one-line field`, () => {
    const field = createTextField({ initial: String(input) });
    const { line, cursor } = field.line(80, measureBy("unicode"));
    expect([line.width, cursor]).toEqual([wanted.width as number, wanted.cursor_after as number]);
    for (let left = graphemes(String(input)); left > 0; left--) {
      expect(field.text()).not.toBe("");
      field.key(key("backspace"));
    }
    expect(field.text()).toBe("");
  });
}

const at = composerStage();

for (const { id, input } of ofComposer("paste").filter(
  (one) => typeof one.input === "object" && !Array.isArray(one.input),
)) {
  test(`${id}: a paste of this size is shown as one thing and sent whole`, () => {
    const bytes = (input as { readonly paste_bytes: number }).paste_bytes;
    at().composer.paste("0123456789".repeat(bytes / 10));
    expect(at().editor.text().length).toBeLessThan(40);
    at().act("send");
    expect(at().sent[0]?.[1].text).toBe("0123456789".repeat(bytes / 10));
  });
}

test("there are such cases", () => {
  expect([ofComposer("width").length, ofComposer("paste").length].map((count) => count > 1)).toEqual([true, true]);
});
