/** Opens what lies over the transcript: viewers, pickers, help, the palette, the search. Each goes by its own key. */
import type { Keymap } from "../input/key-dispatch.ts";
import type { ActionName } from "../input/keymap.ts";
import type { DiffFile, Queries, SlashCommand } from "../ports.ts";
import { createCommandPalette } from "../view/command-palette.ts";
import { createDiffViewer } from "../view/diff-viewer.ts";
import { createHelp } from "../view/help.ts";
import { createHistorySearch } from "../view/history-search.ts";
import type { Layer } from "../view/layer.ts";
import { createSearchBar } from "../view/search-bar.ts";
import { createSessionPicker } from "../view/session-picker.ts";
import { createTextViewer } from "../view/text-viewer.ts";
import type { Copying } from "./copying.ts";
import type { Core } from "./core.ts";

export interface Views {
  text(title: string, text: string, format: "markdown" | "plain"): void;
  diff(title: string, files: readonly DiffFile[]): void;
  help(options?: { readonly first?: "commands" | "keys" }): void;
  palette(): void;
  history(texts: readonly string[], choose: (text: string) => void): void;
  search(text?: string): void;
  /** Undefined: nothing was chosen. */
  pickSession(text?: string): Promise<string | undefined>;
  /** Shows a layer that takes itself away by the function it is given. */
  over(create: (close: () => void) => Layer): void;
}

export interface ViewParts {
  readonly core: Core;
  readonly commands: readonly SlashCommand[];
  readonly queries: Pick<Queries, "sessions">;
  readonly keymap: Keymap;
  readonly copying: Copying;
  /** The keys of a command, as they are shown. */
  readonly keysOf: (command: string) => string | undefined;
  readonly run: (command: SlashCommand, args: string) => void;
  readonly act: (action: ActionName) => void;
  /** Puts text into the draft, for the user to go on. */
  readonly draft: (text: string) => void;
  /** As it will be painted: what is typed at once finds its place by the rows that the bar leaves. */
  readonly layOut: () => void;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export function createViews(parts: ViewParts): Views {
  const { core, commands, keymap, copying } = parts;
  const { layers, measure, redraw: onChange } = core;
  function over(create: (close: () => void) => Layer): void {
    const layer = create(() => layers.remove(layer));
    layers.push(layer);
  }
  return {
    over,
    text: (title, text, format) =>
      over((onClose) => createTextViewer({ title, text, format, measure, onChange, onClose })),
    diff: (title, files) =>
      over((onClose) =>
        createDiffViewer({
          title,
          files,
          measure,
          onChange,
          onClose,
          copy: (text) => copying.copy(text, "Hunk"),
          request: parts.draft,
        }),
      ),
    help: (options = {}) =>
      over((onClose) =>
        createHelp({
          ...options,
          commands,
          bindings: keymap.bindings,
          hasKittyKeyboard: core.screen().facts().hasKittyKeyboard,
          measure,
          onCommand({ name }) {
            onClose();
            parts.draft(`/${name} `);
          },
          onClose,
          onChange,
        }),
      ),
    palette: () =>
      over((onClose) =>
        createCommandPalette({
          commands,
          bindings: keymap.bindings,
          shownKeys: core.keyOf,
          keysOf: parts.keysOf,
          isBusy: core.isBusy,
          measure,
          run: (command) => parts.run(command, ""),
          act: parts.act,
          onClose,
          onChange,
        }),
      ),
    history: (texts, onChoose) =>
      over((onClose) => createHistorySearch({ texts, measure, onChoose, onClose, onChange })),
    search: searching(parts, over),
    pickSession: (text = "") => pickSession(parts, over, text),
  };
}

/** One bar at a time: after Enter it stands there while the next search begins. */
function searching({ core, layOut }: ViewParts, over: Views["over"]): Views["search"] {
  const { measure, redraw: onChange } = core;
  const { search } = core.transcript;
  let closeBar = (): void => undefined;
  return (text = "") => {
    closeBar();
    over((onClose) => {
      closeBar = onClose;
      return createSearchBar({ search, text, measure, onClose, onChange });
    });
    layOut();
    if (text !== "") search.find(text);
  };
}

function pickSession(
  { core, queries, now }: ViewParts,
  over: Views["over"],
  text: string,
): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  over((close) => {
    const ended = (id: string | undefined) => {
      picker.dispose();
      close();
      resolve(id);
    };
    const picker = createSessionPicker({
      queries,
      measure: core.measure,
      now,
      text,
      onOpen: ended,
      onClose: () => ended(undefined),
      onChange: core.redraw,
      onTrouble: (message) => core.say(message, "error"),
    });
    return picker;
  });
  return promise;
}
