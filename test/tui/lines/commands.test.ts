/** Commands in lines: what they print, what they ask, what is refused where there is no screen, and which session is open. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { EXIT, UserError } from "../../../src/shared/index.ts";
import type { LineTerminal } from "../../../src/tui/index.ts";
import { createDialog } from "../../../src/tui/lines/dialog.ts";
import { createPaper } from "../../../src/tui/lines/paper.ts";
import { createReader } from "../../../src/tui/lines/reader.ts";
import { type LineStageOptions, onLineStage, STAGE_TIMEOUT_MS } from "./line-stage.ts";

setDefaultTimeout(STAGE_TIMEOUT_MS);

const PROMPT = "\n> ";
const CHOICE = "Number or words of a row, empty for none: ";

describe("without a screen", () => {
  const REFUSED = {
    "/copy": "Nothing is copied without a screen",
    "/editor": "There is no draft to edit here",
    "/mouse": "There is no screen",
    "/vim": "There is no draft",
    "/redraw": "There is no screen to paint anew",
    "/theme dark": "There are no colours here.",
    "/login": "Here it could be seen while it is typed. Outside of this session: khaelor login",
  };
  test("what makes no sense is refused in words", () =>
    onLineStage({}, async ({ type, waitFor }) => {
      await waitFor(PROMPT);
      for (const [line, words] of Object.entries(REFUSED)) {
        type(line);
        await waitFor(words);
        await waitFor(PROMPT);
      }
    }));

  test("help names what can be typed and every command that does something here", () =>
    onLineStage({}, async ({ type, waitFor, since }) => {
      await waitFor(PROMPT);
      type("/help");
      await waitFor("What can be typed:");
      const help = since();
      await waitFor("/doctor whether everything that khaelor needs is there");
      await waitFor(PROMPT);
      expect(help).not.toContain("/vim");
      type("/help diff");
      await waitFor("/diff [mine|staged|all|turn] [--stat] [PATH]");
    }));

  test("the change set is printed as a diff", () =>
    onLineStage({}, async ({ type, waitFor }) => {
      await waitFor(PROMPT);
      type("write a.txt hello");
      await waitFor(/done · 1 file changed[\s\S]*\n> /);
      type("/diff");
      await waitFor("\n\na.txt  +1  by khaelor\n1 + hello\n\n> ");
    }));

  test("the whole session is printed again, and searched", () =>
    onLineStage({}, async ({ type, waitFor, mark, since }) => {
      await waitFor(PROMPT);
      type("say needle one");
      await waitFor(`one\n${PROMPT}`);
      type("run seq 3\\", "think deep thoughts");
      await waitFor("Done.\n");
      await waitFor(PROMPT);
      mark();
      type("/raw");
      await waitFor("> say needle one\n\n   needle one\n\n> run seq 3\n  think deep thoughts\n");
      await waitFor("     deep thoughts\n   ✓ bash seq 3\n       1\n       2\n       3\n");
      await waitFor(PROMPT);
      mark();
      type("/search needle", "/search say needle", "/search Needle", "/search nowhere");
      await waitFor('"needle" stands in 2 lines of this session:\n> say needle one\n   needle one\n');
      await waitFor('"say needle" stands in 1 line of this session:\n> say needle one\n');
      await waitFor('"Needle" stands nowhere in this session.');
      await waitFor('"nowhere" stands nowhere in this session.');
      expect(since()).toBe("\n");
    }));

  test("calls and thinking are unfolded from then on", () =>
    onLineStage({}, async ({ type, waitFor, text }) => {
      await waitFor(PROMPT);
      type("run seq 3\\", "think deep thoughts");
      await waitFor("✓ bash seq 3");
      await waitFor(PROMPT);
      expect(text()).not.toContain("deep thoughts\n\n   thought\n     deep");
      type("/details", "/thinking", "run seq 4\\", "think more thoughts");
      await waitFor("Calls are printed with all they say.");
      await waitFor("Thinking is printed.");
      await waitFor("   thought\n     more thoughts\n");
      await waitFor(/✓ bash seq 4[\s\S]* {7}4\n/);
    }));
});

describe("what a command asks", () => {
  test("is answered by a number, by words, and by nothing; what it asked for happens", () =>
    onLineStage({}, async ({ type, waitFor, house }) => {
      await waitFor(PROMPT);
      for (const [typed, told] of [
        ["", ""],
        ["99", "There is no such row."],
        ["no such words", "There is no such row."],
        ["opus", "These have the words:"],
      ] as const) {
        type("/model");
        await waitFor(CHOICE);
        type(typed);
        if (told !== "") {
          await waitFor(told);
          await waitFor(CHOICE);
          type("");
        }
        await waitFor(PROMPT);
      }
      type("/model");
      await waitFor(CHOICE);
      type("claude-opus-5");
      await waitFor("claude-opus-5-5 → claude-opus-5");
      expect(house.host.engine().session.state().meta.model).toBe("claude-opus-5");
    }));

  test("in more rows than anybody reads is cut, and says how many are left", async () => {
    const written: string[] = [];
    async function* typed() {
      for (const text of ["row", ""]) yield { text, begunAt: 0, endedAt: 0 };
    }
    const terminal: LineTerminal = {
      write: (text) => void written.push(text),
      lines: typed(),
      columns: () => 100,
      look: { depth: "none", mode: "dark" },
      isEchoed: true,
      onInterrupt: () => () => undefined,
      stop: new AbortController().signal,
    };
    const dialog = createDialog({
      paper: createPaper(terminal),
      reader: createReader(terminal.lines),
      terminal,
      settle: () => undefined,
    });
    const rows = Array.from({ length: 43 }, (_, at) => ({ value: `v${at}`, label: `row ${at + 1}` }));
    expect(await dialog.choose({ title: "Which?", rows })).toBe(undefined);
    const shown = (title: string) => `${title}\n    1  row 1\n`;
    const text = written.join("");
    expect(text.split("   … 3 more: type words of the row\n").map((part) => part.split("\n").length)).toEqual([
      42, 42, 1,
    ]);
    expect([text.startsWith(shown("Which?")), text.includes(shown("These have the words:"))]).toEqual([true, true]);
  });

  test("is given up by Ctrl+C and by the end of the input", () =>
    onLineStage({}, async ({ type, waitFor, interrupt, endInput, ended }) => {
      await waitFor(PROMPT);
      type("/rename");
      await waitFor("Title");
      interrupt();
      await waitFor(PROMPT);
      type("/rename");
      await waitFor("Title");
      endInput();
      expect((await ended).kind).toBe("quit");
    }));

  test("a secret is typed unseen where that can be had, and is written nowhere", () =>
    onLineStage({ terminal: { unseen: (work) => work() } }, async ({ type, waitFor, text, house }) => {
      await waitFor(PROMPT);
      type("/login");
      await waitFor("API key (it is not shown): ");
      type("sk-ant-secret-0123456789");
      await waitFor("Sessions that are opened from now on use it.");
      expect([text().includes("secret"), existsSync(`${house.home}/credentials.json`)]).toEqual([false, true]);
    }));
});

describe("which session is open", () => {
  const CHOOSE = { session: { pick: { text: "" } } };

  test("one is chosen at the start, with what was said last in it; its number is enough", () =>
    onLineStage(
      {
        async start(house) {
          for (const text of ["say first thing", "say other thing"]) {
            await house.open();
            await house.say(text);
          }
          await house.say(`say ${"long ago ".repeat(3)}`);
          await house.host.close();
          return CHOOSE;
        },
      },
      async ({ type, waitFor, since }) => {
        await waitFor("Which session?\n   1  say other thing  now · 2 messages");
        await waitFor("   2  say first thing  now · 1 message");
        await waitFor(CHOICE);
        type("first");
        await waitFor("permission mode bypass\n");
        await waitFor("say first thing: 1 message so far. The last exchange follows, /raw prints all.");
        await waitFor("\n\n> say first thing\n\n   first thing\n\n   · Resumed.\n\n> ");
        expect(since()).toBe("");
        type("/resume other");
        await waitFor("say other thing: 2 messages so far.");
        await waitFor("> say long ago long ago long ago");
        await waitFor(PROMPT);
        type("/new a plan");
        await waitFor("A new session: a plan");
      },
    ));

  test("where there is none to choose from, a new one is begun and that is said", () =>
    onLineStage({ start: CHOOSE }, async ({ waitFor }) => {
      await waitFor("There is no session of this project yet: this is a new one.");
      await waitFor(PROMPT);
    }));

  test("nothing chosen at the start ends it", () =>
    onLineStage(
      {
        async start(house) {
          await house.open();
          await house.say("hello");
          await house.host.close();
          return CHOOSE;
        },
      },
      async ({ type, waitFor, ended }) => {
        await waitFor(CHOICE);
        type("");
        expect((await ended).kind).toBe("quit");
      },
    ));

  test("one that cannot be opened leaves the one before in its place", () =>
    onLineStage({}, async ({ type, waitFor }) => {
      await waitFor(PROMPT);
      type("hello");
      await waitFor(`You said: hello\n${PROMPT}`);
      type("/resume 01AAAAAAAAAAAAAAAAAAAAAAAA");
      await waitFor("✗ ");
      await waitFor(PROMPT);
      type("again");
      await waitFor("You said: again");
    }));

  test("what is said at the start is said, and printed, since nobody saw it typed", () =>
    onLineStage({ start: { session: {}, prompt: "say at once" } }, async ({ waitFor }) => {
      await waitFor("ends khaelor.\n\n> say at once\n\n   at once\n\n> ");
    }));
});

describe("without a key", () => {
  // as: a house has a connection, unless it is taken away
  const NO_KEY = { host: { connection: undefined } as unknown as NonNullable<LineStageOptions["host"]> } as const;

  test("it ends with what the ways are", () =>
    onLineStage(NO_KEY, async ({ ended }) => {
      const { kind, error } = await ended;
      expect(kind).toBe("failed");
      expect(error?.message).toMatch(/^no API key: .*khaelor login.*khaelor demo/);
      expect(error?.cause instanceof UserError && error.cause.exitCode).toBe(EXIT.auth);
    }));

  test("where it can be typed unseen it is asked for", async () => {
    const keys: string[] = [];
    await onLineStage({ ...NO_KEY, keys, terminal: { unseen: (work) => work() } }, async ({ type, waitFor, ended }) => {
      await waitFor("no API key");
      await waitFor("API key (it is not shown; nothing quits): ");
      type("sk-typed");
      await waitFor("API key (it is not shown; nothing quits): "); // this house keeps none
      type("");
      expect([(await ended).kind, keys]).toEqual(["quit", ["sk-typed"]]);
    });
  });
});

describe("it ends in good order", () => {
  test("when the program has to end", () =>
    onLineStage({}, async ({ type, waitFor, stop, ended, house }) => {
      await waitFor(PROMPT);
      type("run sleep 20");
      await waitFor("● bash");
      stop("SIGTERM");
      expect((await ended).kind).toBe("quit");
      expect(house.host.current()).toBe(undefined);
    }));

  test("with what went wrong", () =>
    onLineStage({}, async ({ waitFor, stop, ended }) => {
      await waitFor(PROMPT);
      stop(new Error("the disk is full"));
      const { kind, error } = await ended;
      expect([kind, error?.message]).toEqual(["failed", "the disk is full"]);
    }));
});
