/**
 * Text over the whole screen, scrolled and searched: what a command answers, all that a tool printed. Push it on the layers;
 * it asks to be removed by `onClose`, and to be drawn by `onChange`.
 */
import { type Key, keyName } from "../key.ts";
import { blanks } from "../layout/span.ts";
import type { Measure } from "../layout/width.ts";
import { EMPTY_LINE, type Line } from "../line.ts";
import { spellOut } from "../spelling.ts";
import type { Area, Layer } from "./layer.ts";
import { isCompact, sides, titleRule } from "./row.ts";
import { moveBy } from "./viewer/moves.ts";
import { createScroller } from "./viewer/scroller.ts";
import { createSearch } from "./viewer/search.ts";
import { documentOf } from "./viewer/text-document.ts";

export interface TextViewerParts {
  readonly title: string;
  readonly text: string;
  /** Markdown that is too long for it is shown plain. */
  readonly format: "markdown" | "plain";
  readonly measure: () => Measure;
  readonly onChange: () => void;
  readonly onClose: () => void;
}

const HINTS = "q close · / search · n N next, previous · space b page · g G ends";
/** The text stands between a title and a line at the bottom, where there is room for them. */
const CHROME_ROWS = 2;
const MIN_ROWS_WITH_CHROME = 5;
/** Of the width; beyond, lines are hard to follow. Plain output has its own shape and is given all. */
const MAX_TEXT_CELLS = 104;

export function createTextViewer({ title, text, format, measure, onChange, onClose }: TextViewerParts): Layer {
  const page = documentOf(text, format);
  const scroller = createScroller(page);
  const search = createSearch(page, scroller);
  let height = 1;
  const bodyHeight = (area: Area) => (area.height < MIN_ROWS_WITH_CHROME ? area.height : area.height - CHROME_ROWS);

  function body(area: Area): readonly Line[] {
    height = bodyHeight(area);
    const margin = isCompact(area.width) ? 0 : 1;
    const room = Math.max(1, area.width - 2 * margin);
    const width = format === "markdown" ? Math.min(MAX_TEXT_CELLS, room) : room;
    const placeOf = page.setLook({ width, measure: measure() });
    if (placeOf) scroller.forget(placeOf);
    if (placeOf) search.renumber(placeOf);
    const lines = scroller.page(height).map((shown) => indented(search.marked(shown, measure()), margin));
    return [...lines, ...Array.from({ length: height - lines.length }, () => EMPTY_LINE)];
  }

  function bottom({ width }: Area): Line {
    const typed = search.field(width, measure());
    if (typed) return typed.line;
    const percent = `${Math.round(scroller.progress() * 100)}% `;
    const words = search.words() ?? (page.count() === 0 ? "nothing in it · q close" : HINTS);
    const room = { width, measure: measure() };
    return sides([{ tone: "muted", text: ` ${spellOut(words)}` }], [{ tone: "muted", text: percent }], room);
  }

  return {
    name: "text-viewer",
    place: "full",
    rows(area) {
      const lines = body(area);
      if (area.height < MIN_ROWS_WITH_CHROME) return lines.slice(0, area.height);
      return [titleRule(spellOut(title), area.width, measure()), ...lines, bottom(area)];
    },
    cursor({ width, height: rows }) {
      const typed = search.field(width, measure());
      return typed && { x: typed.cursor, y: rows - 1 };
    },
    key(key: Key) {
      const name = keyName(key);
      const isUsed = search.key(key) || moveBy(key, scroller, height);
      if (isUsed) onChange();
      else if (name === "q" || name === "escape") onClose();
      // Nothing below is to be reached by what is typed here, but what stops and quits is.
      return isUsed || !(key.ctrl || key.alt);
    },
    paste(pasted) {
      search.paste(pasted);
      onChange();
      return true;
    },
    click: () => true,
    wheel(rows) {
      scroller.scroll(rows);
      onChange();
      return true;
    },
  };
}

function indented(line: Line, margin: number): Line {
  if (margin === 0 || line.width === 0) return line;
  return {
    ...line,
    spans: [...blanks(margin), ...line.spans],
    width: line.width + margin,
    indent: (line.indent ?? 0) + margin,
  };
}
