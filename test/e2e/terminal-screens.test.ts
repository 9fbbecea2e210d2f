/** Screens beside the conversation, and terminals that can do less: as a person meets them, with the compiled program. */
import { beforeAll, describe, expect, setDefaultTimeout } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import type { Pty } from "../support/terminal.ts";
import { SGR } from "../support/terminal-bytes.ts";
import { testsTogether } from "../support/together.ts";
import { RUN_TIMEOUT_MS, TEST_KEY } from "./stage.ts";
import { FILES, patientModel, type Session, session } from "./terminal-session.ts";
import { type TerminalRun, type TerminalStage, withTerminal } from "./terminal-stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

type Visit = (visited: Session<Pty>, stage: TerminalStage) => Promise<void>;

/** The project lies in the home folder, so that no path differs from run to run. */
async function visit(
  run: TerminalRun,
  work: Visit,
  before?: (stage: TerminalStage) => Promise<unknown>,
): Promise<void> {
  const { cols = 100, rows = 30, env, ...more } = run;
  await withTerminal({ script: patientModel, files: FILES }, async (stage) => {
    stage.commit();
    await before?.(stage);
    const size = { cols, rows };
    await work(session(stage.open({ ...more, ...size, env: { HOME: stage.root, ...env } }), size), stage);
  });
}

const together = testsTogether();

describe.each([
  [100, 30],
  [60, 20],
  [10, 8],
])("%d×%d", (cols, rows) => {
  together("without a key: one that is pasted is kept, and it goes on", () =>
    visit({ cols, rows, env: { ANTHROPIC_API_KEY: undefined, KHAELOR_HOME: undefined } }, async (visited, stage) => {
      const { terminal, shot, sees } = visited;
      await shot("40-no-key", "There is", "khaelor");
      terminal.paste(TEST_KEY);
      await shot("41-key-pasted", "••••");
      terminal.key("enter");
      await sees("ready");
      visited.say("say It works.");
      await sees("It works", "ready");
      const kept = join(stage.root, ".khaelor/credentials.json");
      expect([statSync(kept).mode & 0o777, readFileSync(kept, "utf8").includes(TEST_KEY)]).toEqual([0o600, true]);
      expect(terminal.bytes()).not.toContain(TEST_KEY);
    }),
  );

  together("--resume: a session is found by what was said in it", () =>
    visit(
      { cols, rows, args: ["--resume"] },
      async ({ terminal, shot, sees }) => {
        await shot("42-sessions", "Tools");
        terminal.type("apples");
        await shot("43-sessions-found", "apples", "Apple");
        terminal.key("enter");
        await sees("Apples are red", "ready");
        await shot("44-session-opened", "Apples are red", "ready");
      },
      async (stage) => {
        for (const [title, text] of [
          ["Fruit", "say Apples are red."],
          ["More fruit", "say Pears are green."],
          ["Tools", "run true\nsay A hammer is no fruit."],
        ] as const) {
          await stage.ask(["-p", "-n", title, text], { env: { HOME: stage.root } });
        }
      },
    ),
  );
});

const colorsOf = (bytes: string): ReadonlySet<string> =>
  new Set([...bytes.matchAll(SGR)].flatMap(([, numbers = ""]) => kindsOf(numbers)));

/** Which kinds of colours a sequence of attributes sets. */
function kindsOf(numbers: string): readonly string[] {
  if (/(?:^|;)[34]8[;:]2[;:]/.test(numbers)) return ["full"];
  const [, index] = /(?:^|;)[34]8[;:]5[;:](\d+)/.exec(numbers) ?? [];
  if (index !== undefined) return [Number(index) < 16 ? "16" : "256"];
  return /(?:^|;)(?:[349]\d|10[0-7])(?:;|$)/.test(numbers.replace(/(?:^|;)[34]9(?=;|$)/g, "")) ? ["16"] : [];
}

describe("colours", () => {
  const TERMINALS: readonly (readonly [name: string, env: TerminalRun["env"], kinds: readonly string[]])[] = [
    ["as many as there are", {}, ["full"]],
    ["256", { COLORTERM: undefined }, ["256"]],
    ["16", { COLORTERM: undefined, TERM: "xterm" }, ["16"]],
    ["none", { NO_COLOR: "1" }, []],
  ];
  for (const [name, env, kinds] of TERMINALS) {
    together(name, () =>
      visit({ env: env ?? {}, args: ["--yolo"] }, async ({ terminal, say, sees }) => {
        await sees("ready");
        say("read src/greet.ts", "edit src/greet.ts hello => good morning", "run exit 3", "say **All** is `done`.");
        await sees("All is done", "ready");
        terminal.key("ctrl+o");
        await terminal.waitFor(/^│/m);
        expect([...colorsOf(terminal.bytes())].filter((kind) => !kinds.includes(kind))).toEqual([]);
        expect(terminal.screen()).toContain('2 +   return "good morning " + name;');
      }),
    );
  }

  together("/theme changes those that are on the screen", () =>
    visit({}, async ({ terminal, say, sees }) => {
      const sign = () =>
        terminal.colors(
          1,
          terminal
            .screen()
            .split("\n")
            .findLastIndex((row) => row.startsWith(" ›")),
        );
      await sees("ready");
      expect(sign()).toMatchObject({ text: "›", fg: "#e0a96d" });
      say("/theme light");
      await terminal.waitFor(() => sign().fg === "#9a5b13");
    }),
  );
});

together("the mouse is taken, given back by F12, and left alone by --no-mouse", () =>
  visit({}, async ({ terminal, sees }, stage) => {
    const hasMouse = ({ modes }: Pty) => modes().some((mode) => mode.startsWith("mouse"));
    await sees("ready");
    expect(hasMouse(terminal)).toBe(true);
    terminal.key("f12");
    await sees("mouse free");
    expect(hasMouse(terminal)).toBe(false);
    terminal.key("f12");
    await terminal.waitFor(() => hasMouse(terminal));
    const other = stage.open({ args: ["--no-mouse"] });
    await other.waitFor("ready");
    expect(hasMouse(other)).toBe(false);
  }),
);

together("what the model's side does wrong is told where it happens", () =>
  visit({}, async ({ terminal, say, sees, shot }, { simulator }) => {
    await sees("ready");
    const refusing = (status: number, type: string, message: string) =>
      ({ kind: "http", status, body: { type: "error", error: { type, message } } }) as const;
    simulator.failNext(refusing(529, "overloaded_error", "Overloaded"));
    say("say It came in the end.");
    await sees("Trying again in", "overloaded (529)");
    await sees("It came in the end", "ready");
    simulator.failNext(refusing(400, "invalid_request_error", "Your credit balance is too low."));
    say("say Nobody hears this.");
    await sees("Your credit balance is too low", "ready");
    simulator.failNext({ kind: "cut", afterSeen: "text_delta", times: 2 });
    say("say This is a longer answer, so that it can be cut in the middle of it.");
    await sees("in the middle of it", "ready");
    terminal.key("ctrl+l");
    await shot("45-failures", "in the middle of it", "ready");
  }),
);
