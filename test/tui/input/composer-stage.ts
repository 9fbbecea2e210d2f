/** A composer on the real editor, and everything it asks of others written down. */
import { afterEach, beforeEach } from "bun:test";
import { type Composer, createComposer } from "../../../src/tui/input/composer.ts";
import { createKeymap } from "../../../src/tui/input/key-dispatch.ts";
import type { ActionName } from "../../../src/tui/input/keymap.ts";
import type { Said } from "../../../src/tui/input/said.ts";
import type { QueuedChip } from "../../../src/tui/model/items.ts";
import { type ManualClock, manualClock } from "../../support/clock.ts";
import { type EditorStage, openEditor } from "./editor-stage.ts";

export interface ComposerStage {
  isBusy: boolean;
  isTaken: boolean;
  selection: string;
  /** Of keeping the draft. */
  trouble: string | undefined;
  queued: QueuedChip[];
  edit: (text: string) => Promise<{ readonly text: string } | { readonly problem: string }>;
  picture: { readonly path: string } | { readonly problem: string };
  readonly sent: (readonly [how: string, said: Said])[];
  readonly told: string[];
  readonly kept: Map<string | undefined, string>;
  search: ((text: string) => void) | undefined;
  readonly clock: ManualClock;
  readonly composer: Composer;
  readonly editor: EditorStage["editor"];
  act(action: ActionName): boolean | undefined;
  type(text: string): void;
  /** The draft with a bar where the cursor stands. */
  shown(): string;
}

/** A new one for each test. */
export function composerStage(): () => ComposerStage {
  let screen: EditorStage;
  let stage: ComposerStage;
  beforeEach(async () => {
    screen = await openEditor(20, () => stage.composer.edited());
    stage = stageOn(screen);
  });
  afterEach(() => screen.close());
  return () => stage;
}

function stageOn({ editor }: EditorStage): ComposerStage {
  const clock = manualClock();
  const kept = new Map<string | undefined, string>();
  const tell = (text: string) => void stage.told.push(text);
  const composer = createComposer({
    editor: () => editor,
    clock,
    width: () => 20,
    isBusy: () => stage.isBusy,
    queued: () => stage.queued,
    submit(said, how) {
      if (stage.isTaken) stage.sent.push([how, said]);
      return stage.isTaken;
    },
    withdraw: (id) => tell(`withdraw ${id}`),
    copySelection: () => stage.selection !== "",
    searchHistory(texts, choose) {
      tell(texts.join(","));
      stage.search = choose;
    },
    edit: (text) => stage.edit(text),
    picture: async () => stage.picture,
    drafts: {
      load: async (id) => kept.get(id),
      save(id, text) {
        if (text === "") kept.delete(id);
        else kept.set(id, text);
        return stage.trouble;
      },
    },
    say: tell,
    keyOf: (action) => createKeymap().shown(action, { hasKittyKeyboard: false })[0],
    help: () => tell("help"),
    quit: () => tell("quit"),
    paths: { home: "/home/me", isFile: () => false },
  });
  const stage: ComposerStage = {
    isBusy: false,
    isTaken: true,
    picture: { problem: "no picture" },
    selection: "",
    trouble: undefined,
    queued: [],
    edit: async (text) => ({ text }),
    sent: [],
    told: [],
    kept,
    search: undefined,
    clock,
    composer,
    editor,
    act: (action) => composer.actions[action]?.(),
    type: (text) => editor.insert(text),
    shown: () => `${editor.text().slice(0, editor.cursor())}|${editor.text().slice(editor.cursor())}`,
  };
  return stage;
}
