/**
 * All that the interface shows of a session, as plain data: the timeline, what streams, what waits, what is going on. Made
 * from events alone; the same for a session that is watched and one that is replayed.
 */
import type { DurableEvent, LogEvent } from "../../shared/index.ts";
import { activityOf, type Doings, doings } from "./activity.ts";
import { addOutput } from "./call-items.ts";
import type { PriceOf } from "./compactions.ts";
import type { CoalescedFrame } from "./frame.ts";
import type { Activity, Item, LiveBlock, NoteItem, OpenQuestion, QueuedChip } from "./items.ts";
import { createLiveBlocks, type SettledBlock } from "./live-blocks.ts";
import { breakOff } from "./open-answer.ts";
import { createOwnCommands } from "./own-commands.ts";
import { timelineWith } from "./timeline.ts";
import { changedSince, push, type Timeline } from "./timeline-state.ts";
import { type Bounds, HELD, withinBounds } from "./window.ts";

export interface ViewState {
  /**
   * Grows at its end; an item that changes is a new object at the same index. What was read before and stands below
   * `changedSince(revision then)` is unchanged, so that a reader has to look at no more than what is new:
   * `from = min(items it knows, changedSince(revision it knows))`, then by reference from there on.
   */
  readonly items: readonly Item[];
  /**
   * Of a long session the oldest items are given up, and a notice stands at index 0 in their place; so many places all others have
   * moved towards the beginning then, in all. What is read by index is read again by its new one; `changedSince` is 0 after it.
   */
  readonly moved: number;
  /** The id of the first item that ever was: in another session it is another. */
  readonly origin: string | undefined;
  readonly live: readonly LiveBlock[];
  readonly queued: readonly QueuedChip[];
  /** In the order in which they were asked. */
  readonly questions: readonly OpenQuestion[];
  readonly activity: Activity;
  /** The user stopped the turn, and no item says so yet: what is kept of the answer comes first. */
  readonly isStopped: boolean;
  /** Rises with every change of `items`. */
  readonly revision: number;
  /** The lowest index at which an item was replaced after that revision; `items.length` when none was. Cheap. */
  readonly changedSince: (revision: number) => number;
}

export interface ViewModel {
  /** One event of the log's past. */
  replay(event: LogEvent): void;
  /** Something is missing here: what, in words. What comes behind it is shown as far as it tells anything. */
  replayGap(words: string): void;
  /** What is new since the frame before. */
  apply(frame: CoalescedFrame): void;
  /** A command of the user's own was sent, at that time in epoch milliseconds. */
  addCommand(command: string, at: number): void;
  /** Shows something that is not in the log, where the transcript ends now. */
  addNote(note: Omit<NoteItem, "id" | "seq">): void;
  /** Read it again after each call above; lists are shared and grow in place. */
  state(): ViewState;
}

export interface ViewModelParts {
  /** Of what is reported; without it no cost is told. */
  readonly price?: PriceOf;
  /** Whether a summary is made at the moment, between two turns. */
  readonly isCompacting?: () => boolean;
  /** It is only looked at: what waits for an answer cannot be answered, and what goes on goes on elsewhere. */
  readonly readOnly?: object | undefined;
  /** The session's: named where not all of it is shown. */
  readonly id?: string;
  /** The most that is held. */
  readonly held?: Bounds;
}

export function createViewModel(parts: ViewModelParts = {}): ViewModel {
  const { price, isCompacting = () => true, readOnly, id: sessionId, held = HELD } = parts;
  const timeline = timelineWith(price);
  let folded: Timeline = timeline.initial();
  let doing: Doings = doings.initial();
  const live = createLiveBlocks();
  const own = createOwnCommands();
  let notes = 0;
  /** Of the summary that streams. */
  let characters = 0;

  function record(event: LogEvent): void {
    const before = folded.open?.requestId;
    const summary = doing.summary?.id;
    folded = withinBounds(timeline.apply(folded, event), held, sessionId);
    doing = doings.apply(doing, event);
    if (doing.summary?.id !== summary) characters = 0;
    own.record(event, doing.turn === undefined);
    const isBegun = event.type === "model.request-started" && folded.open?.blocks.length === 0;
    if (isBegun || folded.open?.requestId !== before) live.clear();
    if ("opaque" in event || !isBlock(event)) return;
    if (event.payload.requestId === folded.open?.requestId) live.settle(event);
  }

  /** Of an answer that is not shown, such as a compaction's, or that is over, nothing is. */
  function stream(kind: "answer" | "thinking", texts: ReadonlyMap<string, string>): void {
    for (const [key, text] of texts) if (requestOf(key) === folded.open?.requestId) live.append(key, kind, text);
  }

  return {
    replay: record,
    replayGap(words) {
      live.clear();
      folded = withinBounds(breakOff(folded, words), held, sessionId);
    },
    // Events first: what they settle is there whole then, and what streamed of it adds nothing any more.
    apply(frame) {
      for (const event of frame.durables) record(event);
      stream("thinking", frame.thinkingAppends);
      stream("answer", frame.textAppends);
      characters += charactersOf(doing.summary?.id, frame.textAppends);
      if (folded.open) {
        for (const [id, name] of frame.toolCallsStarted) live.beginCall(id, name);
        for (const [id, partialJson] of frame.toolInputPreviews) live.preview(id, partialJson);
      }
      for (const [id, text] of frame.toolOutputAppends) folded = addOutput(folded, id, text);
    },
    addCommand: own.add,
    addNote(note) {
      folded = withinBounds(push(folded, { ...note, id: `note-${++notes}`, seq: 0 }), held, sessionId);
    },
    state() {
      const { queued, questions } = folded;
      const ofTurn = activityOf(doing, {
        isAsking: questions.length > 0,
        newest: live.newest(),
        characters,
        isCompacting,
      });
      return {
        ...itemsOf(folded),
        live: own.behind(live.list()),
        queued,
        questions,
        activity: ofTurn.kind === "idle" ? own.activity() : ofTurn,
        ...(readOnly && AT_REST),
        isStopped: folded.stopped !== undefined,
      };
    },
  };
}

type Items = Pick<ViewState, "items" | "moved" | "origin" | "revision" | "changedSince">;

const itemsOf = (state: Timeline): Items => ({
  items: state.items,
  moved: state.givenUp?.moved ?? 0,
  origin: state.origin,
  revision: state.revision,
  changedSince: (known) => changedSince(state, known),
});

/** Of a session that is only looked at. */
const AT_REST = { queued: [], questions: [], activity: { kind: "idle" } } as const;

/** Of a summary only how much there is is shown. */
function charactersOf(requestId: string | undefined, texts: ReadonlyMap<string, string>): number {
  let count = 0;
  for (const [key, text] of texts) if (requestOf(key) === requestId) count += text.length;
  return count;
}

const requestOf = (key: string): string => key.slice(0, key.lastIndexOf("/"));

const isBlock = (event: DurableEvent): event is SettledBlock =>
  event.type === "model.text-block-completed" ||
  event.type === "model.thinking-block-completed" ||
  event.type === "tool.requested";
