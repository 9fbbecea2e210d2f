/** The instructions that wait for their seam: said while a turn ran, and not part of the conversation yet. */
import { type Projection, projection } from "../../shared/index.ts";
import type { QueuedChip } from "./items.ts";

type Queue = readonly QueuedChip[];

export const queuedChips: Projection<Queue> = projection<Queue>("queued-chips", () => [], {
  "user.steering-queued": (queue, { id, payload }) => {
    const { text, deliver = "now", mentions = [], attachments = [] } = payload;
    return [...queue, { eventId: id, text, deliver, mentions, images: attachments.map(({ name }) => name) }];
  },
  "user.steering-injected": (queue, { payload }) => queue.filter(({ eventId }) => eventId !== payload.queuedEventId),
  // What waited in the other session is said there.
  "session.resumed": (queue, { payload }) => (payload.fork && queue.length > 0 ? [] : queue),
});
