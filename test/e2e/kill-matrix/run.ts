/** One point of the matrix carried out: the task is run into its kills, resumed until it ends, and judged. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeModelsCache } from "../../../src/cli/models-cache.ts";
import { type Simulator, type SseEvent, startSimulator } from "../../../src/simulator/index.ts";
import { asListed, withWindows } from "../../support/house.ts";
import { AUX } from "../../support/summing-model.ts";
import { descendants, type Process } from "../processes.ts";
import { type Line, openStage, type Stage, TEST_KEY } from "../stage.ts";
import { frontFor } from "./front.ts";
import { type Judgement, judge } from "./judge.ts";
import { isEvident, type Part, sessionLog, wholeLines } from "./part.ts";
import { type Point, type Trigger, wireLabel } from "./points.ts";
import { FILES, MODEL, modelFor, PACE, WINDOW_TOKENS } from "./task.ts";
import { type Order, placesOf, type Report } from "./windows.ts";

export interface Outcome extends Judgement {
  readonly parts: readonly Part[];
}

interface Ground {
  readonly stage: Stage;
  readonly simulator: Simulator;
  readonly listeners: Set<(event: SseEvent, isSummary: boolean) => void>;
}

const MODELS = withWindows({ [MODEL]: WINDOW_TOKENS });

/** `traced`: watch the system calls also where none is to be met, for their counts. */
export async function carryOut(point: Point, { traced = false } = {}): Promise<Outcome> {
  const listeners: Ground["listeners"] = new Set();
  const stage = await openStage(FILES);
  const simulator = await startSimulator({
    script: modelFor(stage.project),
    models: MODELS,
    stream: PACE,
    keepRequests: 40,
    onEvent(event, request) {
      const isSummary = (request.body as { readonly model?: string }).model === AUX;
      for (const listener of listeners) listener(event, isSummary);
    },
  });
  try {
    writeModelsCache(stage.state, { fetchedAt: Date.now(), models: MODELS.map(asListed) }, simulator.url);
    stage.commit();
    const ground = { stage, simulator, listeners };
    const parts: Part[] = [];
    for (const trigger of point.triggers) {
      parts.push(await runInto(ground, point, { trigger, traced }));
      if (!parts.at(-1)?.isMet) break;
    }
    if (parts.every(({ isMet }) => isMet)) parts.push(await runInto(ground, point, { traced }));
    const judgement = await judge({ stage, simulator, parts, front: point.front });
    return { ...judgement, parts };
  } finally {
    await simulator.close();
    stage.close();
  }
}

interface How {
  readonly trigger?: Trigger;
  readonly traced: boolean;
}

async function runInto({ stage, simulator, listeners }: Ground, { front: name }: Point, how: How): Promise<Part> {
  const { trigger, traced } = how;
  const front = frontFor(name, wholeLines(sessionLog(stage)?.text ?? ""));
  const isTraced = traced || trigger?.kind === "window";
  const tracing = isTraced ? traceOrder(stage, trigger) : undefined;
  const seen: Record<Trigger["kind"], Record<string, number>> = { wire: {}, line: {}, window: {} };
  let children: readonly Process[] | undefined;

  const running = stage.start(front.args, {
    ...(name === "stream" && { stdin: { silent: true } }),
    ...(tracing && { shell: 'exec "$TRACE_BUN" "$TRACE_PROGRAM" "$TRACE_ORDER" "$KHAELOR" "$@"' }),
    env: { ANTHROPIC_API_KEY: TEST_KEY, ANTHROPIC_BASE_URL: simulator.url, ...tracing?.env },
    onOutput: (text) => void takeOutput(text),
  });
  const kill = (): void => {
    if (children) return;
    running.kill("SIGSTOP"); // its children are all of it from here on
    children = descendants(running.pid);
    running.kill("SIGKILL");
  };
  /** Counts the place; true when it is the one to be killed at. */
  const isThere = (kind: Trigger["kind"], label: string): boolean => {
    seen[kind][label] = (seen[kind][label] ?? 0) + 1;
    return trigger?.kind === kind && trigger.label === label && trigger.nth === seen[kind][label];
  };
  const takeOutput = linewise((line) => {
    if (children) return;
    if (isThere("line", line.type)) return kill();
    for (const answer of front.answer(line)) send(answer);
  });
  let isCompacting = false;
  const send = (command: object | "end"): void => {
    if (command !== "end") isCompacting = (command as { readonly kind: string }).kind === "slash";
    running.write(command === "end" ? undefined : `${JSON.stringify(command)}\n`);
  };
  const listen = (event: SseEvent, isSummary: boolean): void => {
    const purpose = isSummary ? (isCompacting ? "summary-on-demand " : "summary ") : "";
    if (!isThere("wire", purpose + wireLabel(event)) || trigger?.kind !== "wire") return;
    if (trigger.delayMs === 0) kill();
    else setTimeout(kill, trigger.delayMs);
  };
  listeners.add(listen);
  for (const command of front.opening) send(command);
  const ran = await running.done;
  listeners.delete(listen);
  const report = tracing?.report();
  const log = sessionLog(stage)?.text;
  const isKilled = (children !== undefined && ran.signal === "SIGKILL") || (report?.isMet ?? false);
  return {
    ran,
    isMet: isKilled && trigger !== undefined && isEvident(trigger, stage, log),
    seen: { ...seen, window: report?.counts ?? {} },
    children: children ?? report?.children ?? [],
    log,
    isLate: front.isLate,
  };
}

function traceOrder(stage: Stage, trigger: Trigger | undefined) {
  const path = join(mkdtempSync(join(stage.root, "trace-")), "order.json");
  const [window, nth] = trigger?.kind === "window" ? [trigger.label, trigger.nth] : ["", 0];
  const order: Order = { places: placesOf(stage), window, nth };
  writeFileSync(path, JSON.stringify(order));
  return {
    env: { TRACE_BUN: process.execPath, TRACE_PROGRAM: join(import.meta.dir, "tracer.ts"), TRACE_ORDER: path },
    report: () => JSON.parse(readFileSync(`${path}.report`, "utf8")) as Report,
  };
}

function linewise(onLine: (line: Line) => void): (text: string) => void {
  let rest = "";
  return (text) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) onLine(JSON.parse(part) as Line);
  };
}
