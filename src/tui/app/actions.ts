/** What each action of the keymap does. The table says which key means which action; here is what happens then. */
import type { ActionName } from "../input/keymap.ts";
import type { Screen } from "../screen/port.ts";
import type { Transcript } from "../view/transcript.ts";
import type { SessionFeed } from "./session-feed.ts";

export interface ActionParts {
  readonly feed: SessionFeed;
  readonly transcript: Transcript;
  readonly screen: () => Screen;
  readonly quit: () => void;
  readonly suspend: () => void;
}

/** True: the key is used up. False: it goes on, to the composer in the end. What is not here does nothing yet. */
export type Actions = Partial<Readonly<Record<ActionName, () => boolean>>>;

export function createActions({ feed, transcript, screen, quit, suspend }: ActionParts): Actions {
  const done = (act: () => void) => () => {
    act();
    return true;
  };
  return {
    send: done(() => {
      const { editor } = screen();
      if (editor.text().trim() === "") return;
      feed.dispatch({ kind: "submit-message", text: editor.text(), mentions: [] });
      editor.setText("");
      transcript.toEnd();
    }),
    newline: done(() => screen().editor.insert("\n")),
    interrupt: done(() => feed.dispatch({ kind: "interrupt" })),
    "clear-or-quit": done(quit),
    suspend: done(suspend),
    "page-up": done(() => transcript.scroll(-10)),
    "page-down": done(() => transcript.scroll(10)),
  };
}
