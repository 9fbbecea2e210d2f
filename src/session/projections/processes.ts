/** The background processes of a session as its log tells of them: which live, and how the last ones ended. */
import { type DurableEvent, type Projection, projection } from "../../shared/index.ts";
import type { EndedProcess, LiveProcess, ProcessTable } from "../types.ts";

/** Older ones are history: the log has them. */
const MAX_ENDED = 8;

export const processTable: Projection<ProcessTable> = projection<ProcessTable>(
  "processes",
  () => ({ live: [], ended: [], lastNumber: 0 }),
  {
    "process.started": (state, { payload, ts }) => {
      const { processId, pid, command } = payload;
      const started: LiveProcess = { processId, pid, command, startedAt: ts };
      const others = state.live.filter((entry) => entry.processId !== processId);
      return { ...state, live: [...others, started], lastNumber: Math.max(state.lastNumber, numberOf(processId)) };
    },
    "process.exited": (state, { payload }) => {
      const known = state.live.find(({ processId }) => processId === payload.processId);
      if (!known) return state;
      const live = state.live.filter((entry) => entry !== known);
      return { ...state, live, ended: [...state.ended, ended(known, payload)].slice(-MAX_ENDED) };
    },
  },
);

/** Of p7: 7. A name that another version gave has none. */
function numberOf(processId: string): number {
  const digits = /^p(\d{1,15})$/.exec(processId)?.[1];
  return digits === undefined ? 0 : Number(digits);
}

function ended(
  { processId, command }: LiveProcess,
  { cause, exitCode, signal }: DurableEvent<"process.exited">["payload"],
): EndedProcess {
  return { processId, command, cause, exitCode, ...(signal !== undefined && { signal }) };
}
