/** The background processes of one engine: what happens to them is recorded in its session for as long as that is open. */
import type { SessionHandle } from "../session/index.ts";
import { errorMessage, type KhaelorEvent, type Logger } from "../shared/index.ts";
import { createProcessManager, type ProcessManager } from "../tools/index.ts";
import type { LocalWorkspace } from "../workspace/index.ts";
import type { Engine } from "./engine.ts";

/** The tools need it before the session is open; it starts nothing until `recordProcesses` says where to. */
export const processesIn = (workspace: LocalWorkspace, now: () => number): ProcessManager =>
  createProcessManager({ host: workspace, cwd: workspace.cwd(), now });

export function recordProcesses(processes: ProcessManager, session: SessionHandle, logger: Logger): void {
  processes.open(
    {
      started: (payload) => void session.publish({ type: "process.started", payload }),
      exited(payload) {
        try {
          session.publish({ type: "process.exited", payload });
        } catch (error) {
          // Nobody waits here whom it could be told. A log that cannot be written ends the next turn, and a resume finds
          // this process among the living and records its end.
          logger.warn("the end of a process was not recorded", { id: payload.processId, error: errorMessage(error) });
        }
      },
      output(processId, chunk) {
        if (chunk !== "") {
          session.publishEphemeral({ type: "process.output", payload: { processId, stream: "stdout", chunk } });
        }
      },
    },
    session.state().processes.lastNumber,
  );
}

/** A run that is over ends its processes before it tells its result, so that the result is the last of all. */
export async function endProcesses(
  { session, stopProcesses }: Engine,
  onEvent: (event: KhaelorEvent) => void,
): Promise<void> {
  const unsubscribe = session.bus.onAny(onEvent);
  try {
    await stopProcesses();
  } finally {
    unsubscribe();
  }
}
