/**
 * The compiled program as a user's script sees it: started in a project of its own, with a home and a state folder of its own,
 * and an environment that holds nothing of the person who runs the tests.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Simulator, type SimulatorOptions, startSimulator } from "../../src/simulator/index.ts";
import { binary } from "../support/binary.ts";

export interface Stage {
  readonly root: string;
  readonly home: string;
  /** KHAELOR_HOME. */
  readonly state: string;
  /** The working directory of every run, unless told. */
  readonly project: string;
  /** The program runs; the caller ends it, or waits for `done`. */
  start(args: readonly string[], options?: RunOptions): Running;
  run(args: readonly string[], options?: RunOptions): Promise<Ran>;
  /** Commits the project's files, so that it is a repository of its own. */
  commit(): void;
  /** The paths of all logs of the state folder. */
  logs(): readonly string[];
  /** Every file below the state folder with its text. */
  stateFiles(): readonly { readonly path: string; readonly text: string }[];
  close(): void;
}

export interface RunOptions {
  /** Beside the usual ones; undefined takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Text on standard input; without it /dev/null. `silent`: a pipe that stays open and says nothing. */
  readonly stdin?: string | { readonly silent: true };
  /** Called with what comes on standard output, as it comes. */
  readonly onOutput?: (text: string) => void;
  /** Runs shell text that starts the program as "$KHAELOR", in place of the program itself. */
  readonly shell?: string;
}

export interface Ran {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly maxRssBytes: number;
}

export interface Running {
  readonly pid: number;
  stdout(): string;
  /** On a `silent` standard input; undefined ends it. */
  write(text: string | Uint8Array | undefined): void;
  kill(signal: NodeJS.Signals): void;
  readonly done: Promise<Ran>;
}

/** A run that takes longer hangs. */
const LONGEST_MS = 40_000;
/** For a test of a few runs, on a machine that has other things to do. */
export const RUN_TIMEOUT_MS = 90_000;

export async function openStage(files: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const khaelor = await binary();
  const root = realpathSync(mkdtempSync(join(tmpdir(), "khaelor-e2e-")));
  const [home, state, project, tmp] = ["home", "state", "project", "tmp"].map((name) => join(root, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const folder of [home, project, tmp]) mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  }
  const usual = { PATH: process.env.PATH, HOME: home, KHAELOR_HOME: state, TMPDIR: tmp, LANG: "C.UTF-8" };

  const start = (args: readonly string[], { env, cwd = project, stdin, onOutput, shell }: RunOptions = {}): Running => {
    const command = shell === undefined ? [khaelor, ...args] : ["/bin/bash", "-c", shell, "bash", ...args];
    const child = Bun.spawn(command, {
      cwd,
      env: defined({ ...usual, ...(shell !== undefined && { KHAELOR: khaelor }), ...env }),
      stdin: stdin === undefined ? "ignore" : typeof stdin === "string" ? new Blob([stdin]) : "pipe",
      stdout: "pipe",
      stderr: "pipe",
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), LONGEST_MS);
    const [out, err] = [collect(child.stdout, onOutput), collect(child.stderr)];
    const done = async (): Promise<Ran> => {
      await Promise.all([out.end, err.end, child.exited]);
      clearTimeout(timer);
      const { exitCode: code, signalCode } = child;
      const signal = signalCode === null ? null : String(signalCode);
      return { code, signal, stdout: out.text(), stderr: err.text(), maxRssBytes: child.resourceUsage()?.maxRSS ?? 0 };
    };
    const write = (text: string | Uint8Array | undefined) => {
      const input = child.stdin as unknown as Bun.FileSink; // there is one when the input is a pipe
      if (text === undefined) input.end();
      else void input.write(text);
      input.flush?.();
    };
    return { pid: child.pid, stdout: out.text, write, kill: (name) => child.kill(name), done: done() };
  };

  return {
    root,
    home,
    state,
    project,
    start,
    run: (args, options) => start(args, options).done,
    commit() {
      const identity = ["-c", "user.name=t", "-c", "user.email=t@invalid", "-c", "commit.gpgsign=false"];
      for (const args of [
        ["init", "-q"],
        ["add", "-A"],
        [...identity, "commit", "-q", "-m", "as found"],
      ]) {
        const { exitCode } = Bun.spawnSync(["git", ...args], { cwd: project, env: defined(usual) });
        if (exitCode !== 0) throw new Error(`git ${args.join(" ")} failed`);
      }
    },
    logs: () => filesBelow(state).filter((path) => path.endsWith(".jsonl")),
    stateFiles: () => filesBelow(state).map((path) => ({ path, text: readFileSync(path, "latin1") })),
    close: () => rmSync(root, { recursive: true, force: true }),
  };
}

const defined = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));

function collect(
  stream: ReadableStream<Uint8Array>,
  onText?: (text: string) => void,
): { readonly end: Promise<void>; text(): string } {
  const decoder = new TextDecoder();
  let text = "";
  const read = async () => {
    for await (const chunk of stream) {
      const piece = decoder.decode(chunk, { stream: true });
      text += piece;
      onText?.(piece);
    }
  };
  return { end: read(), text: () => text };
}

function filesBelow(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path) : [path];
    });
  } catch {
    return []; // not made yet, or gone again
  }
}

/** A line of a log, as anybody with a JSON parser reads it. */
export interface Line {
  readonly type: string;
  readonly seq: number;
  readonly sessionId: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export const linesOf = (text: string): readonly Line[] =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);

export const readLog = (path: string): readonly Line[] => linesOf(readFileSync(path, "utf8"));

export interface Served extends Stage {
  readonly simulator: Simulator;
  /** `run`, with a key and the address of the simulator in the environment. */
  ask(args: readonly string[], options?: RunOptions): Promise<Ran>;
  /** `start` likewise. */
  begin(args: readonly string[], options?: RunOptions): Running;
}

export const TEST_KEY = "sk-test-0123456789";

/** A stage whose model is a simulator in this process, for the time of `work`. */
export async function withModel(
  options: SimulatorOptions & { readonly files?: Readonly<Record<string, string>> },
  work: (served: Served) => Promise<void>,
): Promise<void> {
  const simulator = await startSimulator(options);
  const stage = await openStage(options.files);
  const connected = ({ env, ...more }: RunOptions = {}): RunOptions => ({
    ...more,
    env: { ANTHROPIC_API_KEY: TEST_KEY, ANTHROPIC_BASE_URL: simulator.url, ...env },
  });
  try {
    await work({
      ...stage,
      simulator,
      ask: (args, more) => stage.run(args, connected(more)),
      begin: (args, more) => stage.start(args, connected(more)),
    });
  } finally {
    await simulator.close();
    stage.close();
  }
}

/** The one JSON object of `--output-format json`. */
export const resultOf = ({ stdout }: Ran) => JSON.parse(stdout) as Readonly<Record<string, unknown>>;

/** What `fsck --json` says of one log, and the exit code. */
export async function fsck(stage: Stage, target: string): Promise<Readonly<Record<string, unknown>>> {
  const { code, stdout } = await stage.run(["fsck", target, "--json"]);
  return { code, ...(JSON.parse(stdout) as Record<string, unknown>) };
}

/** The parts of a verdict over a log in which nothing is wrong. */
export const IN_ORDER = {
  code: 0,
  verdict: "ok",
  resumable: true,
  torn_bytes: 0,
  damage: [],
  unpaired: [],
  hash_mismatches: [],
} as const;
