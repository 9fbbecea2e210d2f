/** The interface of one terminal, composed: gives the screen its handlers, and begins and ends what is shown on it. */
import { asError, type Clock } from "../../shared/index.ts";
import { type Composer, createComposer } from "../input/composer.ts";
import type { KeyActions } from "../input/composer-parts.ts";
import { createKeymap, type Keymap } from "../input/key-dispatch.ts";
import { shortKeys } from "../input/key-names.ts";
import type { ActionName } from "../input/keymap.ts";
import { createVim } from "../input/vim.ts";
import type { CommandUi, StartChoice, TerminalPorts } from "../ports.ts";
import type { Screen, ScreenHandlers } from "../screen/port.ts";
import { fieldWidth } from "../view/field-line.ts";
import { type ColorDepth, type ThemeMode, themeOf } from "../view/theme.ts";
import { actionFor, createActions } from "./actions.ts";
import { createCommandUi } from "./command-ui.ts";
import { createCopying } from "./copying.ts";
import type { Core } from "./core.ts";
import { createDrawing } from "./drawing.ts";
import { createFoundation, type Foundation } from "./foundation.ts";
import { createKeys } from "./keys.ts";
import { createLending } from "./lending.ts";
import { createMouse } from "./mouse.ts";
import { createPalettes, type Palettes } from "./palettes.ts";
import { createSessions } from "./sessions.ts";
import { createSubmission } from "./submission.ts";
import { createToggles, type Toggles } from "./toggles.ts";
import { createUiActs } from "./ui-acts.ts";
import { createViews } from "./views.ts";

export interface InterfaceParts {
  readonly ports: TerminalPorts;
  readonly clock: Clock;
  /** The least time between two frames. */
  readonly windowMs: number;
  /** What the terminal is taken for, and what it can show. */
  readonly look: { readonly mode: ThemeMode; readonly depth: ColorDepth };
  readonly quit: () => void;
  readonly failed: (error: unknown) => void;
  readonly suspend: () => void;
}

export interface Interface {
  readonly handlers: ScreenHandlers;
  /** What is shown now; for whoever looks at it from outside. */
  readonly core: Pick<Core, "view" | "layers" | "feed" | "transcript">;
  /** The screen is there: from now on it is drawn on. */
  attach(screen: Screen): void;
  begin(start: StartChoice): void;
  /** Of the session that is open. */
  sessionId(): string | undefined;
  /** Keeps the draft and stops every timer. */
  end(): void;
  /** After the end. Gives back what was written and is neither recorded nor kept. */
  rescue(hasFailed: boolean): Promise<string | undefined>;
}

export function createInterface(parts: InterfaceParts): Interface {
  const { ports, clock, failed } = parts;
  const keymap = createKeymap(ports.settings.keybindings);
  const kitty = () => foundation.drawnOn()?.facts().hasKittyKeyboard ?? false;
  const keyOf = (action: ActionName) => keymap.shown(action, { hasKittyKeyboard: kitty() })[0];
  const commandsHint = createCommandsHint();
  const foundation: Foundation = createFoundation({
    ...parts,
    onEvent: (event) => work.composer.observe(event),
    onDeath: failed,
    isMouseFree: () => work.toggles.isMouseFree(),
    keyOf,
    hint: () => [work.vimMode(), commandsHint(keyOf("palette"))].filter((part) => part !== undefined).join(" · "),
  });
  const { core, surroundings } = foundation;
  const work = createWork(parts, { foundation, keymap, layOut: () => void drawing.draw(core.screen().size()) });
  const drawing = createDrawing({
    core,
    surroundings,
    composerRows: (width) => foundation.drawnOn()?.editor.rows(width).count ?? 1,
    helpKey: () => keyOf("help"),
  });
  return {
    core,
    handlers: {
      draw: drawing.draw,
      key: work.keys,
      paste: (text) => core.layers.paste(text) || work.composer.paste(text),
      mouse: createMouse({ ...core, clock, frame: drawing.frame }),
      resized: core.redraw,
      focused: surroundings.focused,
      resumed: surroundings.returned,
      themeMode: work.toggles.terminalMode,
      edited() {
        work.composer.edited();
        work.palettes.edited();
        surroundings.update();
      },
      failed,
    },
    attach: foundation.attach,
    begin({ session, prompt, mentions = [] }) {
      for (const notice of keymap.notices) core.say(notice, "warn");
      if (prompt !== undefined) core.feed.dispatch({ kind: "submit-message", text: prompt, mentions });
      work.open(session).catch(failed);
    },
    sessionId: () => core.feed.session()?.id,
    end() {
      work.composer.flush();
      foundation.end();
    },
    rescue(hasFailed) {
      const { feed } = core;
      return work.composer.rescue(hasFailed || !feed.session() ? feed.unrecorded() : []);
    },
  };
}

/** Asked for with every frame, and nearly always the same. */
function createCommandsHint(): (keys: string | undefined) => string | undefined {
  let last: { readonly keys: string; readonly hint: string } | undefined;
  return (keys) => {
    if (keys !== undefined && keys !== last?.keys) last = { keys, hint: `${shortKeys(keys)} commands` };
    return keys === undefined ? undefined : last?.hint;
  };
}

