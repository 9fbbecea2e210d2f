/**
 * What stands behind the terminal, without a screen: host, commands and queries on real files, with the strict simulator as the
 * model, and an interface that only writes down what it is asked for.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { writeModelsCache } from "../../src/cli/models-cache.ts";
import type { Flags } from "../../src/cli/settings.ts";
import { slashCommands, unknownCommand } from "../../src/cli/slash/commands.ts";
import { createHost, type EngineHost, type HostOptions } from "../../src/cli/terminal/host.ts";
import { createQueries } from "../../src/cli/terminal/queries.ts";
import type { DurableEvent, KhaelorEvent } from "../../src/shared/index.ts";
import { type Script, type Simulator, startSimulator } from "../../src/simulator/index.ts";
import type {
  CommandUi,
  DiffFile,
  OpenSession,
  Queries,
  Question,
  SlashCommand,
  TerminalChoice,
  UiAction,
} from "../../src/tui/index.ts";
import { asListed, withWindows } from "./house.ts";
import { obedientModel } from "./obedient-model.ts";

/** What a command asked of the interface, in its order. */
export type Asked =
  | { readonly note: string }
  | { readonly say: string; readonly tone?: string }
  | { readonly choose: Question }
  | { readonly ask: string; readonly isSecret?: boolean }
  | { readonly show: string; readonly text: string }
  | { readonly diff: string; readonly files: readonly DiffFile[] }
  | { readonly act: UiAction }
  | { readonly switchTo: TerminalChoice }
  | { readonly submit: string };

export interface TerminalHouse {
  readonly root: string;
  readonly home: string;
  readonly cwd: string;
  readonly simulator: Simulator;
  readonly host: EngineHost;
  readonly queries: Queries;
  readonly commands: readonly SlashCommand[];
  readonly unknownCommand: (name: string) => string;
  /** Durable events of the session that is open, since it was opened. */
  readonly events: DurableEvent[];
  session(): OpenSession;
  open(choice?: TerminalChoice): Promise<OpenSession>;
  /** Sends it and waits until the turn is over. */
  say(text: string): Promise<void>;
  /** Runs `/command args`; what is asked meanwhile is answered with `answers`, in order. */
  run(line: string, ...answers: readonly (string | undefined)[]): Promise<readonly Asked[]>;
  /** The one thing that is said when the command ends with an Error. */
  refusal(line: string): Promise<string>;
  git(...args: readonly string[]): void;
  close(): Promise<void>;
}

export interface TerminalHouseOptions {
  readonly script?: Script;
  readonly files?: Readonly<Record<string, string>>;
  readonly flags?: Flags;
  readonly host?: Partial<HostOptions>;
  readonly env?: Readonly<Record<string, string>>;
  /** Context windows in tokens by model, of the server and as the program has been told of them. */
  readonly windows?: Readonly<Record<string, number>>;
}

export async function openTerminalHouse(options: TerminalHouseOptions = {}): Promise<TerminalHouse> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "khaelor-terminal-")));
  const [home, cwd] = [join(root, "state"), join(root, "project")];
  mkdirSync(cwd);
  for (const [name, content] of Object.entries(options.files ?? {})) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), content);
  }
  const models = options.windows ? withWindows(options.windows) : undefined;
  const simulator = await startSimulator({ ...(models && { models }), script: options.script ?? obedientModel });
  if (models) writeModelsCache(home, { fetchedAt: Date.now(), models: models.map(asListed) }, simulator.url);
  const surroundings = {
    places: { home, userHome: root, cwd },
    env: { PATH: process.env.PATH, HOME: root, ...options.env },
    flags: { permissionMode: "bypass", ...options.flags } as const,
    log: { verbose: false },
  };
  const connection = { auth: { kind: "api-key", value: "test-key" }, baseURL: simulator.url } as const;
  const host = createHost({ ...surroundings, connection, ...options.host });
  const queries = createQueries(host, surroundings);
  const commands = slashCommands({ host, queries, ...surroundings });
  const events: DurableEvent[] = [];
  let session: OpenSession | undefined;

  async function open(choice: TerminalChoice = {}): Promise<OpenSession> {
    session = undefined;
    events.length = 0;
    session = await host.open(choice);
    session.subscribe((event: KhaelorEvent) => void ("seq" in event && events.push(event)));
    return session;
  }

  async function run(line: string, ...answers: readonly (string | undefined)[]): Promise<readonly Asked[]> {
    const [, name = "", args = ""] = /^\/(\S+)\s*([\s\S]*)$/.exec(line) ?? [];
    const command = commands.find((one) => one.name === name || one.aliases.includes(name));
    if (!command) throw new Error(unknownCommand(name));
    const asked: Asked[] = [];
    await command.run(args, recordingUi(asked, [...answers], open));
    return asked;
  }

  return {
    root,
    home,
    cwd,
    simulator,
    host,
    queries,
    commands,
    unknownCommand,
    events,
    open,
    run,
    session() {
      if (!session) throw new Error("no session is open");
      return session;
    },
    async say(text) {
      session?.dispatch({ kind: "submit-message", text, mentions: [] });
      await host.engine().agent.settled();
    },
    refusal: (line) =>
      run(line).then(
        (asked) => `not refused: ${JSON.stringify(asked)}`,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      ),
    git(...args) {
      const identity = ["-c", "user.name=t", "-c", "user.email=t@invalid", "-c", "commit.gpgsign=false"];
      const { exitCode, stderr } = Bun.spawnSync(["git", ...identity, ...args], { cwd });
      if (exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
    },
    async close() {
      await host.close();
      await simulator.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** A house for the time of `work`. */
export async function inTerminalHouse(
  options: TerminalHouseOptions,
  work: (house: TerminalHouse) => Promise<void>,
): Promise<void> {
  const house = await openTerminalHouse(options);
  try {
    await work(house);
  } finally {
    await house.close();
  }
}

function recordingUi(
  asked: Asked[],
  answers: (string | undefined)[],
  open: (choice: TerminalChoice) => Promise<unknown>,
): CommandUi {
  return {
    note: (note) => void asked.push({ note }),
    say: (text, tone) => void asked.push({ say: text, ...(tone !== undefined && { tone }) }),
    async choose(choose) {
      asked.push({ choose });
      return answers.shift();
    },
    async ask(label, { isSecret } = {}) {
      asked.push({ ask: label, ...(isSecret !== undefined && { isSecret }) });
      return answers.shift();
    },
    show: (title, text) => void asked.push({ show: title, text }),
    showDiff: (title, files) => void asked.push({ diff: title, files }),
    async switchTo(choice) {
      asked.push({ switchTo: choice });
      await open(choice);
    },
    act: (action) => void asked.push({ act: action }),
    submit: (text) => void asked.push({ submit: text }),
  };
}

/** The words of it, in order. */
export const saying = (asked: readonly Asked[]): readonly string[] =>
  asked.flatMap((one) => ("say" in one ? [one.say] : "note" in one ? [one.note] : "show" in one ? [one.text] : []));

/** The payloads of one type since the session was opened. */
export const payloadsOf = <T extends DurableEvent["type"]>({ events }: TerminalHouse, type: T) =>
  events.flatMap((event) => (event.type === type ? [event.payload as DurableEvent<T>["payload"]] : []));
