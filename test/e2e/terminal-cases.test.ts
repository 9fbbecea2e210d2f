/** The acceptance cases of the terminal, each through the compiled program or, where that is done better elsewhere, by name. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Script } from "../../src/simulator/index.ts";
import given from "../cases/terminal.json" with { type: "json" };
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { obedientModel } from "../support/obedient-model.ts";
import type { Pty } from "../support/terminal.ts";
import { strangers } from "../support/terminal-bytes.ts";
import { testsTogether } from "../support/together.ts";
import { RUN_TIMEOUT_MS } from "./stage.ts";
import { type TerminalRun, type TerminalStage, withTerminal } from "./terminal-stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

interface Case {
  readonly id: string;
  readonly where: string;
  readonly topic: string;
  readonly input: unknown;
  readonly expect: Readonly<Record<string, unknown>>;
}

const cases = given.cases as readonly Case[]; // their shape is the file's own

/** What is not run here: the file with the test, and the test's name in it. */
const ELSEWHERE: Readonly<Record<string, readonly [file: string, name: string]>> = {
  "term-049": ["terminal-life", "a closed window ends the program and its children within three seconds"],
  "term-051": ["terminal-life", "in a paint ends the program, and is told"],
  "term-053": [
    "terminal-jobs",
    "gives the terminal to the shell, and fg takes it again, at the size that it has by then",
  ],
  "term-055": ["terminal-start", "a start takes back what a killed one has left, its guardian killed with it"],
  "term-058": ["terminal-start", "output that is no terminal"],
  "term-060": ["terminal-start", "a terminal that calls itself %p: there are lines"],
  "term-062": ["terminal-jobs", "a window that becomes two cells and large again shows what it showed"],
  "term-066": ["terminal-start", "in a tmux that holds no output back, the screen is not cleared for a frame"],
};

const HERE: Readonly<Record<string, (one: Case) => Promise<void>>> = {
  "model-text": injected,
  "tool-output": injected,
  "permission-panel": asked,
  "file-name": named,
  composer: typed,
  timeline: wrapped,
  diff: aligned,
  process: idle,
  resize: resized,
};

const together = testsTogether();

describe("the cases", () => {
  for (const one of cases) {
    if (ELSEWHERE[one.id]) continue;
    const run = HERE[one.where];
    together(`${one.id}: ${one.topic}`, () => run?.(one) ?? Promise.reject(new Error("nobody runs it")));
  }

  test.each(Object.entries(ELSEWHERE))("%s is run by %p", (id, [file, name]) => {
    expect(cases.some((one) => one.id === id)).toBe(true);
    expect(readFileSync(join(import.meta.dir, `${file}.test.ts`), "utf8")).toContain(`"${name}`);
  });
});

type Visit = (terminal: Pty, stage: TerminalStage) => Promise<void>;

async function visit(run: TerminalRun & { readonly script?: Script }, work: Visit): Promise<void> {
  const { script = obedientModel, ...more } = run;
  await withTerminal({ script }, async (stage) => {
    const terminal = stage.open(more);
    await terminal.waitFor("ready");
    await work(terminal, stage);
  });
}

type Call = readonly [name: string, input: Readonly<Record<string, unknown>>];

/** Asks for one call after the other, and says then that all were made. */
const calling = (...calls: readonly Call[]): Script => {
  return ({ toolResults }) => {
    const [name, input] = calls[toolResults().length] ?? [];
    return { content: [name ? { type: "tool_use", name, input: input ?? {} } : { type: "text", text: "Done." }] };
  };
};

const SAYS_SO = "go\r";

function injected({ where, input, expect: { visible, visible_contains: parts } }: Case): Promise<void> {
  const text = String(input);
  const script: Script =
    where === "model-text"
      ? () => ({ content: [{ type: "text", text }] })
      : calling(["bash", { command: "cat injected; exit 3" }]); // what failed shows its output
  return visit({ script, args: ["--yolo"] }, async (terminal, stage) => {
    writeFileSync(join(stage.project, "injected"), text);
    terminal.type(SAYS_SO);
    const wanted = visible === undefined ? (parts as readonly string[]) : String(visible).split("\n");
    await terminal.waitFor((screen) => isIdle(screen) && wanted.every((part) => rowsOf(screen).includes(part)));
    expect(strangers(terminal.bytes())).toEqual([]);
    expect(terminal.bytes()).not.toContain(text);
    expect(terminal.modes()).toContain("alternate-screen");
  });
}

const isIdle = (screen: string): boolean => screen.includes("ready");
const rowsOf = (screen: string): readonly string[] => screen.split("\n").map((row) => row.trim());

/** With a file to write, it is asked about for sure. */
function asked({ input, expect: { visible_contains: parts } }: Case): Promise<void> {
  return visit({ script: calling(["bash", { command: `${input} >out` }]) }, async (terminal) => {
    terminal.type(SAYS_SO);
    await terminal.waitFor((screen) => (parts as readonly string[]).every((part) => panelOf(screen).includes(part)));
    expect(strangers(terminal.bytes())).toEqual([]);
  });
}

const panelOf = (screen: string): string => /^── [\s\S]*?(?=^─{10})/m.exec(screen)?.[0] ?? "";

function named({ input, expect: { visible } }: Case): Promise<void> {
  return visit({ script: calling(["read", { file_path: input }]), rows: 40 }, async (terminal, stage) => {
    writeFileSync(join(stage.project, String(input)), "its text\n");
    terminal.type("@two");
    await terminal.waitFor((screen) => rowsOf(screen).includes(`› ${visible}`));
    terminal.key("escape");
    await terminal.waitFor((screen) => !screen.includes(String(visible)));
    terminal.key("enter");
    await terminal.waitFor((screen) => isIdle(screen) && screen.includes(`✓ read ${visible}`));
  });
}

