/**
 * The question that waits for the user's consent, above the composer. Nobody answers it by accident: keys are dead for a
 * moment after a question appears, Enter does nothing, no answer is the default one, and while a draft is there letters go to
 * it until Tab moves the keys here.
 */
import type { PermissionDecision } from "../../shared/index.ts";
import { createTextField, type TextField } from "../input/text-field.ts";
import { type Key, keyName } from "../key.ts";
import type { Measure } from "../layout/width.ts";
import type { OpenQuestion } from "../model/items.ts";
import { fieldLine } from "./filter-frame.ts";
import type { Area, Layer } from "./layer.ts";
import { answersOf } from "./permission/keys.ts";
import { type PanelLines, panelLines } from "./permission/panel-lines.ts";

export interface PermissionPanelParts {
  readonly measure: () => Measure;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Something is typed in the composer. */
  readonly hasDraft: () => boolean;
  /** Called once for a question. */
  readonly respond: (requestId: string, decision: PermissionDecision, feedback?: string) => void;
  readonly onChange: () => void;
}

export interface PermissionPanel extends Layer {
  /** Takes the open questions as they are now, the oldest first. False: there is none, and the layer has to go. */
  update(questions: readonly OpenQuestion[]): boolean;
}

/** So long a question cannot be answered after it appeared: whoever types does not see it at once. */
export const DEAD_MS = 300;

/** An answer ends its question at once. Should one have been lost, it can be given again after this. */
const SETTLING_MS = 2000;

/** Keys that answer nothing and are never swallowed: they concern the whole interface. */
const NEVER_OURS: ReadonlySet<string> = new Set(["ctrl+c", "ctrl+z", "ctrl+l", "ctrl+d"]);

interface Shown {
  question: OpenQuestion;
  readonly since: number;
  offset: number;
  /** When; so long it is not answered once more. */
  answeredAt: number;
  reason: TextField | undefined;
}

interface State {
  shown: Shown | undefined;
  waiting: number;
  /** Tab moved the keys here although there is a draft. */
  isFocused: boolean;
  /** As it was drawn last. */
  drawn: PanelLines | undefined;
}

export function createPermissionPanel(parts: PermissionPanelParts): PermissionPanel {
  const { now, hasDraft, onChange } = parts;
  const state: State = { shown: undefined, waiting: 0, isFocused: false, drawn: undefined };
  const isAside = () => hasDraft() && !state.isFocused && state.shown?.reason === undefined;
  return {
    name: "permission",
    place: "above",
    update(questions) {
      const [question] = questions;
      state.waiting = questions.length;
      if (!question) [state.shown, state.isFocused] = [undefined, false];
      else if (question.requestId !== state.shown?.question.requestId) state.shown = appearing(question, now());
      else state.shown.question = question;
      return question !== undefined;
    },
    rows(area) {
      state.drawn = state.shown && drawn(state.shown, { parts, waiting: state.waiting, isAside: isAside(), area });
      return state.drawn?.lines ?? [];
    },
    cursor(area) {
      const { shown } = state;
      if (!shown?.reason) return undefined;
      const { reasonRow = 0 } = drawn(shown, { parts, waiting: state.waiting, isAside: false, area });
      return { x: fieldLeft(area.width) + fieldOf(shown.reason, area.width, parts).cursor, y: reasonRow };
    },
    key(key) {
      const { shown } = state;
      const name = keyName(key);
      if (!shown || NEVER_OURS.has(name)) return false;
      if (isAside() && name !== "escape" && name !== "tab") return false;
      onChange();
      if (now() - shown.answeredAt < SETTLING_MS || now() - shown.since < DEAD_MS) return true;
      return pressed(state, key, parts);
    },
    paste(text) {
      if (!state.shown?.reason) return false;
      state.shown.reason.paste(text);
      onChange();
      return true;
    },
    wheel(rows) {
      const isUsed = scrolled(state, rows);
      if (isUsed) onChange();
      return isUsed;
    },
  };
}

const appearing = (question: OpenQuestion, since: number): Shown => ({
  question,
  since,
  offset: 0,
  answeredAt: Number.NEGATIVE_INFINITY,
  reason: undefined,
});

interface Drawing {
  readonly parts: PermissionPanelParts;
  readonly waiting: number;
  readonly isAside: boolean;
  readonly area: Area;
}

function drawn({ question, offset, reason }: Shown, { parts, waiting, isAside, area }: Drawing): PanelLines {
  const line = reason && fieldLine(fieldOf(reason, area.width, parts).line, fieldLeft(area.width));
  const shown = { question, waiting, offset, isAside, measure: parts.measure(), ...(line && { reason: line }) };
  return panelLines(shown, area);
}

const fieldLeft = (width: number): number => (width < 20 ? 2 : 3);
const fieldOf = (field: TextField, width: number, { measure }: PermissionPanelParts) =>
  field.line(Math.max(1, width - fieldLeft(width) - 1), measure());

/** A living question meets a key that is its own to use. */
function pressed(state: State, key: Key, parts: PermissionPanelParts): boolean {
  const { shown } = state;
  if (!shown) return false;
  const name = keyName(key);
  if (shown.reason) return typeReason(shown, { key, field: shown.reason, parts });
  if (name === "tab") return parts.hasDraft() && toggled(state);
  if (answerKey(shown, { name, parts }) || scrolled(state, SCROLLS[name])) return true;
  return state.isFocused && parts.hasDraft();
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

/** Enter is used up and does nothing. */
function answerKey(
  shown: Shown,
  { name, parts }: { readonly name: string; readonly parts: PermissionPanelParts },
): boolean {
  if (name === "enter") return true;
  const answer = name === "escape" ? DENIAL : answersOf(shown.question).find(({ key }) => key === name);
  if (!answer) return false;
  if (answer.decision === "deny-with-reason") {
    shown.reason = createTextField({ placeholder: "what should it do instead?" });
    return true;
  }
  shown.answeredAt = parts.now();
  parts.respond(shown.question.requestId, answer.decision);
  return true;
}

const DENIAL = { key: "escape", decision: "deny" } as const;

const SCROLLS: Readonly<Record<string, number>> = { up: -1, down: 1, pageup: -8, pagedown: 8, home: -1e6, end: 1e6 };

/** False when there is nothing to scroll. */
function scrolled({ shown, drawn: lines }: State, rows: number | undefined): boolean {
  const most = lines?.scrollable ?? 0;
  if (!shown || rows === undefined || most === 0) return false;
  shown.offset = Math.max(0, Math.min(most, Math.min(shown.offset, most) + rows));
  return true;
}
