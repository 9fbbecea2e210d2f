/**
 * Commands of the user's own that were sent and are not recorded yet: the oldest runs, or waits for the turn before it. No event
 * tells that one began; its record tells that it is over, and they are recorded in the order in which they were sent.
 */
import type { LogEvent } from "../../shared/index.ts";
import type { Activity, LiveBlock } from "./items.ts";

export interface OwnCommands {
  /** `at`: epoch milliseconds. */
  add(command: string, at: number): void;
  /** `isAtRest`: behind the event no turn runs. */
  record(event: LogEvent, isAtRest: boolean): void;
  /** `live` and, behind it, those that are under way. The same list as long as nothing changes. */
  behind(live: readonly LiveBlock[]): readonly LiveBlock[];
  /** What goes on while no turn runs. */
  activity(): Activity;
}

const NONE: readonly LiveBlock[] = [];

export function createOwnCommands(): OwnCommands {
  let sent: readonly { readonly block: LiveBlock; readonly what: string; readonly at: number }[] = [];
  let count = 0;
  let wasAtRest = true;
  /** Since then nothing else keeps the oldest from running. */
  let freeSince = 0;
  let last = { live: NONE, sent, list: NONE };
  return {
    add(what, at) {
      count += 1;
      sent = [...sent, { what, at, block: { key: `own-${count}`, kind: "call", name: "!", what, pieces: [] } }];
    },
    record(event, isAtRest) {
      const isOver = !("opaque" in event) && event.type === "user.message-created" && event.payload.shell !== undefined;
      if (isOver) sent = sent.slice(1);
      if (isOver || (isAtRest && !wasAtRest)) freeSince = event.ts;
      wasAtRest = isAtRest;
    },
    behind(live) {
      if (sent.length === 0) return live;
      if (last.live !== live || last.sent !== sent) {
        last = { live, sent, list: [...live, ...sent.map(({ block }) => block)] };
      }
      return last.list;
    },
    activity() {
      const [oldest] = sent;
      if (!oldest) return { kind: "idle" };
      return { kind: "own-command", what: oldest.what, since: Math.max(oldest.at, freeSince) };
    },
  };
}
