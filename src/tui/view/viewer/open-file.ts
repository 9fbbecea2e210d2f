/** The file of a change set that is shown: where one is in it, its hunks and what is searched. */
import { type Key, keyName } from "../../key.ts";
import type { Hunk } from "../../layout/diff.ts";
import type { Line } from "../../line.ts";
import type { DiffFile } from "../../ports.ts";
import { type DiffLook, diffDocument, linesOfHunk } from "./diff-document.ts";
import { moveBy } from "./moves.ts";
import { createScroller } from "./scroller.ts";
import { createSearch, type Search } from "./search.ts";

export interface OpenFile {
  page(height: number, look: DiffLook): readonly Line[];
  /** Moves, turns to another hunk, searches. True: used. */
  key(key: Key, height: number): boolean;
  scroll(lines: number): void;
  /** The one that is current. */
  hunk(): Hunk | undefined;
  /** The beginning of an instruction about it. */
  draft(path: string): string;
  readonly search: Search;
}

export function createOpenFile(file: DiffFile): OpenFile {
  const document = diffDocument(file);
  const scroller = createScroller(document);
  const search = createSearch(document, scroller);
  let current = 0;
  const turnTo = (hunk: number) => {
    if (hunk === current) return;
    current = hunk;
    document.setCurrent(hunk);
    scroller.forget();
  };
  /** The current hunk is the one at the top, once that moved. */
  const moving = (move: () => boolean): boolean => {
    const before = scroller.top();
    const isMoved = move();
    if (scroller.top() !== before) turnTo(document.hunkAt(scroller.top()));
    return isMoved;
  };
  const goTo = (hunk: number) => {
    const next = Math.min(Math.max(0, hunk), document.diff.hunks.length - 1);
    if (next < 0) return;
    turnTo(next);
    scroller.show(document.rowOf(next));
  };

  function hunkKey(name: string): boolean {
    if (name === "n") goTo(current + 1);
    else if (name === "p") goTo(current - 1);
    else return false;
    return true;
  }

  return {
    search,
    page(height, look) {
      const hunk = current;
      if (document.setLook(look)) {
        scroller.forget();
        scroller.show(document.rowOf(hunk));
      }
      return scroller.page(height).map((shown) => search.marked(shown, look.measure));
    },
    key(key, height) {
      if (search.key(key)) return true;
      if (hunkKey(keyName(key))) return true;
      return moving(() => moveBy(key, scroller, height));
    },
    scroll(lines) {
      moving(() => {
        scroller.scroll(lines);
        return true;
      });
    },
    hunk: () => document.diff.hunks[current],
    draft(path) {
      const lines = linesOfHunk(document.diff.hunks[current]);
      return lines === "" ? `In ${path}: ` : `In ${path}, ${lines.includes("–") ? "lines" : "line"} ${lines}: `;
    },
  };
}
