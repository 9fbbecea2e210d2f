/** Queued text comes back into the draft. Only what the engine says was withdrawn: what has been delivered is not said twice. */
import type { KhaelorEvent } from "../../shared/index.ts";
import type { QueuedChip } from "../model/items.ts";
import type { Editor } from "../screen/port.ts";
import type { ComposerParts } from "./composer-parts.ts";
import { chipsOf } from "./said-chips.ts";

export interface TakeBack {
  /** The newest that waits. False: nothing does. */
  take(): boolean;
  observe(event: KhaelorEvent): void;
}

export function createTakeBack({ editor, queued, withdraw }: ComposerParts): TakeBack {
  const wanted = new Map<string, QueuedChip>();
  return {
    take() {
      const newest = queued().findLast(({ eventId }) => !wanted.has(eventId));
      if (!newest) return false;
      wanted.set(newest.eventId, newest);
      withdraw(newest.eventId);
      return true;
    },
    observe(event) {
      if (event.type !== "user.steering-injected") return;
      const { queuedEventId, seam } = event.payload;
      const chip = wanted.get(queuedEventId);
      wanted.delete(queuedEventId);
      if (chip && seam === "withdrawn") putBefore(editor(), chip);
    },
  };
}

function putBefore(at: Editor, { text, mentions }: QueuedChip): void {
  at.setCursor(0);
  at.insert(at.text() === "" ? text : `${text}\n\n`);
  const chips = chipsOf(text, mentions);
  if (chips.length === 0) return;
  const cursor = at.cursor();
  at.setText(at.text(), [...chips, ...at.chips()]);
  at.setCursor(cursor);
}
