/** The viewers over the whole screen, with something in them, and what is told of them. */
import type { Key } from "../../../src/tui/key.ts";
import { type Measure, measureBy } from "../../../src/tui/layout/width.ts";
import type { DiffFile } from "../../../src/tui/ports.ts";
import { createDiffViewer } from "../../../src/tui/view/diff-viewer.ts";
import type { Layer } from "../../../src/tui/view/layer.ts";
import { createTextViewer } from "../../../src/tui/view/text-viewer.ts";
import { textOf } from "../../support/frames.ts";

export const measure = measureBy("unicode");

/** `G` types it; `escape`, `pagedown` and the like are named. */
export function press(layer: Layer, ...names: readonly string[]): boolean {
  let isUsed = true;
  for (const name of names) {
    const isTyped = [...name].length === 1;
    const key: Key = {
      name: name.toLowerCase(),
      ctrl: false,
      alt: false,
      shift: false,
      ...(isTyped && { text: name }),
    };
    isUsed = layer.key(key);
  }
  return isUsed;
}

export const shown = (layer: Layer, width: number, height: number): readonly string[] =>
  layer.rows({ width, height }).map((line) => textOf(line).trimEnd());

export const hunk = (at: number, name: string, lines = 6): string =>
  `@@ -${at},${lines + 1} +${at},${lines + 1} @@ function ${name}()\n${Array.from({ length: lines }, (_, index) => ` \tconst line${at + index} = ${index};`).join("\n")}\n-\treturn oldValue(${at});\n+\treturn newValue(${at});\n`;

export const FILES: readonly DiffFile[] = [
  {
    path: "src/session/store.ts",
    diff: `--- a\n+++ b\n${hunk(10, "open")}${hunk(200, "close")}`,
    added: 2,
    removed: 2,
    by: "khaelor",
  },
  {
    path: "docs/a very long name of a file in a folder/notes.md",
    diff: hunk(1, "x", 2),
    added: 1,
    removed: 1,
    by: "both",
  },
  { path: "logo.png", diff: "Binary files differ\n", added: 0, removed: 0, by: "you" },
];

export function diffViewer(files = FILES) {
  const calls: string[] = [];
  const layer = createDiffViewer({
    title: "Changes: 3 files, +3 −3",
    files,
    measure: () => measure,
    copy: (text) => calls.push(`copy ${text.split("\n")[0]}`),
    request: (draft) => calls.push(`request ${draft}`),
    onChange: () => calls.push("change"),
    onClose: () => calls.push("close"),
  });
  return { layer, calls };
}

export function textViewer(text: string, format: "markdown" | "plain", own: Measure = measure) {
  const calls: string[] = [];
  const layer = createTextViewer({
    title: "Output of bash",
    text,
    format,
    measure: () => own,
    onChange: () => calls.push("change"),
    onClose: () => calls.push("close"),
  });
  return { layer, calls };
}
