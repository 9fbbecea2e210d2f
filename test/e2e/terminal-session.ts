/**
 * One session on a terminal as a script: a user starts the program, types while it starts, gives it work, steers, queues,
 * consents, denies, interrupts, reads, searches, copies, is killed, and goes on. Every screen on the way is a golden file to read.
 * The same script runs on any terminal and at any size.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Script } from "../../src/simulator/index.ts";
import { obedientModel } from "../support/obedient-model.ts";
import type { Terminal } from "../support/terminal.ts";

const FOLDER = join(import.meta.dir, "../golden/frames/session");
const isUpdating = process.env.UPDATE_GOLDEN === "1";

/** So long a question takes no answer. */
const DEAD_MS = 300;

export const FILES: Readonly<Record<string, string>> = {
  "src/greet.ts": 'export function greet(name: string): string {\n  return "hello " + name;\n}\n',
  "src/greetings/list.ts": 'export const greetings = ["hello"];\n',
  "README.md": "# A small project\n",
  "work.sh": "for n in 1 2 3 4 5; do echo step $n; done\nuntil [ -e go ]; do sleep 0.02; done\necho all done\n",
};

/** A text of every kind, all of whose characters are equally wide on every terminal. */
const ANSWER = `The beginning of a **long** answer, with 漢字 and \`code\`:

- first
- second, with a line that is long enough to be wrapped wherever the screen is not as wide as this one here
  - below it

\`\`\`ts
export const answer = (text: string): number => text.length + 42; // cells
\`\`\`

| name | value |
| --- | ---: |
| part | 1 |

The end that is never seen.`;

const DELTA = 8;

/** Does what it is told; what it says when it is to hold on never comes to its end. */
export const patientModel: Script = (request) => {
  if (!request.lastUserText().endsWith("hold on.")) return obedientModel(request);
  const fault = {
    kind: "silence",
    afterSeen: "text_delta",
    times: Math.floor(ANSWER.indexOf("The end") / DELTA),
  } as const;
  return { content: [{ type: "text", text: ANSWER }], stream: { deltaChars: DELTA }, fault };
};

/** What differs from run to run is the same. How long a turn has been running decides what else its row has room for. */
export function normalised(screen: string): string {
  return screen
    .replace(/^( ● \S.*?)(?: {2}\d+s)? {2}esc stop.*$/gm, "$1  esc stop …")
    .replace(/^( *[✓✗] bash .*?) {2}\d+s$/gm, "$1")
    .replace(/\$\d+\.\d\d/g, "$0.00")
    .replace(/\breq_\w+/g, (id) => "req_".padEnd(id.length, "0"))
    .replace(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, "01ID".padEnd(26, "0"));
}

/** The letters and digits alone, so that words are found however they are wrapped. */
const squashed = (text: string): string => text.replace(/[^\p{L}\p{N}$]/gu, "");

export interface Size {
  readonly cols: number;
  readonly rows: number;
}

export interface Session<T extends Terminal = Terminal> {
  readonly terminal: T;
  readonly size: Size;
  /** Waits until the screen is the golden one; while goldens are renewed, until it holds the words and rests. */
  shot(step: string, ...words: readonly string[]): Promise<void>;
  /** Waits until the words are there, wrapped or not. */
  sees(...words: readonly string[]): Promise<void>;
  /** Types lines into the draft, one below the other. */
  draft(...lines: readonly string[]): void;
  /** The same, and sends it. */
  say(...lines: readonly string[]): void;
  /** Answers a question as soon as it takes an answer. */
  answer(key: string): Promise<void>;
}

/** `same`: what else is the same on every run, whatever it says. */
export function session<T extends Terminal>(
  terminal: T,
  size: Size,
  same: (screen: string) => string = (screen) => screen,
): Session<T> {
  const { cols, rows } = size;
  const compared = (screen: string): string => same(normalised(screen));
  const has = (words: readonly string[]) => (screen: string) =>
    words.every((word) => squashed(screen).includes(squashed(word)));
  const sees = (...words: readonly string[]) => terminal.waitFor(has(words));
  const draft = (...lines: readonly string[]) => {
    for (const [at, line] of lines.entries()) {
      if (at > 0) terminal.key("ctrl+j");
      terminal.type(line);
    }
  };
  return {
    terminal,
    size,
    sees,
    draft,
    say(...lines) {
      draft(...lines);
      terminal.key("enter");
    },
    async answer(key) {
      await Bun.sleep(DEAD_MS + 50); // it is on the screen, so this much later it takes keys
      terminal.key(key);
    },
    async shot(step, ...words) {
      const path = join(FOLDER, `${cols}x${rows}-${step}.txt`);
      if (isUpdating) {
        await sees(...words);
        await resting(terminal);
        writeFileSync(path, `${compared(terminal.screen())}\n`);
        return;
      }
      const golden = existsSync(path) ? readFileSync(path, "utf8").slice(0, -1) : "";
      await terminal
        .waitFor((screen) => compared(screen) === golden)
        .catch((error: unknown) => {
          throw new Error(
            `${path} shows something else:\n${golden}\n${error instanceof Error ? error.message : error}`,
          );
        });
    },
  };
}

/** Nothing changed for a while. Only where goldens are renewed. */
async function resting(terminal: Terminal): Promise<void> {
  for (let [last, since] = ["", Date.now()]; Date.now() - since < 400; await Bun.sleep(20)) {
    const now = normalised(terminal.screen());
    if (now !== last) [last, since] = [now, Date.now()];
  }
}
