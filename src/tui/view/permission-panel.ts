/**
 * The question that waits for the user's consent, above the composer. Nobody answers it by accident: only what was drawn can be
 * answered, keys are dead for a moment after that, a yes counts when nothing follows it at once, Enter does nothing, no answer
 * is the default one, and whoever writes goes on writing until Tab moves the keys here.
 */
import type { Clock, PermissionDecision } from "../../shared/index.ts";
import { createTextField, type TextField } from "../input/text-field.ts";
import { type Key, keyName } from "../key.ts";
import type { Measure } from "../layout/width.ts";
import type { OpenQuestion } from "../model/items.ts";
import { fieldLeft, fieldLine, fieldWidth } from "./field-line.ts";
import type { Area, Layer } from "./layer.ts";
import { createHeldAnswer, type HeldAnswer } from "./permission/held-answer.ts";
import type { Answer } from "./permission/keys.ts";
import { type PanelLines, panelLines } from "./permission/panel-lines.ts";
import { whyNone } from "./permission/words.ts";

export interface PermissionPanelParts {
  readonly measure: () => Measure;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly after: Clock["after"];
  /** Something is typed in the composer. */
  readonly hasDraft: () => boolean;
  /** Something else has the keys, such as a list that was opened or the transcript. */
  readonly isElsewhere: () => boolean;
  /** Letters that were typed here and meant for the draft. */
  readonly toDraft: (text: string) => void;
  /** Called once for a question. */
  readonly respond: (requestId: string, decision: PermissionDecision, feedback?: string) => void;
  /** In the status bar, for a while. */
  readonly say: (text: string) => void;
  readonly onChange: () => void;
}

export interface PermissionPanel extends Layer {
  /** Takes the open questions as they are now, the oldest first. False: there is none, and the layer has to go. */
  update(questions: readonly OpenQuestion[]): boolean;
  /** It was out of sight: it appears anew. */
  reappear(): void;
  /** No answer is given any more. */
  dispose(): void;
}

/** So long a question cannot be answered after it was drawn, nor after letters that came too early: whoever types does not see it at once. */
export const DEAD_MS = 300;

/** An answer ends its question at once. Should one have been lost, it can be given again after this. */
const SETTLING_MS = 2000;

/** Keys that answer nothing and are never swallowed: they concern the whole interface. */
const NEVER_OURS: ReadonlySet<string> = new Set(["ctrl+c", "ctrl+z", "ctrl+l", "ctrl+d"]);

interface Shown {
  question: OpenQuestion;
  /** Since when it is on the screen and takes keys; undefined while it is not, or does not. */
  since: number | undefined;
  offset: number;
  /** When; so long it is not answered once more. */
  answeredAt: number;
  reason: TextField | undefined;
  /** Something was written while it stood there, even if the draft is empty again: letters are the draft's until Tab. */
  isWriting: boolean;
  /** Letters that came too early to be answers. */
  early: string;
}

interface State {
  shown: Shown | undefined;
  waiting: number;
  /** Tab moved the keys here although there is a draft. */
  isFocused: boolean;
  /** As it was drawn last. */
  drawn: PanelLines | undefined;
  readonly held: HeldAnswer;
}

export function createPermissionPanel(parts: PermissionPanelParts): PermissionPanel {
  const held = createHeldAnswer(parts.after);
  const state: State = { shown: undefined, waiting: 0, isFocused: false, drawn: undefined, held };
  return {
    name: "permission",
    place: "above",
    update(questions) {
      const [question] = questions;
      state.waiting = questions.length;
      if (question && isSameQuestion(question, state.shown?.question)) keep(state, question);
      else {
        held.drop();
        [state.shown, state.isFocused] = [question && appearing(question), false];
      }
      return question !== undefined;
    },
    reappear: () => gone(state),
    dispose: () => void held.drop(),
    rows(area) {
      watchDraft(state, parts);
      const isElsewhere = parts.isElsewhere();
      const lines = state.shown && drawn(state.shown, { parts, state, isElsewhere, area });
      state.drawn = lines;
      if (!lines || lines.lines.length === 0 || isElsewhere) gone(state);
      else if (state.shown) state.shown.since ??= parts.now();
      return lines?.lines ?? [];
    },
    cursor(area) {
      const { shown } = state;
      if (!shown?.reason || parts.isElsewhere()) return undefined;
      const { reasonRow = 0 } = drawn(shown, { parts, state, isElsewhere: false, area });
      return { x: fieldLeft(area.width) + fieldOf(shown.reason, area.width, parts).cursor, y: reasonRow };
    },
    key: (key) => keyed(state, key, parts),
    paste(text) {
      held.drop();
      if (!state.shown?.reason || parts.isElsewhere()) return false;
      state.shown.reason.paste(text);
      parts.onChange();
      return true;
    },
    wheel(rows) {
      const isUsed = scrolled(state, rows);
      if (isUsed) parts.onChange();
      return isUsed;
    },
  };
}

/** What is shown of it is the same as well. */
const isSameQuestion = (question: OpenQuestion, before: OpenQuestion | undefined): boolean =>
  question.requestId === before?.requestId && question.call?.input === before.call?.input;

function keep({ shown }: State, question: OpenQuestion): void {
  if (shown) shown.question = question;
}

/** What is out of sight has no keys, and appears anew. */
function gone(state: State): void {
  const { shown, held } = state;
  held.drop();
  state.isFocused = false;
  if (shown) [shown.since, shown.early] = [undefined, ""];
}

function watchDraft({ shown, isFocused }: State, { hasDraft }: PermissionPanelParts): void {
  if (shown && !isFocused && hasDraft()) shown.isWriting = true;
}

