/**
 * All that the interface shows of a session, as plain data: the timeline, what streams, what waits, what is going on. Made
 * from events alone; the same for a session that is watched and one that is replayed.
 */
import type { DurableEvent, LogEvent } from "../../shared/index.ts";
import { activityOf, type Doings, doings } from "./activity.ts";
import { addOutput } from "./call-items.ts";
import type { CoalescedFrame } from "./frame.ts";
import type { Activity, Item, LiveBlock, NoteItem, OpenQuestion, QueuedChip } from "./items.ts";
import { ends, type Lane, type LaneKind, laneOf, settlementOf } from "./lanes.ts";
import { createLiveBlocks, type LiveBlocks, type SettledBlock } from "./live-blocks.ts";
import { timeline } from "./timeline.ts";
import { changedSince, push, type Timeline } from "./timeline-state.ts";

export interface ViewState {
  /**
   * Only ever grows at its end; an item that changes is a new object at the same index. What was read before and stands below
   * `changedSince(revision then)` is unchanged, so that a reader has to look at no more than what is new:
   * `from = min(items it knows, changedSince(revision it knows))`, then by reference from there on.
   */
  readonly items: readonly Item[];
  readonly live: readonly LiveBlock[];
  readonly queued: readonly QueuedChip[];
  /** In the order in which they were asked. */
  readonly questions: readonly OpenQuestion[];
  readonly activity: Activity;
  /** Rises with every change of `items`. */
  readonly revision: number;
  /** The lowest index at which an item was replaced after that revision; `items.length` when none was. Cheap. */
  readonly changedSince: (revision: number) => number;
}

export interface ViewModel {
  /** One event of the log's past. */
  replay(event: LogEvent): void;
  /** What is new since the frame before. */
  apply(frame: CoalescedFrame): void;
  /** Shows something that is not in the log, where the transcript ends now. */
  addNote(note: Omit<NoteItem, "id" | "seq">): void;
  /** Read it again after each call above; lists are shared and grow in place. */
  state(): ViewState;
}

export function createViewModel(): ViewModel {
  let folded: Timeline = timeline.initial();
  let doing: Doings = doings.initial();
  const live = createLiveBlocks();
  let notes = 0;

  function record(event: LogEvent): void {
    const before = folded.open?.requestId;
    folded = timeline.apply(folded, event);
    doing = doings.apply(doing, event);
    if (folded.open?.requestId !== before) live.clear();
    if ("opaque" in event || !isBlock(event)) return;
    if (event.payload.requestId === folded.open?.requestId) live.settle(event);
  }

  /** Of an answer that is not shown, such as a compaction's, or that is over, nothing is. */
  const isOpen = (key: string): boolean => key.slice(0, key.lastIndexOf("/")) === folded.open?.requestId;

  /** What a lane got, as something to be done once. */
  function show({ kind, id }: Lane, text: string): void {
    if (kind === "tool") folded = addOutput(folded, id, text);
    else if (kind === "text" && isOpen(id)) live.append(id, "answer", text);
    else if (kind === "thinking" && isOpen(id)) live.append(id, "thinking", text);
    else if (kind === "call" && folded.open) live.beginCall(id, text);
    else if (kind === "input" && folded.open) live.preview(id, text);
  }

  return {
    replay: record,
    apply(frame) {
      let waiting = lanesOf(frame, folded.open?.requestId);
      for (const event of frame.durables) {
        const settlement = settlementOf(event);
        const [due, rest] = partition(waiting, ({ lane }) => ends(settlement, lane));
        for (const { lane, text } of due) show(lane, text);
        waiting = rest;
        record(event);
      }
      for (const { lane, text } of waiting) show(lane, text);
    },
    addNote(note) {
      notes += 1;
      folded = push(folded, { ...note, id: `note-${notes}`, seq: 0 });
    },
    state: () => stateOf(folded, doing, live),
  };
}

function stateOf(folded: Timeline, doing: Doings, live: LiveBlocks): ViewState {
  const { items, queued, questions, revision } = folded;
  return {
    items,
    live: live.list(),
    queued,
    questions,
    activity: activityOf(doing, questions.length > 0, live.newest()),
    revision,
    changedSince: (known) => changedSince(folded, known),
  };
}

const isBlock = (event: DurableEvent): event is SettledBlock =>
  event.type === "model.text-block-completed" ||
  event.type === "model.thinking-block-completed" ||
  event.type === "tool.requested";

interface Append {
  readonly lane: Lane;
  readonly text: string;
}

/** In the order in which they can be shown: a call is begun before its input is read. */
function lanesOf(frame: CoalescedFrame, requestId: string | undefined): readonly Append[] {
  const appends = (kind: LaneKind, texts: ReadonlyMap<string, string>): Append[] =>
    Array.from(texts, ([id, text]) => ({ lane: laneOf(kind, id, requestIdOf(kind, id, requestId)), text }));
  return [
    ...appends("thinking", frame.thinkingAppends),
    ...appends("text", frame.textAppends),
    ...appends("call", frame.toolCallsStarted),
    ...appends("input", frame.toolInputPreviews),
    ...appends("tool", frame.toolOutputAppends),
  ];
}

function requestIdOf(kind: LaneKind, id: string, open: string | undefined): string | undefined {
  if (kind === "tool") return undefined;
  return kind === "text" || kind === "thinking" ? id.slice(0, id.lastIndexOf("/")) : open;
}

function partition<T>(list: readonly T[], belongs: (one: T) => boolean): readonly [readonly T[], readonly T[]] {
  if (list.length === 0) return [list, list];
  return [list.filter(belongs), list.filter((one) => !belongs(one))];
}
