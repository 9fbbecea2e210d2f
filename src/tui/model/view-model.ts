/**
 * All that the interface shows of a session, as plain data: the timeline, what streams, what waits, what is going on. Made
 * from events alone; the same for a session that is watched and one that is replayed.
 */
import type { LogEvent } from "../../shared/index.ts";
import type { CoalescedFrame } from "./frame.ts";
import type { Activity, Item, LiveBlock, NoteItem, OpenQuestion, QueuedChip } from "./items.ts";
import { type Timeline, timeline } from "./timeline.ts";

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

interface Block {
  key: string;
  kind: LiveBlock["kind"];
  pieces: string[];
}

export function createViewModel(): ViewModel {
  let folded: Timeline = timeline.initial();
  const live = new Map<string, Block>();

  function append(key: string, kind: LiveBlock["kind"], text: string): void {
    const block = live.get(key) ?? { key, kind, pieces: [] };
    block.pieces.push(text);
    live.set(key, block);
  }

  function record(event: LogEvent): void {
    folded = timeline.apply(folded, event);
    if ("opaque" in event) return;
    if (event.type === "model.text-block-completed" || event.type === "model.thinking-block-completed") {
      live.delete(`${event.payload.requestId}/${event.payload.blockIndex}`);
    }
  }

  return {
    replay: record,
    apply(frame) {
      for (const [key, text] of frame.textAppends) append(key, "answer", text);
      for (const [key, text] of frame.thinkingAppends) append(key, "thinking", text);
      for (const event of frame.durables) record(event);
    },
    addNote: () => undefined,
    state: () => ({
      items: folded.items,
      live: [...live.values()],
      queued: [],
      questions: [],
      activity: { kind: "idle" },
      revision: folded.items.length,
      changedSince: () => 0,
    }),
  };
}
