/**
 * What stands around the transcript and follows the session by itself: header, status bar, queued instructions, the pill, the
 * question that waits, the terminal's title and its notifications. It owns two timers: one that ticks while something takes
 * time, and one that ends a message; at rest there is none.
 *
 * Plugged in: `parts` go into `composeFrame`; `update` is called after each change of the session's state and of the draft;
 * `focused` is told; `end` stops the timers.
 */
import type { Clock } from "../../shared/index.ts";
import type { Measure } from "../layout/width.ts";
import type { Tone } from "../line.ts";
import { createAttentionWatch, terminalTitle } from "../model/attention.ts";
import type { ViewState } from "../model/view-model.ts";
import type { SessionFacts } from "../ports.ts";
import type { Screen } from "../screen/port.ts";
import { nextTick } from "../view/activity-words.ts";
import { chipLines } from "../view/chips.ts";
import type { FrameParts } from "../view/frame.ts";
import { headerLine } from "../view/header.ts";
import { createPermissionPanel, type PermissionPanel, type PermissionPanelParts } from "../view/permission-panel.ts";
import { pillLine } from "../view/pill.ts";
import { type StatusParts, statusLine } from "../view/status-bar.ts";
import type { Transcript } from "../view/transcript.ts";
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
  /** At the far right of the status bar. */
  readonly hint: () => string;
}

export interface Surroundings {
  readonly parts: Pick<FrameParts, "header" | "status" | "chips" | "pill">;
  update(): void;
  focused(hasFocus: boolean): void;
  /** The terminal was somebody else's for a while: what stands on it is seen anew. */
  returned(): void;
  /** In the status bar for a while, or until the next one. */
  say(text: string, tone?: Tone): void;
  end(): void;
}

/** How long a message stands in the status bar. */
const MESSAGE_MS = 4000;

export function createSurroundings(parts: SurroundingsParts): Surroundings {
  const { clock, measure, state, facts, transcript, screen } = parts;
  const draw = () => screen()?.requestFrame();
  const panel = createQuestionPanel(parts, draw);
  const outside = createOutside(parts);
  const ticking = createTimer(clock);
  const ending = createTimer(clock);
  let message: StatusParts["message"];

  /** A second more has gone by: the words change although nothing happened. */
  function tick(): void {
    const after = nextTick(state().activity, clock.now());
    if (after === undefined) ticking.stop();
    else {
      ticking.start(after, () => {
        draw();
        tick();
      });
    }
  }

  return {
    parts: {
      header: (width) => headerLine({ facts: facts(), measure: measure() }, width),
      status: (width) =>
        statusLine(
          {
            facts: facts(),
            activity: state().activity,
            now: clock.now(),
            measure: measure(),
            hint: parts.hint(),
            isMouseFree: parts.isMouseFree(),
            ...(message && { message }),
          },
          width,
        ),
      chips: (width) => chipLines({ queued: state().queued, measure: measure() }, width),
      pill: (width, under) =>
        pillLine(
          { isFollowing: transcript.isFollowing(), unseen: transcript.unseen(), measure: measure() },
          width,
          under,
        ),
    },
    update() {
      panel.update();
      outside.update();
      tick();
    },
    focused: outside.focused,
    returned: panel.reappear,
    say(text, tone = "muted") {
      message = { text, tone };
      ending.start(MESSAGE_MS, () => {
        message = undefined;
        draw();
      });
      draw();
    },
    end() {
      panel.dispose();
      ticking.stop();
      ending.stop();
    },
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
function createQuestionPanel(parts: SurroundingsParts, onChange: () => void) {
  const { clock, measure, hasDraft, toDraft, respond, layers, transcript, state } = parts;
  const { now, after } = clock;
  const isElsewhere = () => layers.list()[0] !== panel || transcript.focused() !== undefined;
  const panel: PermissionPanel = createPermissionPanel({
    ...{ measure, now, after, hasDraft, toDraft, isElsewhere, respond, onChange },
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
