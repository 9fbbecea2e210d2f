/** What each action of the keymap does beside those of the draft. The table says which key means which action; here is what happens. */
import { errorMessage } from "../../shared/index.ts";
import type { KeyActions } from "../input/composer-parts.ts";
import type { ActionName } from "../input/keymap.ts";
import type { Queries } from "../ports.ts";
import { callText } from "../view/call-text.ts";
import type { FocusStep } from "../view/transcript/focus.ts";
import type { Copying } from "./copying.ts";
import type { Core } from "./core.ts";
import type { Views } from "./views.ts";

export interface ActionParts {
  readonly core: Core;
  readonly views: Views;
  readonly copying: Copying;
  readonly queries: Pick<Queries, "fullOutput">;
  /** Runs a slash command as if it had been typed. */
  readonly command: (name: string) => void;
  readonly toggle: (what: "mouse" | "thinking" | "details") => void;
  readonly page: () => void;
  readonly suspend: () => void;
}

const done = (act: () => void) => () => {
  act();
  return true;
};

/** True: the key is used up. False: it goes on, to the composer in the end. */
export function createActions(parts: ActionParts): KeyActions {
  return { ...general(parts), ...moving(parts.core), ...inTranscript(parts), ...commanding(parts) };
}

function general({ core, views, copying, toggle, page, suspend }: ActionParts): KeyActions {
  const { feed, transcript, screen, redraw } = core;
  return {
    interrupt() {
      if (transcript.search.status()) transcript.search.clear();
      else if (transcript.selection.isActive()) transcript.selection.clear();
      else if (core.isBusy() || core.view().activity.kind === "own-command") feed.dispatch({ kind: "interrupt" });
      else return false;
      redraw();
      return true;
    },
    suspend: done(suspend),
    redraw: done(() => screen().redraw()),
    palette: done(views.palette),
    help: done(() => views.help()),
    find: done(() => views.search()),
    "cycle-mode": done(() => void feed.session()?.nextPermissionMode()), // the transcript tells of it, and the status bar shows it
    thinking: done(() => toggle("thinking")),
    "fold-all": done(() => toggle("details")),
    mouse: done(() => toggle("mouse")),
    pager: done(page),
    "copy-answer": done(() => copying.copy(transcript.copies.lastAnswer(), "Answer")),
  };
}

function moving({ transcript, screen, redraw }: Core): KeyActions {
  const page = () => Math.max(1, screen().size().height - 8);
  const moved = (move: () => void) =>
    done(() => {
      move();
      redraw();
    });
  const focus = (step: FocusStep) => moved(() => transcript.focus(step));
  return {
    "page-up": moved(() => transcript.scroll(-page())),
    "page-down": moved(() => transcript.scroll(page())),
    follow: moved(transcript.toEnd),
    bottom: moved(transcript.toEnd),
    "to-top": moved(transcript.toStart),
    top: moved(transcript.toStart),
    "previous-item": focus("previous-item"),
    "next-item": focus("next-item"),
    "item-up": focus("previous-item"),
    "item-down": focus("next-item"),
    "previous-turn": focus("previous-turn"),
    "next-turn": focus("next-turn"),
    "turn-up": focus("previous-turn"),
    "turn-down": focus("next-turn"),
    "focus-transcript": () => {
      const isThere = transcript.focused() !== undefined || transcript.focus("previous-item");
      redraw();
      return isThere;
    },
    "leave-transcript": moved(transcript.unfocus),
  };
}

function inTranscript({ core, views, copying, queries }: ActionParts): KeyActions {
  const { transcript, redraw, say } = core;
  const found = (by: 1 | -1) =>
    done(() => {
      transcript.search.move(by);
      redraw();
    });
  async function showOutput(): Promise<void> {
    const item = transcript.focused();
    if (item?.kind !== "call" && item?.kind !== "shell") return say("Only calls and commands have an output.");
    const [id, name] = item.kind === "call" ? [item.toolUseId, item.name] : [item.id, "!"];
    const output = await queries.fullOutput(id);
    views.text(`${name}: all of it`, callText(item, output ?? item.output), "plain");
  }
  return {
    "fold-item": done(() => {
      transcript.toggleFocused();
      redraw();
    }),
    "full-output": done(() => {
      showOutput().catch((error: unknown) => say(`The output cannot be read: ${errorMessage(error)}`, "error"));
    }),
    "copy-item": done(() => copying.copy(transcript.copies.focused(), "Item")),
    "copy-code": done(() => copying.copy(transcript.copies.codeBlock(), "Code block")),
    "find-here": done(() => views.search()),
    "find-next": found(1),
    "find-previous": found(-1),
  };
}

/** Actions that stand for a command. */
const COMMANDS: readonly { readonly action: ActionName; readonly command: string }[] = [
  { action: "diff", command: "diff" },
  { action: "processes", command: "processes" },
  { action: "model", command: "model" },
  { action: "sessions", command: "sessions" },
  { action: "new-session", command: "new" },
  { action: "context", command: "context" },
];

const commanding = (parts: ActionParts): KeyActions =>
  Object.fromEntries(COMMANDS.map(({ action, command }) => [action, done(() => parts.command(command))]));

/** Undefined: no action stands for it. */
export const actionFor = (name: string): ActionName | undefined =>
  COMMANDS.find(({ command }) => command === name)?.action;
