/** A long log is opened in the memory of its conversation and one chunk: what the folds keep does not grow with the events. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { ID, line, lines, said, started, type Workshop, workshop } from "./workshop.ts";

const USAGE = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 };
const EVENTS_OF_A_STEP = 7;
const STEPS_OF_A_TURN = 20;
const EVIDENCE = { objective: "", changedFiles: [], checks: [], unresolvedIssues: [] };

/** A call that reads a file. */
function step(seq: number): readonly string[] {
  const [requestId, toolUseId] = [`r${seq}`, `toolu_${seq}`];
  return [
    line(seq, "model.request-started", {
      requestId,
      model: "m",
      purpose: "main",
      contextStats: { estimatedInputTokens: 1, sections: [] },
    }),
    line(seq + 1, "tool.requested", {
      requestId,
      blockIndex: 0,
      toolUseId,
      toolName: "bash",
      input: { command: "make" },
    }),
    line(seq + 2, "model.response-completed", { requestId, stopReason: "tool_use", usage: USAGE, durationMs: 1 }),
    line(seq + 3, "tool.approved", { toolUseId, via: "policy-allow" }),
    line(seq + 4, "tool.started", { toolUseId, toolName: "bash" }),
    line(seq + 5, "file.read", { toolUseId, path: `src/${seq % 50}.ts`, sha256: `${seq}`, bytes: 1, mtimeMs: 1 }),
    line(seq + 6, "tool.completed", {
      toolUseId,
      modelText: `${"x".repeat(200)} ${seq}`,
      durationMs: 1,
      ui: { kind: "exec", summary: "", exitCode: 0 },
    }),
  ];
}

/** Turns of twenty steps, each summed up at its end. */
function turn(seq: number): readonly string[] {
  const steps = Array.from({ length: STEPS_OF_A_TURN }, (_, at) => step(seq + 1 + at * EVENTS_OF_A_STEP)).flat();
  const end = seq + 1 + steps.length;
  const compacted = {
    checkpointYaml: "done",
    cut: { fromSeq: 1, toSeq: end },
    trigger: "proactive-token-budget",
    tokensBefore: 1,
    summaryModel: "m",
  };
  return [
    said(seq, "go on"),
    ...steps,
    line(end, "task.completed", { evidence: EVIDENCE }),
    line(end + 1, "context.compacted", compacted),
  ];
}

function writeLog(room: Workshop, turns: number): void {
  const whole: string[] = [started()];
  for (let at = 0; at < turns; at++) whole.push(...turn(whole.length + 1));
  room.write(lines(...whole));
}

interface Left {
  readonly events: number;
  readonly objects: number;
  readonly bytes: number;
  readonly peakBytes: number;
}

async function opened(turns: number): Promise<Left> {
  using room = workshop();
  writeLog(room, turns);
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "fixtures/open-log.ts"), room.home, ID], {
    stdout: "pipe",
  });
  return JSON.parse(await new Response(child.stdout).text()) as Left; // as: the fixture prints it
}

test("ten times the events leave no more behind than the names of their calls", async () => {
  const short = await opened(70);
  const long = await opened(700);
  expect([short.events, long.events]).toEqual([10_011, 100_101]);
  const more = long.events - short.events;
  expect((long.objects - short.objects) / more).toBeLessThan(0.2); // an id for each of seven events; an event has two objects at least
  expect((long.bytes - short.bytes) / more).toBeLessThan(40);
  expect(long.peakBytes / short.peakBytes).toBeLessThan(3);
}, 20_000);
