/**
 * One fault against the whole house: the real client on a real socket, the strict server, the kernel and the store, in virtual
 * time. It strikes once, then for ever; what a person sees is gathered, and afterwards the session has to be as good as before.
 */
import { expect } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Engine } from "../../../src/cli/engine.ts";
import type { Output } from "../../../src/cli/output.ts";
import { createReporter } from "../../../src/cli/reporter.ts";
import { type RunResult, watchRun } from "../../../src/cli/result.ts";
import { runHeadless } from "../../../src/cli/run-turn.ts";
import type { Fault, ScriptedTurn, ScriptRequest } from "../../../src/simulator/index.ts";
import { type VirtualTime, virtualTime } from "../../support/virtual-time.ts";
import { type Driven, inHouse, read, type SentMessage, type Setup, say, turn as turnOf } from "../driving.ts";

/** As real ones look. Servers of the tables echo it wherever they can. */
export const SECRET = "sk-ant-api03-THISisTHEkeyOFtheTEST";

export interface FaultCase {
  readonly name: string;
  /** Strikes an answer that would be a good one. */
  readonly fault?: Fault;
  /** The answer that is struck, or that is at fault itself. */
  readonly turn?: ScriptedTurn;
  /** How many events the server sends before it is silent; -1: not even headers. */
  readonly silentAfter?: number;
  readonly setup?: Partial<Setup>;
  /** Too costly to be met twice. */
  readonly isOnce?: true;
  /** A good answer with a call comes first, and what follows its result is struck. */
  readonly isInLoop?: boolean;
  /** Which requests are; all when absent. */
  readonly isStruck?: (request: ScriptRequest) => boolean;
}

const TYPED = { outputFormat: "text", includePartialMessages: false, quiet: false, verbose: false } as const;

/** More than any client tries. */
const MANY = 40;
/** Of one request: the attempts, and what they may wait and be kept waiting for. */
const MOST_ATTEMPTS = 8;
const MOST_WAITED_MS = 900_000 + 600_000;

const GOOD = say("Fine.");
const LOOK = turnOf(read("a.md"));
const NEXT = "next please";

/** What a person sees of it, as lines to read. */
export async function seenOf(fault: FaultCase): Promise<readonly string[]> {
  const time = virtualTime();
  time.eventsSent = fault.silentAfter ?? 0;
  const lines: string[] = [];
  const { setup } = fault;
  await inHouse(
    {
      ...setup,
      files: { "a.md": "x\n" },
      script: struck(fault),
      key: SECRET,
      outside: { clock: time.client, random: () => 0, fetch: time.fetch },
      simulator: { clock: time.server, seed: "faults", ...setup?.simulator },
    },
    async (house) => {
      for (const how of fault.isOnce ? ["once"] : ["once", "for ever"]) {
        const told = await tellRun(house, time, how);
        if (how === "once" || told.slice(1).join() !== lines.slice(1).join()) lines.push(...told);
        else lines[0] = `${lines[0]}, or for ever`;
        expectNothingLeft(house, time);
        await house.say(NEXT);
        expect(house.types().at(-1)).toBe("task.completed");
      }
      await expectReplayed(house);
      expectNoSecret(house, lines);
    },
  );
  return lines;
}

function struck({ fault, turn = GOOD, isInLoop = false, isStruck = () => true }: FaultCase): Setup["script"] {
  const strike = fault ? { ...turn, fault: Array.from({ length: MANY }, () => fault) } : turn;
  let isOver = false;
  return (request) => {
    const how = howStruck(request);
    if (how === undefined || (how === "once" && isOver)) return GOOD;
    const hasResults = request.lastResults().length > 0;
    if (isInLoop !== hasResults) return isInLoop ? LOOK : GOOD;
    if (!isStruck(request)) return GOOD;
    isOver = true;
    return strike;
  };
}

/** What the newest words of the user say; results have none, and what failed before them stands in the same message. */
function howStruck({ body }: ScriptRequest): "once" | "for ever" | undefined {
  const texts = (body.messages as readonly SentMessage[]).flatMap(({ role, content }) =>
    role === "user" ? content.flatMap(({ text = "" }) => (/^(fix the test|next please)/.test(text) ? [text] : [])) : [],
  );
  return /\[(once|for ever)\]/.exec(texts.at(-1) ?? "")?.[1] as "once" | "for ever" | undefined;
}

