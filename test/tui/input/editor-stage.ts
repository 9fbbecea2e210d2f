/** The real editor on the library's own text area, in a terminal that is nowhere. */
import { createTestRenderer } from "@opentui/core/testing";
import { type ComposerEditor, createEditor } from "../../../src/tui/screen/editor.ts";
import { paletteOf } from "../../../src/tui/screen/palette.ts";
import { TextArea } from "../../../src/tui/screen/text-area.ts";
import { themeOf } from "../../../src/tui/view/theme.ts";
import { NO_SIGNALS } from "../../support/renderer-options.ts";

export interface EditorStage {
  readonly editor: ComposerEditor;
  close(): void;
}

export async function openEditor(width: number, onChange: () => void = () => undefined): Promise<EditorStage> {
  const { renderer, renderOnce } = await createTestRenderer({ width: width + 4, height: 20, ...NO_SIGNALS });
  const palette = paletteOf(themeOf("dark", "full"));
  const area = new TextArea(renderer, () => palette);
  area.place({ x: 2, y: 1, width, height: 10 }, true);
  renderer.root.requestRender();
  await renderOnce(); // only then it knows its width
  return { editor: createEditor(area, onChange), close: () => renderer.destroy() };
}
