/**
 * The whole interface in one process: real host, commands, queries and drafts, the strict simulator, the library's screen in
 * memory. Its clock runs ten times as fast. What must hold is looked at with each frame and after each step; the first thing
 * that does not is told with the seed that leads to it.
 */
import { join } from "node:path";
import { createDrafts } from "../../../../src/cli/terminal/drafts.ts";
import { type Clock, sanitize } from "../../../../src/shared/index.ts";
import type { Fault, Script } from "../../../../src/simulator/index.ts";
import { createInterface, type Interface } from "../../../../src/tui/app/interface.ts";
import { measureBy } from "../../../../src/tui/layout/width.ts";
import type { Line } from "../../../../src/tui/line.ts";
import type { TerminalPorts } from "../../../../src/tui/ports.ts";
import type { Screen } from "../../../../src/tui/screen/port.ts";
import type { ScreenFrame } from "../../../../src/tui/view/frame.ts";
import type { Area } from "../../../../src/tui/view/layer.ts";
import { obedientModel } from "../../../support/obedient-model.ts";
import { createTestScreen, type TestScreen } from "../../../support/screen.ts";
import { openTerminalHouse, type TerminalHouse } from "../../../support/terminal-house.ts";

export interface Stage {
  readonly house: TerminalHouse;
  readonly shown: Interface;
  readonly screen: TestScreen;
  readonly opened: Screen;
  readonly commands: readonly string[];
  readonly timers: FastClock;
  /** What did not hold, oldest first. */
  readonly wrong: string[];
  size(): Area;
  /** Also of a screen that is gone. */
  lastFrame(): string;
  close(): Promise<void>;
}

const FILES = {
  "README.md": "# A small project\n\nsmall things\n".repeat(30),
  "src/one.ts": "export const one = 1;\n",
  "src/漢字.ts": "export const two = 2;\n",
};

export async function openStage(): Promise<Stage> {
  const wrong: string[] = [];
  const timers = fastClock();
  const house = await openTerminalHouse({ script: faultyModel, files: FILES, flags: { permissionMode: "ask" } });
  const screen = await createTestScreen({ columns: 100, rows: 30 });
  const shown = createInterface({
    ports: portsOf(house),
    clock: timers.clock,
    windowMs: 1,
    look: { mode: "dark", depth: "full" },
    quit: () => undefined, // goes on
    failed: (error) => void wrong.push(`failed: ${error instanceof Error ? error.stack : error}`),
    suspend: () => undefined,
  });
  let last: ScreenFrame | undefined;
  const draw = (size: Area): ScreenFrame => {
    const frame = shown.handlers.draw(size);
    last = frame;
    wrong.push(...misfits(frame, size));
    return frame;
  };
  const opened = await screen.open({ ...shown.handlers, draw });
  shown.attach(keptOnScreen(opened));
  shown.begin({ session: {} });
  const size = () => opened.size();
  return {
    ...{ house, shown, screen, opened, timers, wrong, size },
    lastFrame: () => (last?.rows ?? []).map(({ spans }) => spans.map(({ text }) => text).join("")).join("\n"),
    commands: house.commands.flatMap(({ name, aliases }) => [name, ...aliases]),
    async close() {
      shown.end();
      await screen.close();
      await house.close();
    },
  };
}

/** The library's renderer of tests cannot be suspended and go on. */
const keptOnScreen = (opened: Screen): Screen =>
  new Proxy(opened, {
    get(screen, name) {
      if (name === "suspend" || name === "resume" || name === "notify") return async () => undefined;
      const found: unknown = Reflect.get(screen, name);
      return typeof found === "function" ? found.bind(screen) : found;
    },
  });

