/** How the terminal starts: what is typed meanwhile is kept, and where there is none to draw on, that is said and nothing else. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { descendants } from "./processes.ts";
import { RUN_TIMEOUT_MS } from "./stage.ts";
import { PROMPT, withTerminal } from "./terminal-stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

const ESCAPE = "\u001b";
const isIdle = (screen: string): boolean => screen.includes("ready");

describe("what is typed before there is anything to type at", () => {
  test("stands in the composer, pasted text with it, and Enter sends it", () =>
    withTerminal({}, async (stage) => {
      const terminal = stage.open();
      terminal.type("漢 say ");
      terminal.send(`${ESCAPE}[200~one\rtwo${ESCAPE}[201~!`);
      await terminal.waitFor(/› 漢 say one\n {3}two!/);
      await terminal.waitFor(isIdle);
      const second = stage.open();
      second.type("hello\r");
      await second.waitFor("You said: hello");
      await second.waitFor(isIdle);
    }));

  test("is not lost at any moment of the start", () =>
    withTerminal({}, async (stage) => {
      const terminal = stage.open();
      const typed = "abcdefghijklmnopqrstuvwxyz0123456789";
      for (const letter of typed) {
        terminal.type(letter);
        await Bun.sleep(4); // spread over the start, whatever it is at
      }
      await terminal.waitFor(`› ${typed}`);
    }));
});

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "%s as soon as something is drawn: the terminal is given back",
  (signal) =>
    withTerminal({}, async (stage) => {
      const drawn = Promise.withResolvers<void>();
      const terminal = stage.open({ onOutput: () => drawn.resolve() });
      await drawn.promise;
      terminal.kill(signal);
      const { code, signal: by } = await terminal.exited;
      expect([by ?? code, terminal.modes(), terminal.isCooked()]).toEqual([expect.anything(), [], true]);
    }),
);

test("a terminal whose size nobody has set is drawn on, and one that says too much", () =>
  withTerminal({}, async (stage) => {
    const terminal = stage.open({ shell: 'stty rows 0 cols 0; "$KHAELOR"', cols: 80, rows: 24 });
    await terminal.waitFor(isIdle);
    Bun.spawnSync(["stty", "-F", readlinkSync(`/proc/${terminal.pid}/fd/0`), "rows", "60000", "cols", "60000"]);
    await terminal.waitFor(() => terminal.bytes().includes("\u001b[500;"));
    terminal.resize(80, 24);
    terminal.type("say it works\r");
    await terminal.waitFor(/ {3}it works/);
  }));

test("the outline is one write, and the first frame changes none of its rows", () =>
  withTerminal({}, async (stage) => {
    const pieces: string[] = [];
    const terminal = stage.open({ onOutput: (bytes) => void pieces.push(Buffer.from(bytes).toString("utf8")) });
    await terminal.waitFor(isIdle);
    const [first = ""] = pieces;
    expect(first.slice(first.indexOf(`${ESCAPE}[?1049h`))).toContain(" starting");
    expect(first.endsWith(`${ESCAPE}[?2026l`)).toBe(true);
    expect(first.split(`${ESCAPE}[2J`).length).toBe(2);
    expect(pieces.slice(1).join("")).not.toContain(`${ESCAPE}[2J`);
  }));

describe("where nothing can be drawn", () => {
  const CASES: readonly (readonly [name: string, shell: string])[] = [
    ["output that is no terminal", '"$KHAELOR" | cat; exit $PIPESTATUS'],
    ["input that is no terminal", '"$KHAELOR" </dev/null'],
  ];
  test.each(CASES)("%s: that is said", (_name, shell) =>
    withTerminal({}, async (stage) => {
      const terminal = stage.open({ shell });
      expect(await terminal.exited).toEqual({ code: 2, signal: null });
      await terminal.waitFor("khaelor -p");
      expect([terminal.bytes().includes(ESCAPE), terminal.isCooked()]).toEqual([false, true]);
    }),
  );

  test.each(["dumb", "", undefined])("a terminal that calls itself %p: there are lines", (TERM) =>
    withTerminal({}, async (stage) => {
      const terminal = stage.open({ env: { TERM } });
      await terminal.waitFor(/^>/m);
      terminal.type("hello\r");
      await terminal.waitFor("You said: hello");
      terminal.type("/exit\r");
      expect(await terminal.exited).toEqual({ code: 0, signal: null });
      expect([terminal.bytes().includes(ESCAPE), terminal.isCooked()]).toEqual([false, true]);
    }),
  );
});

test("where the temporary files of the system are of no use, a copy of the user's own draws the screen", () =>
  withTerminal({}, async (stage) => {
    const terminal = stage.open({ env: { TMPDIR: "/dev/null" } });
    await terminal.waitFor(isIdle);
    expect(statSync(join(stage.state, "cache/screen")).mode & 0o777).toBe(0o700);
    expect(readFileSync(`/proc/${terminal.pid}/maps`, "utf8")).toContain(join(stage.state, "cache/screen/libopentui"));
  }));

test("where it can be loaded from nowhere, that is said, and there are lines", () =>
  withTerminal({}, async (stage) => {
    const shell = { interactive: "bash" } as const;
    const terminal = stage.open({ shell, env: { TMPDIR: "/dev/null", KHAELOR_HOME: join(stage.root, "blocked") } });
    await terminal.waitFor(PROMPT.trim());
    terminal.type('mkdir -p "$KHAELOR_HOME" && touch "$KHAELOR_HOME/cache"; $KHAELOR\r');
    await terminal.waitFor("khaelor: the screen cannot be drawn: ");
    await terminal.waitFor(/^>/m);
    terminal.type("/exit\r");
    await terminal.waitFor((screen) => screen.split("\n").at(-1) === PROMPT.trim());
    terminal.type("read line; echo got:$line\r");
    await terminal.waitForCooked();
    terminal.type("it\r");
    await terminal.waitFor("\ngot:it");
    expect(terminal.modes()).toEqual([]);
  }));

test("a start takes back what a killed one has left, its guardian killed with it", () =>
  withTerminal({}, async (stage) => {
    const terminal = stage.open({ shell: { interactive: "bash" }, cols: 80, rows: 24 });
    await terminal.waitFor(PROMPT.trim());
    terminal.type("$KHAELOR\r");
    await terminal.waitFor(isIdle);
    const all = descendants(terminal.pid);
    for (const { pid } of all.toReversed()) process.kill(pid, "SIGKILL");
    await terminal.waitFor("Killed");
    expect(terminal.modes()).toContain("mouse-1000");
    const since = terminal.bytes().length;
    terminal.type("$KHAELOR --no-mouse\r");
    await terminal.waitFor(() => isIdle(terminal.bytes().slice(since))); // the old screen still shows the same
    expect(terminal.modes().filter((mode) => mode.startsWith("mouse"))).toEqual([]);
    expect(terminal.bytes().slice(since)).toContain(`${ESCAPE}[?1000l`);
    terminal.key("ctrl+c", "ctrl+c");
    await terminal.waitFor(() => terminal.modes().length === 0);
  }));

test("in a tmux that holds no output back, the screen is not cleared for a frame", () =>
  withTerminal({}, async (stage) => {
    const terminal = stage.open({ env: { TERM: "tmux-256color", TMUX: "/nowhere,1,0" }, answers: false });
    await terminal.waitFor(isIdle);
    const since = terminal.bytes().length;
    terminal.type("say the end of it\r");
    await terminal.waitFor(/ the end of it\n[\s\S]*the end of it/);
    const clears = ["", "2", "3"].map((what) => terminal.bytes().slice(since).includes(`${ESCAPE}[${what}J`));
    expect(clears).toEqual([false, false, false]);
  }));
