/** The conversation in lines: what is typed, what becomes of it, and what is printed of it. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { onLineStage, STAGE_TIMEOUT_MS, steady } from "./line-stage.ts";

setDefaultTimeout(STAGE_TIMEOUT_MS);

const PROMPT = "\n> ";

test("begins with three lines and a prompt, and ends with /exit", () =>
  onLineStage({}, async ({ type, waitFor, text, ended, house }) => {
    await waitFor(PROMPT);
    type("/exit");
    expect((await ended).kind).toBe("quit");
    expect(steady(text(), house)).toBe(
      [
        "khaelor 0 · ~/project · claude-opus-5-5 · permission mode bypass",
        "A line is a message; a \\ at its end goes on in the next. /help lists commands.",
        "Ctrl+C stops a turn; twice while nothing runs, or /exit, ends khaelor.",
        "",
        "> /exit",
        "",
      ].join("\n"),
    );
  }));

test("answers a message, line by line, and prompts again", () =>
  onLineStage({}, async ({ type, waitFor, since, mark }) => {
    await waitFor(PROMPT);
    mark();
    type("say **one**\\", "say two");
    await waitFor(`   two\n${PROMPT}`);
    mark();
    type("hello");
    await waitFor(PROMPT);
    expect(since()).toBe("");
  }));

test("what is written comes before the answer has ended", () =>
  onLineStage({}, async ({ type, waitFor, interrupt }) => {
    await waitFor(PROMPT);
    type("text 40\\", "slow 400");
    await waitFor("漢字とかな");
    interrupt();
    await waitFor("… stopped here");
    await waitFor(PROMPT);
  }));

test("a long answer at once is whole, and printed once", () =>
  onLineStage({}, async ({ type, waitFor, text }) => {
    await waitFor(PROMPT);
    type("text 60\\", "say the end of it");
    await waitFor(/ {3}Part \d+[\s\S]*\n\n> $/);
    const parts = [...text().matchAll(/^ {3}Part (\d+)$/gm)].map(([, number]) => Number(number));
    expect(parts).toEqual([...new Set(parts)].toSorted((a, b) => a - b));
    expect(parts.length).toBeGreaterThan(50);
  }));

describe("while a turn runs", () => {
  test("a line steers, /queue waits for its end, and both are told and printed where they were said", () =>
    onLineStage({}, async ({ type, waitFor, since, house }) => {
      await waitFor(PROMPT);
      type("run sleep 0.5");
      await waitFor("   ● bash sleep 0.5\n");
      type("/queue say second", "say first");
      await waitFor("It is said when this turn is over.");
      await waitFor("The model is told at its next step.");
      await waitFor("> say first\n  said while it worked\n\n   first\n");
      await waitFor("> say second\n\n   second\n");
      await waitFor(PROMPT);
      expect(since()).toBe("");
      expect(house.simulator.refusals).toEqual([]);
    }));

  test("a command that needs its end is refused, and nothing of it is sent", () =>
    onLineStage({}, async ({ type, waitFor, text, interrupt }) => {
      await waitFor(PROMPT);
      type("run sleep 20");
      await waitFor("● bash");
      type("/new");
      await waitFor("/new waits for the end of the turn; Ctrl+C stops it. Nothing was sent.");
      interrupt();
      await waitFor(/! Stopped\.\n[\s\S]*✗ bash sleep 20 {2}stopped\n\n> /);
      expect(text()).not.toContain("A new session");
    }));

  test("the end of the input waits for the turn, and for what was queued", () =>
    onLineStage({}, async ({ type, waitFor, text, endInput, ended }) => {
      await waitFor(PROMPT);
      type("run sleep 0.3");
      await waitFor("● bash");
      type("/queue say second");
      endInput();
      expect((await ended).kind).toBe("quit");
      expect(text()).toEndWith("> say second\n\n   second\n");
    }));
});

test("a message that goes on when the input ends is sent as far as it was typed", () =>
  onLineStage({}, async ({ type, waitFor, text, endInput, ended, house }) => {
    await waitFor(PROMPT);
    type("say half\\");
    await waitFor("\n… ");
    endInput();
    expect((await ended).kind).toBe("quit");
    expect([house.simulator.requests.length, text()]).toEqual([1, expect.stringMatching(/\n {3}half\n$/)]);
  }));

describe("Ctrl+C", () => {
  test("twice ends it while nothing runs, once says so", () =>
    onLineStage({}, async ({ waitFor, interrupt, ended }) => {
      await waitFor(PROMPT);
      interrupt();
      await waitFor("Ctrl+C again ends khaelor.");
      interrupt();
      expect((await ended).kind).toBe("quit");
    }));

  test("drops a message that was begun", () =>
    onLineStage({}, async ({ type, waitFor, interrupt, house }) => {
      await waitFor(PROMPT);
      type("say half\\");
      await waitFor("\n… ");
      interrupt();
      await waitFor("Not sent.");
      type("hello");
      await waitFor("You said: hello\n");
      expect(house.simulator.requests.length).toBe(1);
    }));
});

describe("what is no message", () => {
  test("an unknown command is refused with what was meant; so is a command without a name", () =>
    onLineStage({}, async ({ type, waitFor, house }) => {
      await waitFor(PROMPT);
      type("/dif", "/", "!", "   ");
      await waitFor("did you mean /diff? To send it as text, put a blank before it.\n     Nothing was sent.");
      await waitFor("Behind / stands the name of a command.");
      await waitFor("Behind ! stands a command");
      await waitFor(PROMPT);
      expect(house.simulator.requests.length).toBe(0);
    }));

  test("a line that cannot be used is told", () =>
    onLineStage({}, async ({ problem, waitFor }) => {
      await waitFor(PROMPT);
      problem("the line is not UTF-8");
      await waitFor("! the line is not UTF-8\n");
      await waitFor(PROMPT);
    }));

  test("a command of the user's own is run and shown", () =>
    onLineStage({}, async ({ type, waitFor }) => {
      await waitFor(PROMPT);
      type("!seq 30; exit 3");
      await waitFor("   ! seq 30; exit 3  exit 3\n");
      await waitFor("… 21 lines before\n");
      await waitFor("       [exit code 3]\n       /raw prints all of it\n");
      await waitFor(PROMPT);
    }));

  test("a file that is mentioned goes along", () =>
    onLineStage({ files: { "a.txt": "content of a\n" } }, async ({ type, waitFor, house }) => {
      await waitFor(PROMPT);
      type("say yes to @a.txt");
      await waitFor(/\n {3}yes to @a\.txt/);
      expect(house.simulator.requests.at(-1)?.raw).toContain("content of a");
    }));
});

test("a request that fails is told with what becomes of it, and its answer is told to be dead", () =>
  onLineStage(
    {
      script: () => ({
        content: [{ type: "text", text: "one\n\ntwo\n\nthree" }],
        stream: { deltaChars: 4, deltaMs: 60 },
        fault: { kind: "cut", afterEvents: 6 },
      }),
    },
    async ({ type, waitFor }) => {
      await waitFor(PROMPT);
      type("hello");
      await waitFor("   one\n");
      await waitFor("   ! That answer broke off: what was printed of it does not count.\n");
      await waitFor(/ {3}! Trying again( in \d+s)?: /);
      await waitFor(`   one\n\n   two\n\n   three\n${PROMPT}`);
    },
  ));

test("hidden characters do not reach the terminal, whoever wrote them", () =>
  onLineStage({}, async ({ type, waitFor, text }) => {
    await waitFor(PROMPT);
    type("say red\u001b[31m \u202edeceit\u0007");
    await waitFor(`deceit\n${PROMPT}`);
    type("run printf 'a\\033]0;title\\007b\\rc\\n'; exit 1");
    await waitFor("exit 1");
    await waitFor(PROMPT);
    expect(text()).not.toMatch(/[^\n\x20-\x7e\u00a0-\u{10ffff}]|[\u202a-\u202e\u2066-\u2069]/u);
  }));