function portsOf(house: TerminalHouse): TerminalPorts {
  const { host, queries, commands, unknownCommand } = house;
  return {
    ...{ host, queries, commands, unknownCommand },
    drafts: createDrafts(async () => ({ folder: join(house.home, "drafts", "project"), secrets: [] })),
    settings: {
      ...{ theme: "auto", mouse: true, vim: false, alternateScreen: true, notifications: true, screenReader: false },
      ...{ keybindings: {}, home: house.root, version: "0" },
    },
    outside: {
      edit: async (text) => (text.length % 3 === 0 ? { problem: "no editor" } : { text: `${text}!` }),
      page: async () => undefined,
      copy: async () => true,
      isFile: () => false,
      storeKey: async () => undefined,
    },
  };
}

const FAULTS: Readonly<Record<string, Fault>> = {
  cut: { kind: "cut", afterSeen: "text_delta", times: 5 },
  "429": { kind: "http", status: 429, headers: { "retry-after": "0" } },
  "529": { kind: "http", status: 529, headers: { "retry-after": "0" } },
  "401": { kind: "http", status: 401 },
  error: {
    kind: "error-event",
    afterSeen: "text_delta",
    times: 3,
    error: { type: "overloaded_error", message: "busy" },
  },
  silence: { kind: "silence", afterSeen: "text_delta", times: 4, ms: 80, pingEveryMs: 10 },
  refused: { kind: "http", status: 400 },
  long: {
    kind: "http",
    status: 400,
    body: {
      type: "error",
      error: { type: "invalid_request_error", message: "prompt is too long: 300000 tokens > 200000 maximum" },
    },
  },
};

/** Does what it is told, and fails as it is told: `fault NAME`. */
const faultyModel: Script = (request) => {
  const turn = obedientModel(request);
  const [, name = ""] = /^fault (\w+)$/m.exec(request.lastUserText()) ?? [];
  const fault = FAULTS[name];
  return fault ? { ...turn, fault } : turn;
};

const measure = measureBy("unicode");

function misfits({ rows, composer, cursor }: ScreenFrame, { width, height }: Area): string[] {
  const at = `of ${width}x${height}`;
  const isIn = (x: number, y: number) => x >= 0 && y >= 0 && x < width && y < height;
  const found = rows.flatMap((line, row) => misfitsOf(line, width).map((problem) => `row ${row} ${at}: ${problem}`));
  if (rows.length !== height) found.push(`${rows.length} rows ${at}`);
  if (composer && !isIn(composer.x, composer.y + composer.height - 1)) {
    found.push(`the composer stands at ${JSON.stringify(composer)} ${at}`);
  }
  if (cursor && !isIn(cursor.x, cursor.y)) found.push(`the cursor stands at ${cursor.x},${cursor.y} ${at}`);
  return found;
}

function misfitsOf({ spans, width }: Line, room: number): string[] {
  const words = JSON.stringify(spans.map(({ text }) => text).join(""));
  const found = spans.flatMap(({ text, width: told }) => {
    const isMeasured = measure(text) === told;
    const isSafe = sanitize(text) === text && !/[\t\n]/.test(text);
    return isMeasured && isSafe ? [] : [`${JSON.stringify(text)} takes no ${told} cells, or is not safe`];
  });
  if (width > room) found.push(`${width} cells: ${words}`);
  if (spans.reduce((sum, span) => sum + span.width, 0) !== width) found.push(`adds up wrongly: ${words}`);
  return found;
}

export interface FastClock {
  readonly clock: Clock;
  /** Where those were set that have not fired. */
  live(): readonly string[];
}

const FASTER = 10;

function fastClock(): FastClock {
  const begun = Date.now();
  const armed = new Map<object, string>();
  return {
    live: () => [...armed.values()].sort(),
    clock: {
      now: () => begun + (Date.now() - begun) * FASTER,
      after(ms, task) {
        const key = {};
        armed.set(key, placeOf(new Error().stack ?? ""));
        const timer = setTimeout(() => {
          armed.delete(key);
          task();
        }, ms / FASTER);
        return () => {
          armed.delete(key);
          clearTimeout(timer);
        };
      },
    },
  };
}

const placeOf = (stack: string): string =>
  stack
    .split("\n")
    .slice(3, 6)
    .map((line) => line.trim())
    .join(" < ");
