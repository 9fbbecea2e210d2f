/** The process family: background processes, which outlive turns but not the program. */
import { durable, ephemeral } from "./define.ts";

export const processStarted = durable(
  "process.started",
  {
    processId: "string",
    pid: "number.integer",
    command: "string",
    cwd: "string",
    "name?": "string",
    "toolUseId?": "string",
  },
  "A background process began; `processId` stays its name whatever the system does with the pid.",
);

export const processExited = durable(
  "process.exited",
  {
    processId: "string",
    exitCode: "number.integer | null",
    "signal?": "string",
    cause: "'exited' | 'stopped-by-tool' | 'khaelor-shutdown' | 'crashed'",
    durationMs: "number",
  },
  "The process ended. A null exit code means that `signal` killed it, or that nobody saw how it ended.",
);

export const processOutput = ephemeral(
  "process.output",
  { processId: "string", stream: "'stdout' | 'stderr'", chunk: "string" },
  "Live output of a background process, control sequences removed; both streams come as one, named stdout.",
);
