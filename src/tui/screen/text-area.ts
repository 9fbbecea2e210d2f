/**
 * A draft on the screen: the library's text area wraps it, paints it, scrolls it and knows what is above and below. What is
 * written is decided elsewhere; here it is shown. Its positions are cells and rows, so this file also translates.
 */
import { type CliRenderer, TextareaRenderable } from "@opentui/core";
import type { Rect } from "../view/frame.ts";
import { type ChipStyles, createChipStyles } from "./chip-styles.ts";
import { type Draft, EMPTY_DRAFT, lineStart } from "./draft.ts";
import { breaksIn, type ChangedLines, changedLines, startOfRow } from "./lines.ts";
import type { Palette } from "./palette.ts";

/** The library keeps whatever was ever inserted, until its whole text is set. Beyond this that is done. */
const MAX_INSERTED = 64 * 1024;

export class TextArea {
  private readonly renderer: CliRenderer;
  private readonly palette: () => Palette;
  private area: TextareaRenderable;
  private styles: ChipStyles;
  private shown: Draft = EMPTY_DRAFT;
  private placed: { readonly rect: Rect | undefined; readonly hasCursor: boolean } = {
    rect: undefined,
    hasCursor: false,
  };
  private shape: "bar" | "block" | undefined;
  /** In UTF-16 units, since the library's buffer was empty. */
  private inserted = 0;

  constructor(renderer: CliRenderer, palette: () => Palette) {
    this.renderer = renderer;
    this.palette = palette;
    this.area = newArea(renderer, palette());
    this.styles = createChipStyles(renderer, palette());
  }

  /** Undefined: it is not shown. */
  place(rect: Rect | undefined, hasCursor: boolean): void {
    const { area } = this;
    const before = this.placed.rect;
    this.placed = { rect, hasCursor };
    area.visible = rect !== undefined;
    if (!rect) return;
    if (before?.x !== rect.x) area.left = rect.x;
    if (before?.y !== rect.y) area.top = rect.y;
    if (before?.width !== rect.width) area.width = rect.width;
    if (before?.height !== rect.height) area.height = rect.height;
    area.showCursor = hasCursor;
    if (!area.focused) area.focus();
  }

  show(draft: Draft): void {
    const { shown } = this;
    const changed = changedLines(shown.text, draft.text);
    this.shown = draft;
    if (this.area.isDestroyed) return; // the screen was closed meanwhile: whoever keeps the draft may still change it
    if (changed) this.replaceLines(changed);
    this.moveCursor();
    if (changed || shown.chips !== draft.chips || shown.selection !== draft.selection) this.mark();
    this.area.requestRender();
  }

  /** By one row as it is wrapped; the column is kept over short rows. Gives the offset that is reached. */
  moveVertically(direction: "up" | "down"): number {
    const { editorView } = this.area;
    if (direction === "up") editorView.moveUpVisual();
    else editorView.moveDownVisual();
    return this.cursorOffset();
  }

  /** The cursor goes there, from the area's top left. Gives the offset. */
  moveTo(x: number, y: number): number {
    const { editorView } = this.area;
    editorView.setLocalSelection(x, y, x, y, undefined, undefined, true, false);
    editorView.resetLocalSelection();
    return this.cursorOffset();
  }

  rows(width: number): { readonly count: number; readonly cursor: number } {
    if (this.shown.text === "") return { count: 1, cursor: 0 };
    const { editorView } = this.area;
    const { height, width: now } = editorView.getViewport();
    if (now !== width) editorView.setViewportSize(Math.max(1, width), Math.max(1, height));
    const cursor = editorView.getVisualCursor().visualRow + editorView.getViewport().offsetY;
    return { count: Math.max(1, editorView.getTotalVirtualLineCount()), cursor };
  }

  setCursorShape(shape: "bar" | "block"): void {
    this.shape = shape;
    this.area.cursorStyle = { style: shape === "bar" ? "line" : "block", blinking: shape === "bar" };
  }