async function tellRun(house: Driven, time: VirtualTime, how: string): Promise<readonly string[]> {
  const { session } = house.engine;
  const said: string[] = [];
  const report = createReporter(TYPED, gathering(said));
  const watch = watchRun(session, time.client.now);
  const startedAt = time.elapsedMs;
  const held = listeners(house);
  const before = house.of("model.request-started").length;
  const stop = session.bus.on("model.request-failed", ({ payload }) => {
    if (payload.retryAfterMs !== undefined) time.passSoon(payload.retryAfterMs);
  });
  const end = await runHeadless(house.engine, {
    prompt: `fix the test [${how}]`,
    onEvent(event) {
      watch.onEvent(event);
      report.onEvent(event);
    },
  });
  stop();
  expect(listeners(house)).toEqual(held);
  const result = watch.finish(end);
  report.result(result);
  const attempts = house.of("model.request-started").length - before;
  const waitedMs = time.elapsedMs - startedAt;
  expect(waitedMs).toBeLessThanOrEqual(MOST_WAITED_MS);
  expect(Math.max(...house.of("model.request-started").map(({ attempt }) => attempt ?? 0))).toBeLessThanOrEqual(
    MOST_ATTEMPTS,
  );
  expectAnswerOrReason(result);
  const count = `${attempts} ${attempts === 1 ? "request" : "requests"}, ${Math.round(waitedMs / 100) / 10} s`;
  return [`  ${how}: ${result.status} with exit code ${result.exit_code} (${count})`, ...told(said, house)];
}

function expectAnswerOrReason({ status, exit_code, issues }: RunResult): void {
  expect([status === "completed", exit_code === 0]).not.toContainAllValues([true, false]);
  if (exit_code !== 0) expect(issues.join("")).not.toBe("");
}

/** Equal lines one after the other become one, and what differs from run to run is left out. */
function told(said: readonly string[], { simulator }: Driven): readonly string[] {
  const lines = said
    .join("")
    .trimEnd()
    .split("\n")
    .map((line) => line.replace(/req_[A-Za-z0-9]+/g, "req_…").replaceAll(new URL(simulator.url).host, "127.0.0.1:…"));
  const again = / in \d+ s$/;
  const shown = lines.filter((line, at) => at === 0 || line.replace(again, "") !== lines[at - 1]?.replace(again, ""));
  return shown.map((line) => `    ${readable(line)}`);
}

const MOST_SHOWN = 1000;

function readable(line: string): string {
  const plain = JSON.stringify(line).slice(1, -1).replaceAll('\\"', '"');
  return plain.length > MOST_SHOWN ? `${plain.slice(0, MOST_SHOWN)}…` : plain;
}

const gathering = (said: string[]): Output => ({
  out: (text) => void said.push(text),
  show: (text) => void said.push(text),
  err: (text) => void said.push(text),
  isTerminal: () => false,
  closed: () => false,
  lost: (problem) => void said.push(problem),
  failure: () => undefined,
});

const listeners = ({ engine }: Driven): readonly number[] => [
  engine.session.bus.subscriptions(),
  ...["SIGINT", "SIGTERM", "SIGHUP"].map((name) => process.listenerCount(name)),
];

function expectNothingLeft(house: Driven, time: VirtualTime): void {
  expect({ armed: time.armed, open: time.open }).toEqual({ armed: 0, open: 0 });
  expect(house.engine.session.state().turn).toMatchObject({ pending: [], permissions: [] });
}

const folded = ({ session }: Engine) => {
  const { conversation, usage } = session.state();
  return structuredClone({ messages: conversation.messages, usage });
};

/** What was folded live is what a new process folds from the log, and it goes on from there. */
async function expectReplayed(house: Driven): Promise<void> {
  const live = folded(house.engine);
  await house.reopen();
  expect(folded(house.engine)).toEqual(live);
  await house.say(NEXT);
  expect(house.types().at(-1)).toBe("task.completed");
}

export function expectNoSecret({ home }: Pick<Driven, "home">, lines: readonly string[] = []): void {
  expect(lines.join("\n")).not.toContain(SECRET);
  for (const entry of readdirSync(home, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    expect([path, readFileSync(path).includes(SECRET)]).toEqual([path, false]);
  }
}
