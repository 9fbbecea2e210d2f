/**
 * Where turns begin, for folds that count by turn: with a message of the user's own, and with a queued one that is delivered
 * between turns or was to be a turn of its own. The same rule as the turn state's.
 */
import { type LogEvent, projection } from "../../shared/index.ts";

export interface TurnBounds {
  readonly isOpen: boolean;
  /** Whether what waits in the queue is a turn of its own, by event id. */
  readonly queued: ReadonlyMap<string, boolean>;
}

export const turnBounds = projection<TurnBounds>("turn-bounds", () => ({ isOpen: false, queued: new Map() }), {
  "session.resumed": (state, { payload }) => (payload.fork ? { ...state, queued: new Map() } : state),
  "user.message-created": (state, { payload }) => (payload.shell ? state : opened(state, true)),
  "user.steering-queued": (state, { payload, id }) => ({
    ...state,
    queued: new Map(state.queued).set(id, payload.deliver === "next-turn"),
  }),
  "user.steering-injected": (state, { payload: { queuedEventId, seam } }) => {
    if (!state.queued.has(queuedEventId)) return state;
    const queued = new Map(state.queued);
    queued.delete(queuedEventId);
    return { isOpen: state.isOpen || seam !== "withdrawn", queued };
  },
  "user.interrupted": (state) => opened(state, false),
  "task.completed": (state) => opened(state, false),
  "task.failed": (state) => opened(state, false),
});

const opened = (state: TurnBounds, isOpen: boolean): TurnBounds =>
  state.isOpen === isOpen ? state : { ...state, isOpen };

/** Whether a turn begins with this event, given what came before it. */
export function beginsTurn({ isOpen, queued }: TurnBounds, event: LogEvent): boolean {
  if ("opaque" in event) return false;
  if (event.type === "user.message-created") return event.payload.by !== "kernel" && !event.payload.shell;
  if (event.type !== "user.steering-injected" || event.payload.seam === "withdrawn") return false;
  const isOwnTurn = queued.get(event.payload.queuedEventId);
  return isOwnTurn !== undefined && (isOwnTurn || !isOpen);
}