const isAside = ({ shown, isFocused }: State, { hasDraft }: PermissionPanelParts): boolean =>
  !isFocused && shown !== undefined && shown.reason === undefined && (shown.isWriting || hasDraft());

const appearing = (question: OpenQuestion): Shown => ({
  question,
  since: undefined,
  offset: 0,
  answeredAt: Number.NEGATIVE_INFINITY,
  reason: undefined,
  isWriting: false,
  early: "",
});

interface Drawing {
  readonly parts: PermissionPanelParts;
  readonly state: State;
  readonly isElsewhere: boolean;
  readonly area: Area;
}

function drawn({ question, offset, reason }: Shown, { parts, state, isElsewhere, area }: Drawing): PanelLines {
  const line = reason && fieldLine(fieldOf(reason, area.width, parts).line, fieldLeft(area.width));
  const [{ waiting }, measure] = [state, parts.measure()];
  const whose = { isElsewhere, isAside: isElsewhere || isAside(state, parts) };
  return panelLines({ question, waiting, offset, measure, ...whose, ...(line && { reason: line }) }, area);
}

const fieldOf = (field: TextField, width: number, { measure }: PermissionPanelParts) =>
  field.line(fieldWidth(width), measure());

/** What is not on the screen, or has no keys, takes none. */
function keyed(state: State, key: Key, parts: PermissionPanelParts): boolean {
  const { shown } = state;
  const name = keyName(key);
  const followed = state.held.drop();
  watchDraft(state, parts);
  if (!shown || shown.since === undefined || parts.isElsewhere()) return false;
  if (followed !== undefined) shown.answeredAt = Number.NEGATIVE_INFINITY;
  if (NEVER_OURS.has(name)) return false;
  if (isAside(state, parts) && name !== "escape" && name !== "tab") return false;
  parts.onChange();
  const now = parts.now();
  if (now - shown.answeredAt < SETTLING_MS) return true;
  if (followed !== undefined && name !== "escape")
    return tooEarly(shown, { key, early: followed === name ? "" : followed, parts });
  if (now - shown.since < DEAD_MS) return tooEarly(shown, { key, early: shown.early, parts });
  shown.early = "";
  return pressed(state, key, parts);
}

interface EarlyKey {
  readonly key: Key;
  /** What was typed just before. */
  readonly early: string;
  readonly parts: PermissionPanelParts;
}

/** Letters that could be answers wait for what follows; any other shows that all of them are text. */
function tooEarly(shown: Shown, { key: { text }, early, parts }: EarlyKey): boolean {
  if (text === undefined || shown.reason) return true;
  if (ANSWERING.has(text)) {
    [shown.since, shown.early] = [parts.now(), (early + text).slice(-MAX_EARLY)];
    return true;
  }
  [shown.isWriting, shown.early] = [true, ""];
  if (early !== "") parts.toDraft(early);
  return false;
}

/** Of a key that is held down, more is of no use to the draft. */
const MAX_EARLY = 16;

const ANSWERING: ReadonlySet<string> = new Set(["y", "s", "a", "A", "n", "d"]);
const LASTING: ReadonlySet<string> = new Set(["s", "a", "A"]);

/** A living question meets a key that is its own to use. */
function pressed(state: State, key: Key, parts: PermissionPanelParts): boolean {
  const { shown } = state;
  if (!shown) return false;
  const name = keyName(key);
  if (shown.reason) return typeReason(shown, { key, field: shown.reason, parts });
  const isWritten = parts.hasDraft() || shown.isWriting;
  if (name === "tab") return isWritten && toggled(state);
  if (answerKey(state, name, parts) || scrolled(state, SCROLLS[name])) return true;
  return state.isFocused && isWritten;
}

interface ReasonKey {
  readonly key: Key;
  readonly field: TextField;
  readonly parts: PermissionPanelParts;
}

function typeReason(shown: Shown, { key, field, parts }: ReasonKey): true {
  const name = keyName(key);
  if (name === "escape") {
    shown.reason = undefined;
  } else if (name === "enter") {
    const words = field.text().trim();
    shown.reason = undefined;
    shown.answeredAt = parts.now();
    parts.respond(shown.question.requestId, "deny", ...(words === "" ? [] : [words]));
  } else {
    field.key(key);
  }
  return true;
}

function toggled(state: State): true {
  state.isFocused = !state.isFocused;
  return true;
}

/** Enter is used up and does nothing. What was drawn is what can be answered. */
function answerKey({ shown, drawn: lines, held }: State, name: string, parts: PermissionPanelParts): boolean {
  if (name === "enter") return true;
  const answer = name === "escape" ? DENIAL : lines?.answers.find(({ key }) => key === name);
  if (!shown) return false;
  if (!answer) {
    if (!LASTING.has(name)) return false;
    held.hold(name, () => parts.say(whyNone(shown.question)));
    return true;
  }
  if (answer.decision === "deny-with-reason") {
    shown.reason = createTextField({ placeholder: "what should it do instead?" });
    return true;
  }
  const { decision } = answer;
  const { requestId } = shown.question;
  shown.answeredAt = parts.now();
  if (decision === "deny") parts.respond(requestId, decision);
  else held.hold(name, () => parts.respond(requestId, decision));
  return true;
}

const DENIAL: Pick<Answer, "decision"> = { decision: "deny" };

const SCROLLS: Readonly<Record<string, number>> = { up: -1, down: 1, pageup: -8, pagedown: 8, home: -1e6, end: 1e6 };

/** False when there is nothing to scroll. */
function scrolled({ shown, drawn: lines }: State, rows: number | undefined): boolean {
  const most = lines?.scrollable ?? 0;
  if (!shown || rows === undefined || most === 0) return false;
  shown.offset = Math.max(0, Math.min(most, Math.min(shown.offset, most) + rows));
  return true;
}
