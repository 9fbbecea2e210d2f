/**
 * What stands around the transcript and follows the session by itself: header, status bar, queued instructions, the pill, the
 * question that waits, the terminal's title and its notifications. It owns two timers: one that ticks while something takes
 * time, and one that ends a message; at rest there is none.
 *
 * `parts` go into `composeFrame`; `update` is called after each change of the session's state, of the draft and of the layers.
 */
import { type Clock, steadyNow } from "../../shared/index.ts";
import type { Measure } from "../layout/width.ts";
import type { Line, Tone } from "../line.ts";
import { createAttentionWatch, terminalTitle } from "../model/attention.ts";
import type { ViewState } from "../model/view-model.ts";
import type { SessionFacts } from "../ports.ts";
import type { Screen } from "../screen/port.ts";
import { nextTick, toldSecond } from "../view/activity-words.ts";
import { chipLines } from "../view/chips.ts";
import type { FrameParts } from "../view/frame.ts";
import { headerLine } from "../view/header.ts";
import { createPermissionPanel, type PermissionPanel, type PermissionPanelParts } from "../view/permission-panel.ts";
import { pillLine } from "../view/pill.ts";
import { type StatusParts, statusLine } from "../view/status-bar.ts";
import type { Transcript } from "../view/transcript.ts";
import type { Core } from "./core.ts";
import type { LayerStack } from "./layers.ts";

export interface SurroundingsParts {
  readonly clock: Clock;
  readonly measure: () => Measure;
  readonly state: () => ViewState;
  /** Undefined until a session is open. */
  readonly facts: () => SessionFacts | undefined;
  readonly transcript: Pick<Transcript, "isFollowing" | "unseen" | "focused">;
  readonly layers: Pick<LayerStack, "pushUnder" | "remove" | "full" | "list">;
  /** Undefined until it is there. */
  readonly screen: () => Pick<Screen, "setTitle" | "notify" | "requestFrame"> | undefined;
  readonly hasDraft: PermissionPanelParts["hasDraft"];
  readonly toDraft: PermissionPanelParts["toDraft"];
  readonly respond: PermissionPanelParts["respond"];
  /** Notifications are wanted while the terminal is out of sight. */
  readonly notifications: boolean;
  readonly isMouseFree: () => boolean;
  readonly keyOf: Core["keyOf"];
  /** At the far right of the status bar. */
  readonly hint: () => string;
}

export interface Surroundings {
  readonly parts: Pick<FrameParts, "header" | "status" | "chips" | "pill">;
  update(): void;
  focused(hasFocus: boolean): void;
  /** The terminal was somebody else's for a while: what stands on it is seen anew. */
  returned(): void;
  /** In the status bar for a while, or until the next one; nothing takes the one that is there away. */
  say(text: string, tone?: Tone): void;
  end(): void;
}

/** How long a message stands in the status bar. */
const MESSAGE_MS = 4000;

export function createSurroundings(parts: SurroundingsParts): Surroundings {
  const { clock, state, screen } = parts;
  const draw = () => screen()?.requestFrame();
  const message = createMessage(clock, draw);
  const panel = createQuestionPanel({ ...parts, say: message.say }, draw);
  const outside = createOutside(parts);
  const ticking = createTimer(clock);
  let tickAt: number | undefined;

  /** A second more has gone by: the words change although nothing happened. */
  function tick(): void {
    const now = clock.now();
    const after = nextTick(state().activity, now);
    const at = after && now + after;
    if (at === tickAt) return;
    tickAt = at;
    ticking.stop();
    if (after === undefined) return;
    ticking.start(after, () => {
      tickAt = undefined;
      draw();
      tick();
    });
  }

  return {
    parts: createBars(parts, message.now),
    update() {
      panel.update();
      outside.update();
      tick();
    },
    focused: outside.focused,
    returned: panel.reappear,
    say: message.say,
    end() {
      panel.dispose();
      ticking.stop();
      message.end();
    },
  };
}

