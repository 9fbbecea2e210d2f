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
  let current = 0;
  const turnTo = (hunk: number) => {
    if (hunk === current) return;
    current = hunk;
    document.setCurrent(hunk);
    scroller.forget();
  };
  const search = createSearch(document, scroller, (row) => turnTo(document.hunkAt(row)));
  /** The current hunk is the one at the top, once that moved; or the one that something was found in. */
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

  function setLook(look: DiffLook, height: number): void {
    const placeOf = document.setLook(look);
    if (!placeOf) return;
    scroller.forget(placeOf);
    search.renumber(placeOf);
    scroller.page(height);
    if (document.hunkAt(scroller.top()) !== current) scroller.reveal(document.rowOf(current), 0);
  }

  function hunkKey(name: string): boolean {
    if (name === "n") goTo(current + 1);
    else if (name === "p") goTo(current - 1);
    else return false;
    return true;
  }

  return {
    search,
    page(height, look) {
      setLook(look, height);
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
