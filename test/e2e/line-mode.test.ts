/** The interface in lines, compiled: over pipes, and over a terminal that can do nothing else. One task from its start to its end. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { fsck, IN_ORDER, RUN_TIMEOUT_MS, type Stage } from "./stage.ts";
import { PROMPT as SHELL, type TerminalRun, type TerminalStage, withTerminal } from "./terminal-stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

const READY = "\n> ";
const ASKED = "or n and why: ";
const FILES = { "notes.md": "first\nsecond\n" };
const WAIT_MS = 20_000;
/** As long as a question cannot have been read: what comes sooner answers nothing. */
const DEAD_MS = 300;
const ESCAPE = "\u001b";
const COLOURS = new RegExp(`${ESCAPE}\\[[0-9;]*m`, "g");

/** The program, and a person at the other end of it. */
interface Talk {
  readonly pid: number;
  type(line: string): void;
  /** In what was written since it was last waited for. */
  waitFor(wanted: string): Promise<void>;
  interrupt(): void;
  endInput(): void;
  kill(): void;
  /** All that was written, with line feeds alone. */
  text(): string;
  readonly exited: Promise<number | null>;
}

interface Ends extends Pick<Talk, "pid" | "interrupt" | "endInput" | "kill" | "exited"> {
  readonly send: (text: string) => void;
  readonly written: () => string;
}

function talk({ send, written, ...ends }: Ends): Talk {
  const text = () => written().replaceAll("\r\n", "\n");
  let read = 0;
  return {
    ...ends,
    text,
    type: (line) => send(`${line}\n`),
    async waitFor(wanted) {
      for (const until = Date.now() + WAIT_MS; ; await Bun.sleep(5)) {
        const at = text().replace(COLOURS, "").indexOf(wanted, read);
        if (at >= 0) {
          read = at + wanted.length;
          return;
        }
        if (Date.now() > until) throw new Error(`never written: ${wanted}\n${text().replace(/^/gm, "  | ")}`);
      }
    },
  };
}

type Open = (stage: TerminalStage, ...args: readonly string[]) => Talk;

function overPipes(stage: TerminalStage, ...args: readonly string[]): Talk {
  const running = stage.begin(["--screen-reader", ...args], { stdin: { silent: true } });
  return talk({
    pid: running.pid,
    send: running.write,
    written: running.stdout,
    interrupt: () => running.kill("SIGINT"),
    endInput: () => running.write(undefined),
    kill: () => running.kill("SIGKILL"),
    exited: running.done.then(({ code }) => code),
  });
}

const overTerminal =
  (run: TerminalRun): Open =>
  (stage, ...args) => {
    const terminal = stage.open({ ...run, args: [...(run.args ?? []), ...args] });
    return talk({
      pid: terminal.pid,
      send: (text) => terminal.type(text.replace("\n", "\r")),
      written: terminal.bytes,
      interrupt: () => terminal.key("ctrl+c"),
      endInput: () => terminal.key("ctrl+d"),
      kill: () => terminal.kill("SIGKILL"),
      exited: terminal.exited.then(({ code }) => code),
    });
  };

async function answer({ type, waitFor }: Talk, line: string): Promise<void> {
  await waitFor(ASKED);
  await Bun.sleep(DEAD_MS + 50);
  type(line);
}