/** What is said for a while. */
function createMessage(clock: Clock, draw: () => void) {
  const ending = createTimer(clock);
  let message: StatusParts["message"];
  return {
    now: () => message,
    say(text: string, tone: Tone = "muted") {
      message = text === "" ? undefined : { text, tone };
      if (!message) ending.stop();
      else
        ending.start(MESSAGE_MS, () => {
          message = undefined;
          draw();
        });
      draw();
    },
    end: ending.stop,
  };
}

/** The lines around the transcript, as things are now. */
function createBars(parts: SurroundingsParts, messageNow: () => StatusParts["message"]): Surroundings["parts"] {
  const { clock, measure, state, facts, transcript, keyOf } = parts;
  const [header, status] = [createKept<Line>(), createKept<Line>()];
  return {
    header(width) {
      const of = { facts: facts(), measure: measure() };
      return header([width, of.facts, of.measure], () => headerLine(of, width));
    },
    status(width) {
      const [{ activity }, now, message] = [state(), clock.now(), messageNow()];
      const [hint, isMouseFree, stopKey] = [parts.hint(), parts.isMouseFree(), keyOf("interrupt")];
      const of = { facts: facts(), measure: measure(), hint, isMouseFree, stopKey };
      const from = [width, ...Object.values(of), message, ...Object.values(activity), toldSecond(activity, now)];
      return status(from, () => statusLine({ ...of, activity, now, ...(message && { message }) }, width));
    },
    chips: (width) => chipLines({ queued: state().queued, measure: measure(), takeBackKey: keyOf("take-back") }, width),
    pill(width, under) {
      const of = { isFollowing: transcript.isFollowing(), unseen: transcript.unseen(), measure: measure() };
      return pillLine(of, width, under);
    },
  };
}

/** A value that is made anew only when something that it is made from is another. */
function createKept<T>(): (from: readonly unknown[], make: () => T) => T {
  let last: { readonly from: readonly unknown[]; readonly value: T } | undefined;
  return (from, make) => {
    const isSame = last?.from.length === from.length && from.every((part, at) => part === last?.from[at]);
    if (!last || !isSame) last = { from, value: make() };
    return last.value;
  };
}

/** At most one task is due. */
function createTimer(clock: Clock) {
  let disarm: (() => void) | undefined;
  const stop = () => {
    disarm?.();
    disarm = undefined;
  };
  return {
    stop,
    start(ms: number, task: () => void) {
      stop();
      disarm = clock.after(ms, () => {
        disarm = undefined;
        task();
      });
    },
  };
}

/**
 * On the stack of layers exactly while something is asked and nothing covers the screen: nobody answers what he cannot see,
 * and what was covered appears anew. What is open keeps the keys.
 */
function createQuestionPanel(parts: SurroundingsParts & Pick<PermissionPanelParts, "say">, onChange: () => void) {
  const { clock, measure, hasDraft, toDraft, respond, say, layers, transcript, state } = parts;
  const isElsewhere = () => layers.list()[0] !== panel || transcript.focused() !== undefined;
  const panel: PermissionPanel = createPermissionPanel({
    measure,
    now: () => steadyNow(clock),
    after: clock.after,
    hasDraft,
    toDraft,
    isElsewhere,
    respond,
    say,
    onChange,
  });
  let isShown = false;
  return {
    reappear: panel.reappear,
    dispose: panel.dispose,
    update() {
      const isAsked = panel.update(layers.full() ? [] : state().questions);
      if (isAsked !== isShown) {
        isShown = isAsked;
        if (isAsked) layers.pushUnder(panel);
        else layers.remove(panel);
      }
    },
  };
}

/** What reaches beyond the screen. */
function createOutside({ state, facts, screen, layers, notifications }: SurroundingsParts) {
  const watch = createAttentionWatch();
  let hasFocus = true;
  let title = "";
  return {
    update() {
      const attention = watch.update(state());
      const isUnseen = !hasFocus || (attention?.kind === "question" && layers.full() !== undefined);
      if (attention && notifications && isUnseen) screen()?.notify(attention.text);
      const next = terminalTitle(facts()?.title ?? "", state());
      if (next === title || !screen()) return;
      title = next;
      screen()?.setTitle(title);
    },
    focused(has: boolean) {
      hasFocus = has;
    },
  };
}