function typed(one: Case): Promise<void> {
  return one.topic === "paste" ? pasted(one) : measured(one);
}

function measured({ input, expect: { cursor_after: after } }: Case): Promise<void> {
  const graphemes = [...new Intl.Segmenter().segment(String(input))].length;
  return visit({}, async (terminal) => {
    const start = terminal.cursor().x;
    terminal.type(`${input}`);
    await terminal.waitFor(() => terminal.cursor().x === start + Number(after));
    terminal.type("end");
    await terminal.waitFor("end");
    terminal.key(..."end".split("").map(() => "backspace"), ...Array.from({ length: graphemes }, () => "backspace"));
    terminal.type("?"); // with nothing typed it shows the keys
    await terminal.waitFor("Help");
  });
}

function pasted({ input, expect: { buffer } }: Case): Promise<void> {
  return visit({}, async (terminal, stage) => {
    const size = (input as { readonly paste_bytes?: number }).paste_bytes;
    const text = "0123456789abcde\n".repeat((size ?? 0) / 16);
    if (size !== undefined) terminal.paste(text);
    else for (const piece of [input].flat()) terminal.send(String(piece));
    terminal.type("end");
    await terminal.waitFor("end");
    if (size !== undefined) {
      expect(terminal.screen()).toContain("[Pasted");
      terminal.key("enter");
      await terminal.waitFor(() => JSON.stringify(stage.simulator.requests.at(-1)?.body ?? "").includes("abcde\\nend"));
      expect(JSON.stringify(stage.simulator.requests.at(-1)?.body)).toContain(JSON.stringify(text).slice(1, -1));
    } else if (buffer !== undefined) {
      expect(terminal.screen()).toContain(`› ${String(buffer).replaceAll("\n", "\n   ")}end`);
    }
    expect(strangers(terminal.bytes())).toEqual([]);
    expect(size !== undefined || stage.simulator.requests.length === 0).toBe(true);
  });
}

function wrapped({ input, ...one }: Case): Promise<void> {
  const { cols } = one as unknown as { readonly cols: number }; // only this one has it
  const script: Script = () => ({ content: [{ type: "text", text: String(input) }] });
  return visit({ script, cols, rows: 24 }, async (terminal) => {
    terminal.type(SAYS_SO);
    await terminal.waitFor((screen) => isIdle(screen) && screen.includes("日"));
    const rows = rowsOf(terminal.screen()).filter((row) => row.startsWith("日"));
    expect(rows.join("")).toBe(String(input));
    for (const row of rows) expect(row.length * 2).toBeLessThanOrEqual(cols);
  });
}

function aligned({ input }: Case): Promise<void> {
  const [before = "", after = ""] = String(input)
    .split("\n")
    .map((line) => line.slice(1));
  const script = calling(
    ["read", { file_path: "a.py" }],
    ["edit", { file_path: "a.py", old_string: before, new_string: after }],
  );
  return visit({ script, args: ["--yolo"] }, async (terminal, stage) => {
    writeFileSync(join(stage.project, "a.py"), `def f():\n${before}\n\t\tpass\n`);
    terminal.type(SAYS_SO);
    await terminal.waitFor((screen) => isIdle(screen) && screen.includes("+1 −1"));
    const [removed = "", added = ""] = [before, after].map((line) =>
      terminal
        .screen()
        .split("\n")
        .find((row) => row.includes(line.trim())),
    );
    expect([removed.indexOf("-"), removed.indexOf("if")]).toEqual([added.indexOf("+"), added.indexOf("if")]);
    expect(terminal.bytes()).not.toContain("\t");
  });
}

/** A part of the minute: with no timer and no work left, it goes on as it is. */
const IDLE_MS = 3_000;
/** Until what was put off is done: the last of it is the memory, collected two seconds after the turn. */
const SETTLED_MS = 3_000;

function idle(): Promise<void> {
  return visit({}, async (terminal) => {
    terminal.type("say it and rest\r");
    await terminal.waitFor((screen) => isIdle(screen) && screen.includes("   it and rest"));
    await Bun.sleep(SETTLED_MS);
    const [bytes, ticks] = [terminal.bytes().length, cpuTicks(terminal.pid)];
    await Bun.sleep(IDLE_MS);
    expect(terminal.bytes().length - bytes).toBe(0);
    if (process.platform === "linux") expect(cpuTicks(terminal.pid) - ticks).toBeLessThanOrEqual(IDLE_MS / 10 / 100);
  });
}

/** Hundredths of a second of a processor, in the program and in the system for it. */
function cpuTicks(pid: number): number {
  if (process.platform !== "linux") return 0;
  const [user = 0, system = 0] = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ")
    .slice(11, 13)
    .map(Number);
  return user + system;
}

/** Every word once, and in order, whatever the width was while it came. */
function resized(): Promise<void> {
  const words = Array.from({ length: 400 }, (_, n) => `word${n}.`);
  const script: Script = () => ({
    content: [{ type: "text", text: words.join(" ") }],
    stream: { deltaChars: 12, deltaMs: 2 },
  });
  return visit({ script, cols: 120, rows: 60 }, async (terminal) => {
    terminal.type(SAYS_SO);
    for (const [cols, seen] of [
      [40, "word20."],
      [120, "word120."],
      [40, "word220."],
      [120, "word320."],
    ] as const) {
      await terminal.waitFor(seen);
      terminal.resize(cols, 60);
    }
    await terminal.waitFor((screen) => isIdle(screen) && screen.includes("word399."));
    await terminal.waitFor((screen) => (screen.match(/word\d+\./g) ?? []).join(" ") === words.join(" "));
  });
}
