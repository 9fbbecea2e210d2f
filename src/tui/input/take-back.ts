/** Queued text comes back into the draft. Only what the engine says was withdrawn: what has been delivered is not said twice. */
import type { KhaelorEvent } from "../../shared/index.ts";
import type { ComposerParts } from "./composer-parts.ts";

export interface TakeBack {
  /** The newest that waits. False: nothing does. */
  take(): boolean;
  observe(event: KhaelorEvent): void;
}

export function createTakeBack({ editor, queued, withdraw }: ComposerParts): TakeBack {
  const wanted = new Map<string, string>();
  return {
    take() {
      const newest = queued().findLast(({ eventId }) => !wanted.has(eventId));
      if (!newest) return false;
      wanted.set(newest.eventId, newest.text);
      withdraw(newest.eventId);
      return true;
    },
    observe(event) {
      if (event.type !== "user.steering-injected") return;
      const { queuedEventId, seam } = event.payload;
      const text = wanted.get(queuedEventId);
      wanted.delete(queuedEventId);
      if (text === undefined || seam !== "withdrawn") return;
      const at = editor();
      at.setCursor(0);
      at.insert(at.text() === "" ? text : `${text}\n\n`);
    },
  };
}