  /** The palette changed. */
  restyle(): void {
    const { color } = this.palette().paint({ tone: "fg" });
    this.area.textColor = color;
    this.area.focusedTextColor = color;
    const old = this.styles;
    this.styles = createChipStyles(this.renderer, this.palette());
    this.mark();
    old.styles.destroy();
  }

  /** The terminal measures differently than when this was made. */
  rebuild(): void {
    const { shown, placed, shape } = this;
    this.area.destroy();
    this.area = newArea(this.renderer, this.palette());
    this.shown = EMPTY_DRAFT;
    this.placed = { rect: undefined, hasCursor: false };
    if (shape) this.setCursorShape(shape);
    this.place(placed.rect, placed.hasCursor);
    this.show(shown);
  }

  private replaceLines({ row, old, next }: ChangedLines): void {
    const { editBuffer } = this.area;
    const lastLine = old.slice(old.lastIndexOf("\n") + 1);
    const cells = this.cells(lastLine);
    const isUnreachable = lastLine !== "" && cells === 0; // marks alone take no cell, so that no column stands behind them
    this.inserted += next.length;
    if (isUnreachable || this.shown.text === "" || this.inserted > MAX_INSERTED) {
      editBuffer.setText(this.shown.text);
      this.inserted = 0;
      return;
    }
    if (old !== "") editBuffer.deleteRange(row, 0, row + breaksIn(old), cells);
    editBuffer.setCursor(row, 0);
    if (next !== "") editBuffer.insertText(next);
    editBuffer.clearHistory();
  }

  private moveCursor(): void {
    const { text, cursor } = this.shown;
    const { editBuffer } = this.area;
    const row = breaksIn(text.slice(0, cursor));
    const col = this.cells(text.slice(lineStart(this.shown, cursor), cursor));
    const now = editBuffer.getCursorPosition();
    if (now.row !== row || now.col !== col) editBuffer.setCursor(row, col);
  }

  private cursorOffset(): number {
    const { editBuffer } = this.area;
    const { row, col } = editBuffer.getCursorPosition();
    return startOfRow(this.shown.text, row) + editBuffer.getTextRangeByCoords(row, 0, row, col).length;
  }

  private cells(text: string): number {
    return text === "" ? 0 : this.area.editBuffer.measureText(text);
  }

  /** Chips, and what is selected. */
  private mark(): void {
    const { editBuffer, editorView } = this.area;
    const { chips, selection, text } = this.shown;
    const { styles, chip, selected } = this.styles;
    editBuffer.setSyntaxStyle(styles);
    editBuffer.clearAllHighlights();
    const marks = chips.map(({ start, end }) => ({ start, end, styleId: chip }));
    if (selection && selected !== undefined) marks.push({ ...selection, styleId: selected });
    for (const [priority, { start, end, styleId }] of marks.entries()) {
      const at = (offset: number) => this.cells(text.slice(0, offset).replaceAll("\n", ""));
      editBuffer.addHighlightByCharRange({
        ...{ start: at(start), end: at(end), styleId, hlRef: 1 },
        priority: Math.min(priority, 255),
      });
    }
    editorView.resetSelection();
    if (!selection || selected !== undefined) return;
    const { color, background } = this.palette().paint({ tone: "fg", tint: "selected" });
    const at = (offset: number) => this.cells(text.slice(0, offset));
    editorView.setSelection(at(selection.start), at(selection.end), background, color);
  }
}

function newArea(renderer: CliRenderer, palette: Palette): TextareaRenderable {
  const { color } = palette.paint({ tone: "fg" });
  const area = new TextareaRenderable(renderer, {
    ...{ position: "absolute", left: 0, top: 0, width: 1, height: 1, zIndex: 1 },
    ...{ textColor: color, focusedTextColor: color, selectable: false, scrollMargin: 0, wrapMode: "word" },
    cursorStyle: { style: "default", blinking: true },
  });
  area.visible = false;
  renderer.root.add(area);
  return area;
}