async function work(at: Talk, { project }: Stage): Promise<void> {
  await at.waitFor(READY);
  at.type("look at @notes.md\\");
  await at.waitFor("… ");
  at.type("edit notes.md second => 2nd");
  await at.waitFor("   + 2nd\n");
  await answer(at, "y");
  await at.waitFor("● done · 1 file changed");
  await at.waitFor(READY);
  at.type("run rm -rf notes.md; sleep 1");
  await at.waitFor("   $ rm -rf notes.md; sleep 1\n");
  await answer(at, "yes please");
  await at.waitFor("That is no answer, and it was not sent");
  await answer(at, "n keep it");
  await at.waitFor("The user refused: keep it");
  await at.waitFor(READY);
  at.type("run until [ -e go ]; do sleep 0.05; done");
  await at.waitFor("● bash until");
  at.type("/queue say that was queued");
  await at.waitFor("It is said when this turn is over.");
  at.type("say that was steered");
  await at.waitFor("The model is told at its next step.");
  writeFileSync(join(project, "go"), "");
  await at.waitFor("\n   that was steered\n");
  await at.waitFor("\n   that was queued\n");
  await at.waitFor(READY);
  at.type("run sleep 60; touch never");
  await answer(at, "y");
  await at.waitFor("● bash sleep 60");
  at.interrupt();
  await at.waitFor("! Stopped.");
  await at.waitFor(READY);
  at.type("say going on");
  await at.waitFor("\n   going on\n");
  await at.waitFor(READY);
  at.type("/diff");
  await at.waitFor("+ 2nd");
  await at.waitFor(READY);
  at.type("/copy");
  await at.waitFor("Nothing is copied without a screen");
  await at.waitFor(READY);
}

/** The native part of the screen, as the runtime copies it out of the executable. */
const screenLibraries = ({ pid }: { readonly pid: number }): readonly string[] =>
  readFileSync(`/proc/${pid}/maps`, "utf8").match(/\/\.bun-\S*\.so/g) ?? [];

async function task(open: Open, stage: TerminalStage): Promise<readonly string[]> {
  const first = open(stage);
  await work(first, stage);
  expect(screenLibraries(first)).toEqual([]);
  first.type("run touch made; chmod 600 made");
  await first.waitFor(ASKED);
  first.kill();
  await first.exited;

  const second = open(stage, "--resume");
  await second.waitFor("Which session?\n   1  ");
  await second.waitFor("1 approval waiting");
  await second.waitFor("empty for none: ");
  second.type("1");
  await second.waitFor("The last exchange follows, /raw prints all.");
  await second.waitFor("\n> run touch made; chmod 600 made\n");
  await second.waitFor("   $ touch made; chmod 600 made\n");
  await answer(second, "y");
  await second.waitFor("✓ bash touch made; chmod 600 made");
  await second.waitFor(READY);
  expect(existsSync(join(stage.project, "made"))).toBe(true);
  second.type("/exit");
  expect(await second.exited).toBe(0);
  await second.waitFor("\nkhaelor --resume ");

  const [log = ""] = stage.logs();
  expect(await fsck(stage, log)).toMatchObject(IN_ORDER);
  expect(stage.simulator.refusals).toEqual([]);
  return [first.text(), second.text()];
}

/** Line feeds and letters. */
const isPlain = (text: string): boolean => !/[^\n\P{Cc}]/u.test(text);

describe("a task from its start to its end, and after a kill", () => {
  test.each<readonly [name: string, open: Open]>([
    ["over pipes", overPipes],
    ["over a dumb terminal", overTerminal({ env: { TERM: "dumb", COLORTERM: undefined } })],
    ["without colours", overTerminal({ args: ["--screen-reader"], env: { NO_COLOR: "1" } })],
  ])("%s: no control sequence is written", (_name, open) =>
    withTerminal({ files: FILES }, async (stage) => {
      expect((await task(open, stage)).map(isPlain)).toEqual([true, true]);
    }),
  );

  test("over a terminal with colours: no control sequence but these is written", () =>
    withTerminal({ files: FILES }, async (stage) => {
      const texts = await task(overTerminal({ args: ["--screen-reader"] }), stage);
      expect(texts.map((text) => [text.includes(ESCAPE), isPlain(text.replace(COLOURS, ""))])).toEqual([
        [true, true],
        [true, true],
      ]);
    }));
});

test("the native part of the screen would be found, where it is loaded", () =>
  withTerminal({}, async (stage) => {
    const terminal = stage.open();
    await terminal.waitFor("ready");
    expect(screenLibraries(terminal)).not.toEqual([]);
  }));

