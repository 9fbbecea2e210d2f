/**
 * The interface in lines in a real house, on a terminal that is only a text: what is typed comes in as lines, what is written is
 * kept. A line is typed long after whatever was printed, unless it is typed `early`.
 */
import { expect } from "bun:test";
import { steadyNow, systemClock } from "../../../src/shared/index.ts";
import { type AppEnd, type LineTerminal, runLines, type StartChoice, type TypedLine } from "../../../src/tui/index.ts";
import { openTerminalHouse, type TerminalHouse, type TerminalHouseOptions } from "../../support/terminal-house.ts";

export interface LineStage {
  readonly house: TerminalHouse;
  /** Each line is entered; several go one after the other. */
  type(...lines: readonly string[]): void;
  /** In the moment in which it is called. */
  typeEarly(line: string): void;
  /** A line that was begun so long ago. */
  typeBegun(line: string, agoMs: number): void;
  problem(text: string): void;
  interrupt(): void;
  endInput(): void;
  stop(reason: unknown): void;
  /** All that was written. */
  text(): string;
  /** What was written since the newest `mark`. */
  since(): string;
  mark(): void;
  /** In what was written since the newest `mark`, which is set behind it. */
  waitFor(wanted: string | RegExp): Promise<void>;
  readonly ended: Promise<AppEnd>;
}

export interface LineStageOptions extends TerminalHouseOptions {
  readonly start?: StartChoice | ((house: TerminalHouse) => Promise<StartChoice>);
  readonly terminal?: Partial<Pick<LineTerminal, "look" | "isEchoed" | "unseen" | "columns">>;
  /** Keys that are stored. */
  readonly keys?: string[];
}

const LONG_AFTER_MS = 60_000;
const WAIT_MS = 10_000;
/** Of a test with a few waits, on a machine that has other things to do. */
export const STAGE_TIMEOUT_MS = 30_000;

export async function onLineStage(options: LineStageOptions, work: (stage: LineStage) => Promise<void>): Promise<void> {
  const house = await openTerminalHouse(options);
  const { start = { session: {} } } = options;
  const stage = openStage(house, options, typeof start === "function" ? await start(house) : start);
  try {
    await work(stage);
  } finally {
    stage.stop("test");
    await stage.ended;
    await house.close();
  }
}

function openStage(house: TerminalHouse, { terminal, keys = [] }: LineStageOptions, start: StartChoice): LineStage {
  const stop = new AbortController();
  const typed = createTyped();
  const paper = createWritten();
  const interrupts = new Set<() => void>();
  const port: LineTerminal = {
    write: paper.write,
    lines: typed.lines,
    columns: () => 100,
    look: { depth: "none", mode: "dark" },
    isEchoed: false,
    onInterrupt(act) {
      interrupts.add(act);
      return () => interrupts.delete(act);
    },
    stop: stop.signal,
    ...terminal,
  };
  const ports = {
    host: house.host,
    queries: house.queries,
    commands: house.commands,
    unknownCommand: house.unknownCommand,
    drafts: { load: async () => undefined, save: () => undefined },
    settings: {
      theme: "auto",
      mouse: true,
      vim: false,
      alternateScreen: true,
      notifications: true,
      screenReader: true,
      keybindings: {},
      home: house.root,
      version: "0",
    },
    outside: {
      edit: async () => ({ problem: "no editor" }),
      page: async () => undefined,
      copy: async () => false,
      isFile: () => false,
      storeKey: async (key: string) => void keys.push(key),
    },
  } as const;
  const at = (text: string, begunAt: number, endedAt = begunAt) => typed.push({ text, begunAt, endedAt });
  const now = () => steadyNow(systemClock);
  return {
    house,
    type(...lines) {
      for (const line of lines) at(line, now() + LONG_AFTER_MS);
    },
    typeEarly: (line) => at(line, now()),
    typeBegun: (line, agoMs) => at(line, now() - agoMs, now() + LONG_AFTER_MS),
    problem: (problem) => typed.push({ problem }),
    interrupt() {
      for (const act of interrupts) act();
    },
    endInput: typed.end,
    stop: (reason) => stop.abort(reason),
    text: paper.text,
    since: paper.since,
    mark: paper.mark,
    waitFor: paper.waitFor,
    ended: runLines(ports, start, port),
  };
}

function createTyped() {
  const waiting: TypedLine[] = [];
  let isOver = false;
  let wake = Promise.withResolvers<void>();
  const tell = () => {
    wake.resolve();
    wake = Promise.withResolvers();
  };
  return {
    push(line: TypedLine) {
      waiting.push(line);
      tell();
    },
    end() {
      isOver = true;
      tell();
    },
    lines: {
      async *[Symbol.asyncIterator]() {
        for (;;) {
          const next = waiting.shift();
          if (next) yield next;
          else if (isOver) return;
          else await wake.promise;
        }
      },
    },
  };
}

function createWritten() {
  let text = "";
  let marked = 0;
  const watchers = new Set<() => void>();
  return {
    write(more: string) {
      text += more;
      for (const look of [...watchers]) look();
    },
    text: () => text,
    since: () => text.slice(marked),
    mark() {
      marked = text.length;
    },
    async waitFor(wanted: string | RegExp) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const late = () => reject(new Error(`never written: ${wanted}\n${text.replace(/^/gm, "  | ")}`));
      const timer = setTimeout(late, WAIT_MS);
      const look = () => {
        const rest = text.slice(marked);
        const found = typeof wanted === "string" ? rest.indexOf(wanted) : rest.search(wanted);
        if (found < 0) return;
        const length = typeof wanted === "string" ? wanted.length : (wanted.exec(rest)?.[0].length ?? 0);
        marked += found + length;
        watchers.delete(look);
        expect(marked).toBeLessThanOrEqual(text.length); // that it was written is what most of these tests assert
        resolve();
      };
      watchers.add(look);
      look();
      await promise.finally(() => {
        clearTimeout(timer);
        watchers.delete(look);
      });
    },
  };
}

/** What differs from run to run is not what is looked at. */
export const steady = (text: string, { root }: TerminalHouse): string =>
  text
    .replaceAll(root, "~")
    .replace(/\b\d+(\.\d+)?s\b/g, "Ns")
    .replace(/ {3}● (read|write|edit) .*\n/g, "") // told only when a frame fell between its start and its end
    .replace(/[0-9A-HJKMNP-TV-Z]{26}/g, "ID");
