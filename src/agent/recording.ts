/** Two small ways to record: several events at once, and a sync that nobody waits for. */
import type { SessionHandle } from "../session/index.ts";
import type { DurableInput } from "../shared/index.ts";

export const publishAll = (session: SessionHandle, inputs: readonly DurableInput[]): void => {
  for (const input of inputs) session.publish(input);
};

/** Starts a sync whose cost hides behind the next request. A failed sync stays failed: the next awaited one throws it. */
export const syncInBackground = (session: SessionHandle): void => void session.sync().catch(() => undefined);
