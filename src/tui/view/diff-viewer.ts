/**
 * A change set over the whole screen: its files, and the diff of one of them, in one column or two. Only the file that is
 * shown is taken apart, and only the lines that are visible are laid out. Push it on the layers; it asks to be removed by
 * `onClose`, to be drawn by `onChange`.
 */
import { type Key, keyName } from "../key.ts";
import type { Measure } from "../layout/width.ts";
import type { DiffFile } from "../ports.ts";
import type { Area, Layer } from "./layer.ts";
import { BODY_TOP, diffScreen, sizesOf } from "./viewer/diff-screen.ts";
import { firstListed } from "./viewer/file-column.ts";
import { createOpenFile, type OpenFile } from "./viewer/open-file.ts";

export interface DiffViewerParts {
  readonly title: string;
  readonly files: readonly DiffFile[];
  readonly measure: () => Measure;
  /** Gets the hunk as it stands in the diff. */
  readonly copy: (text: string) => void;
  /** Gets the beginning of an instruction that names file and lines, for the composer; the viewer is closing then. */
  readonly request: (draft: string) => void;
  readonly onChange: () => void;
  readonly onClose: () => void;
}

export function createDiffViewer(parts: DiffViewerParts): Layer {
  const { title, files, measure, onChange } = parts;
  const browser = createBrowser(files);
  let chosen: boolean | undefined;
  let area: Area = { width: 1, height: 1 };
  const sizes = () => sizesOf(area, files.length, chosen);
  const toggleSplit = () => {
    chosen = !sizes().isSplit;
  };
  const actions = actionsOf(browser, parts, toggleSplit);

  function used(key: Key): boolean {
    if (browser.open()?.key(key, sizes().height)) return true;
    const action = actions.get(keyName(key));
    action?.();
    return action !== undefined;
  }

  return {
    name: "diff-viewer",
    place: "full",
    rows(given) {
      area = given;
      const screen = { title, files, current: browser.current(), open: browser.open(), measure: measure() };
      return diffScreen(screen, sizes(), area);
    },
    cursor({ width, height }) {
      const typed = browser.open()?.search.field(width, measure());
      return typed && { x: typed.cursor, y: height - 1 };
    },
    key(key) {
      const isUsed = used(key);
      if (isUsed) onChange();
      // Nothing below is to be reached by what is typed here, but what stops and quits is.
      return isUsed || !(key.ctrl || key.alt);
    },
    paste(text) {
      browser.open()?.search.paste(text);
      onChange();
      return true;
    },
    click(x, y) {
      const { listWidth, height } = sizes();
      const row = y - BODY_TOP;
      if (x >= listWidth || row < 0 || row >= height) return true;
      browser.turnTo(firstListed({ files, current: browser.current(), height }) + row);
      onChange();
      return true;
    },
    wheel(rows) {
      browser.open()?.scroll(rows);
      onChange();
      return true;
    },
  };
}

interface Browser {
  current(): number;
  /** Of the current file; taken apart when it is asked for. */
  open(): OpenFile | undefined;
  /** Nothing happens when there is no such file. */
  turnTo(index: number): void;
}

function createBrowser(files: readonly DiffFile[]): Browser {
  let current = 0;
  let open: OpenFile | undefined;
  return {
    current: () => current,
    open() {
      const file = files[current];
      if (!open && file) open = createOpenFile(file);
      return open;
    },
    turnTo(index) {
      if (index < 0 || index >= files.length || index === current) return;
      current = index;
      open = undefined;
    },
  };
}

function actionsOf(browser: Browser, parts: DiffViewerParts, toggleSplit: () => void): ReadonlyMap<string, () => void> {
  const turn = (by: 1 | -1) => () => browser.turnTo(browser.current() + by);
  const request = () => {
    const path = parts.files[browser.current()]?.path;
    const draft = path === undefined ? undefined : browser.open()?.draft(path);
    parts.onClose();
    if (draft !== undefined) parts.request(draft);
  };
  const copy = () => {
    const hunk = browser.open()?.hunk();
    if (hunk) parts.copy(hunk.source);
  };
  return new Map([
    ["]", turn(1)],
    ["tab", turn(1)],
    ["[", turn(-1)],
    ["shift+tab", turn(-1)],
    ["s", toggleSplit],
    ["y", copy],
    ["r", request],
    ["q", parts.onClose],
    ["escape", parts.onClose],
  ]);
}
