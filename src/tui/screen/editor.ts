/** The composer's text, held by OpenTUI's own editor. */
import type { TextareaRenderable } from "@opentui/core";
import type { Editor } from "./port.ts";

export function createEditor(area: TextareaRenderable): Editor {
  return {
    text: () => area.plainText,
    chips: () => [],
    cursor: () => area.cursorOffset,
    setCursor(offset) {
      area.cursorOffset = offset;
    },
    setText(text) {
      area.replaceText(text);
    },
    insert: (text) => area.insertText(text),
    insertChip: ({ label }) => area.insertText(label),
    run: () => undefined,
    rows: () => ({ count: Math.max(1, area.virtualLineCount), cursor: area.visualCursor.visualRow }),
    selectedText: () => area.getSelectedText(),
    setPlaceholder(text) {
      area.placeholder = text;
    },
    setCursorShape: () => undefined,
  };
}
