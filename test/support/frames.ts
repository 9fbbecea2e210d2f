/** Golden frames: what a person sees, as text files to read. `UPDATE_GOLDEN=1` writes them anew. */
import { expect } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Line, textOf } from "../../src/tui/line.ts";

const FOLDER = join(import.meta.dir, "../golden/frames");

export { textOf };

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
