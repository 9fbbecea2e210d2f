/** What the user does, from the library's events to the screen's handlers. Nothing reaches the library's own text handling. */
import type { CliRenderer, KeyEvent, MouseEvent, PasteEvent } from "@opentui/core";
import type { Rect } from "../view/frame.ts";
import { type ComposerEditor, cleanText } from "./editor.ts";
import { keysOf } from "./keys.ts";
import { mouseInputOf } from "./mouse.ts";
import { isWithin, type ScreenHandlers } from "./port.ts";

export interface InputParts {
  readonly renderer: CliRenderer;
  readonly handlers: ScreenHandlers;
  readonly editor: ComposerEditor;
  /** Where the composer stands. */
  readonly composer: () => Rect | undefined;
  /** Runs what the user asked for: an error in it ends the screen, what it asks for is painted at once. */
  readonly doForUser: (act: () => void) => void;
}

export function listenToUser({ renderer, handlers, editor, composer, doForUser }: InputParts): void {
  renderer.keyInput.on("keypress", (event: KeyEvent) => {
    event.preventDefault();
    for (const key of keysOf(event)) {
      doForUser(() => {
        if (!handlers.key(key)) editor.key(key);
      });
    }
  });
  renderer.keyInput.on("paste", (event: PasteEvent) => {
    event.preventDefault();
    const text = cleanText(new TextDecoder().decode(event.bytes));
    doForUser(() => handlers.paste(text));
  });
  renderer.root.onMouse = (event: MouseEvent) => {
    const input = mouseInputOf(event);
    if (!input) return;
    doForUser(() => {
      const at = composer();
      if (input.kind === "down" && at && isWithin(at, input)) editor.click(input.x - at.x, input.y - at.y);
      handlers.mouse(input);
    });
  };
  renderer.on("resize", (width: number, height: number) => doForUser(() => handlers.resized({ width, height })));
  renderer.on("focus", () => doForUser(() => handlers.focused(true)));
  renderer.on("blur", () => doForUser(() => handlers.focused(false)));
  renderer.on("theme_mode", (mode: "dark" | "light") => doForUser(() => handlers.themeMode(mode)));
}