describe("how it begins and ends", () => {
  test("a terminal without a name is read by lines; the end of the input ends it", () =>
    withTerminal({}, async (stage) => {
      const at = overTerminal({ env: { TERM: undefined, COLORTERM: undefined } })(stage);
      await at.waitFor(READY);
      at.endInput();
      expect([await at.exited, isPlain(at.text())]).toEqual([0, true]);
    }));

  test("a piped message is answered, with a last line that has no end, and nobody is there to ask", () =>
    withTerminal({}, async (stage) => {
      const { code, stdout, stderr } = await stage.ask(["--screen-reader"], { stdin: "run rm -rf x; sleep 1" });
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toContain("> run rm -rf x; sleep 1\n");
      expect(stdout).toContain("\n   Done.\n");
      expect(stdout).toMatch(/\nkhaelor --resume \w+ {3}\(the last turn was finished\)\n$/);
    }));

  test("the setting is heeded like the flag, and nothing is drawn before", () =>
    withTerminal({}, async (stage) => {
      mkdirSync(stage.state, { recursive: true });
      writeFileSync(join(stage.state, "config.json"), '{ "terminal": { "screenReader": true } }');
      const at = overTerminal({ env: { NO_COLOR: "1" } })(stage);
      await at.waitFor(READY);
      at.type("/exit");
      expect([await at.exited, isPlain(at.text())]).toEqual([0, true]);
    }));

  test.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("%s ends it with everything recorded", (signal, code) =>
    withTerminal({}, async (stage) => {
      const running = stage.begin(["--screen-reader", "--yolo"], { stdin: { silent: true } });
      const at = talk({
        pid: running.pid,
        send: running.write,
        written: running.stdout,
        interrupt: () => undefined,
        endInput: () => undefined,
        kill: () => undefined,
        exited: running.done.then((ran) => ran.code),
      });
      await at.waitFor(READY);
      at.type("run sleep 60");
      await at.waitFor("● bash sleep 60");
      running.kill(signal);
      expect(await at.exited).toBe(code);
      expect(await fsck(stage, stage.logs()[0] ?? "")).toMatchObject(IN_ORDER);
    }),
  );

  test("without a key it says the ways, with the exit code of that", () =>
    withTerminal({}, async (stage) => {
      const { code, stderr } = await stage.run(["--screen-reader"], { stdin: "hello\n" });
      expect([code, stderr]).toEqual([3, expect.stringContaining("khaelor login")]);
    }));

  test("a key is typed unseen on a terminal, which echoes again afterwards", () =>
    withTerminal({}, async (stage) => {
      const terminal = stage.open({
        shell: { interactive: "bash" },
        env: { TERM: "dumb", ANTHROPIC_API_KEY: undefined, ANTHROPIC_BASE_URL: stage.simulator.url },
      });
      await terminal.waitFor(SHELL.trim());
      terminal.type("$KHAELOR\r");
      await terminal.waitFor("API key (it is not shown; nothing quits):");
      terminal.type("sk-unseen-0123456789\r");
      await terminal.waitFor(/^> $|^>$/m);
      terminal.type("/exit\r");
      await terminal.waitFor((screen) => screen.endsWith(SHELL.trim()));
      terminal.type("echo $((40 + 2))\r");
      await terminal.waitFor(/^42$/m);
      expect(terminal.bytes()).not.toContain("sk-unseen");
    }));

  test("a reader that goes away ends it, while the input stays open", () =>
    withTerminal({}, async (stage) => {
      const shell = 'exec "$KHAELOR" --screen-reader > >(exec head -n 4 >/dev/null)';
      const running = stage.begin([], { shell, stdin: { silent: true } });
      running.write("text 200\n");
      expect(await running.done).toMatchObject({ code: 0, signal: null, stderr: "" });
    }));
});