interface Work {
  readonly composer: Composer;
  readonly palettes: Palettes;
  readonly toggles: Toggles;
  readonly keys: ScreenHandlers["key"];
  readonly open: CommandUi["switchTo"];
  /** Undefined while vim's keys are off. */
  readonly vimMode: () => string | undefined;
}

interface WorkParts {
  readonly foundation: Foundation;
  readonly keymap: Keymap;
  readonly layOut: () => void;
}

/** What the user does with it. */
function createWork({ ports, clock, look, quit, failed, suspend }: InterfaceParts, on: WorkParts): Work {
  const { core, refresh } = on.foundation;
  const { feed, layers, say, keyOf, measure, redraw, isBusy, screen } = core;
  const copying = createCopying({ ...core, outside: ports.outside });
  const toggles = createToggles({ ...core, settings: ports.settings, mode: look.mode, onVim: () => vim.reset() });
  const vim = createVim(() => screen().editor);
  const theme = (isPlain: boolean) => themeOf(toggles.mode(), isPlain ? "none" : look.depth);
  const lending = createLending({ ...core, outside: ports.outside, theme });
  const submission = createSubmission({ core, ports, ui: () => ui });
  const draft = (text: string) => composer.replace(text);
  const act = (action: ActionName) => void actions[action]?.();
  const keysOf = (command: string) => keysOfCommand(command, core);
  const now = clock.now;
  const views = createViews({ core, ...ports, ...on, copying, keysOf, run: submission.run, act, draft, now });
  const onOpened = () => {
    refresh();
    composer.open(shownIn(core), ports.queries.promptHistory()).catch(tellLost(say));
  };
  const { storeKey } = ports.outside;
  const { open } = createSessions({
    ...{ core, views, storeKey, onOpened, onFailure: failed, quit },
    onLeaving: () => composer.leave(),
  });
  const composer = createComposer({
    editor: () => screen().editor,
    clock,
    width: () => fieldWidth(screen().size().width),
    isBusy,
    queued: () => core.view().queued,
    submit: submission.submit,
    withdraw: (queuedEventId) => feed.dispatch({ kind: "withdraw", queuedEventId }),
    copySelection: copying.selection,
    searchHistory: views.history,
    ...{ edit: lending.edit, picture: ports.outside.picture, drafts: ports.drafts, say, keyOf, quit },
    help: () => views.help({ first: "keys" }),
    paths: { home: ports.settings.home, isFile: ports.outside.isFile },
  });
  const openEditor = () => void composer.actions.editor?.();
  const ui: CommandUi = createCommandUi({
    layers,
    model: feed.caughtUp,
    measure,
    onChange: refresh,
    show: (title, markdown) => views.text(title, markdown, "markdown"),
    showDiff: views.diff,
    switchTo: open,
    act: createUiActs({ core, views, copying, toggles, lending, openEditor, draft, quit }),
    submit: (text) => void submission.submit({ text, mentions: [] }, "send"),
  });
  const page = () => lending.page();
  const own = createActions({ ...submission, ...toggles, core, views, copying, queries: ports.queries, page, suspend });
  const actions: KeyActions = { ...own, ...composer.actions, ...recalling(composer.actions, () => palettes.dismiss()) };
  const palettes = createPalettes({
    editor: () => screen().editor,
    layers,
    ...ports,
    keysOf,
    isBusy,
    measure,
    sent: (text) => composer.sent(text),
    run: submission.run,
    onChange: redraw,
  });
  const keys = createKeys({ core, keymap: on.keymap, actions, vim: () => (toggles.isVim() ? vim : undefined) });
  const vimMode = () => (toggles.isVim() ? vim.mode() : undefined);
  return { composer, palettes, toggles, keys, open, vimMode };
}

/** What comes back from the history is no typing: no palette opens for it, which would take the next key. */
function recalling(actions: KeyActions, dismiss: () => void): KeyActions {
  const quietly = (act: (() => boolean) | undefined) => () => {
    const isUsed = act?.() === true;
    if (isUsed) dismiss();
    return isUsed;
  };
  return {
    "history-previous": quietly(actions["history-previous"]),
    "history-next": quietly(actions["history-next"]),
  };
}

/** Without a kept draft or the history one can work all the same. */
const tellLost = (say: Foundation["core"]["say"]) => (error: unknown) =>
  say(`What was written before cannot be read: ${asError(error).message}`, "warn");

/** A session in which nothing was said is gone at the next start. */
function shownIn({ feed, view }: Foundation["core"]) {
  const { items, moved } = view();
  const isNew = moved === 0 && !items.some(({ kind }) => kind === "user" || kind === "shell");
  return { id: feed.session()?.id ?? "", isNew };
}

function keysOfCommand(command: string, { keyOf }: Core): string | undefined {
  const action = actionFor(command);
  return action && keyOf(action);
}
