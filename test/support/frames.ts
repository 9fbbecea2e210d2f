/** Golden frames: what a person sees, as text files to read. `UPDATE_GOLDEN=1` writes them anew. */
import { expect } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { measureBy } from "../../src/tui/layout/width.ts";
import { type Line, textOf } from "../../src/tui/line.ts";

const FOLDER = join(import.meta.dir, "../golden/frames");

export { textOf };

const measure = measureBy("unicode");

/** What commands a terminal, turns text round, ends a line or is a hyphen at times. */
export const CONTROL = /[\p{Cc}\u202a-\u202e\u2066-\u2069\u2028\u00ad]/u;

/** No line is wider than there is room, each is as wide as it says, and none holds what commands a terminal. */
export function expectSound(lines: readonly Line[], width: number): void {
  for (const line of lines) {
    expect(line.width).toBeLessThanOrEqual(width);
    expect(measure(textOf(line))).toBe(line.width);
    expect(line.spans.reduce((sum, span) => sum + span.width, 0)).toBe(line.width);
    expect(textOf(line)).not.toMatch(CONTROL);
    expect(line.indent ?? 0).toBeLessThanOrEqual(line.width);
  }
}

/** Each line as its text, blanks at its end left out. Compares with `<name>.txt`. */
export function expectFrame(name: string, lines: readonly Line[]): void {
  expectGolden(name, lines.map((line) => textOf(line).trimEnd()).join("\n"));
}

export function expectGolden(name: string, text: string): void {
  const path = join(FOLDER, `${name}.txt`);
  if (process.env.UPDATE_GOLDEN === "1") {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(path, `${text}\n`);
  }
  expect(text).toBe(readFileSync(path, "utf8").replace(/\n$/, ""));
}
