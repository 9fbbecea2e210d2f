/**
 * A round of what people do in a terminal: messages, long answers, tools, consent, resizes, searches, folds, scrolling, lists,
 * pastes, and sessions that come and go. It ends at rest. The obedient model answers, so that every round does the same.
 */
import { readdirSync } from "node:fs";
import type { Pty } from "../../test/support/terminal.ts";

export interface Workshop {
  readonly terminal: Pty;
  /** Requests that were answered so far. */
  readonly answered: () => number;
  /** Where the sessions of the project lie, one file each. */
  readonly sessions: string;
}

/** So long a session grows before the next is begun: the work stays the same for hours. */
const ROUNDS_A_SESSION = 8;
/** Of the answers to one message. */
const LONGEST_MS = 60_000;
/** What was typed before a question appeared must not answer it. */
const DEAD_KEYS_MS = 400;
/** A frame at the slowest pace, and the way there. */
const FRAME_MS = 150;

export async function doRound(shop: Workshop, round: number): Promise<void> {
  const { terminal } = shop;
  if (round % ROUNDS_A_SESSION === 0 && round > 0) await another(shop, "/new");
  if (round % ROUNDS_A_SESSION === 4) await backAndForth(shop);
  await say(shop, [`think about round ${round}`, `say This is round ${round}.`], 1);
  await whileItStreams(shop);
  await lookAround(terminal);
  await pressKeys(terminal);
  await say(shop, [`run seq 1 ${200 + round}`, "read README.md", `write note-${round % 5}.txt round ${round}`], 4);
  await askFirst(shop, round); // a turn comes last: memory is collected soon after
}

/** A line each; resolves when so many requests were answered and nothing goes on. */
async function say(shop: Workshop, lines: readonly string[], requests: number, meanwhile?: () => Promise<void>) {
  const { terminal, answered } = shop;
  const until = answered() + requests;
  for (const [at, line] of lines.entries()) {
    if (at > 0) terminal.key("ctrl+j");
    terminal.type(line);
  }
  await terminal.waitFor((screen) => screen.includes(lines.at(-1) ?? ""));
  terminal.key("enter");
  await meanwhile?.();
  for (const late = Date.now() + LONGEST_MS; answered() < until; await Bun.sleep(10)) {
    if (Date.now() > late) throw new Error(`"${lines.join("; ")}" was never answered:\n${terminal.screen()}`);
  }
  await Bun.sleep(FRAME_MS);
  await terminal.waitFor(/○ ready/);
}

/** 20 KB at 5,000 tokens a second: read back and forth, typed into, in windows of other sizes. */
function whileItStreams(shop: Workshop): Promise<void> {
  const { terminal } = shop;
  return say(shop, ["slow 5000", "text 20"], 1, async () => {
    terminal.key("pageup", "pageup");
    terminal.type("steering that is not sent");
    await Bun.sleep(FRAME_MS);
    for (const [columns, rows] of SIZES) {
      terminal.resize(columns, rows);
      await Bun.sleep(FRAME_MS);
    }
    terminal.key("ctrl+u", "end");
  });
}

const SIZES = [
  [60, 20],
  [10, 8],
  [1, 1],
  [140, 50],
  [100, 30],
] as const;

/** A command that nobody allowed beforehand. */
function askFirst(shop: Workshop, round: number): Promise<void> {
  const { terminal } = shop;
  return say(shop, [`run ./nowhere.sh ${round}`], 2, async () => {
    await terminal.waitFor("y once");
    await Bun.sleep(DEAD_KEYS_MS);
    terminal.key("y");
  });
}

/** Searches, folds, scrolls, and goes through the transcript by keys and with the wheel. */
async function lookAround(terminal: Pty): Promise<void> {
  terminal.key("ctrl+f");
  terminal.type("Part");
  terminal.key("enter");
  await Bun.sleep(FRAME_MS);
  terminal.key("ctrl+o", "n", "n", "N", "k", "k", "space", "space");
  await pressEscape(terminal);
  await pressEscape(terminal);
  terminal.key("ctrl+x", "e");
  await Bun.sleep(FRAME_MS);
  terminal.key("ctrl+x", "e", "ctrl+home", "pagedown", "pagedown");
  await Bun.sleep(FRAME_MS);
  for (let turn = 0; turn < 20; turn++) terminal.send(`\u001b[<${turn % 3 === 0 ? 65 : 64};10;10M`);
  await Bun.sleep(FRAME_MS);
  terminal.key("ctrl+end");
}

/** Lists, viewers, pastes and edits, all of which leave the draft empty. */
async function pressKeys(terminal: Pty): Promise<void> {
  for (const opened of [["ctrl+k"], ["f1"], ["ctrl+x", "d"], ["ctrl+r"], ["ctrl+x", "c"]]) {
    terminal.key(...opened);
    await pressEscape(terminal);
  }
  for (const typed of ["/he", "@READ"]) {
    terminal.type(typed);
    await pressEscape(terminal);
    terminal.key("ctrl+u");
  }
  terminal.paste("a line that was pasted\n".repeat(300));
  await Bun.sleep(FRAME_MS);
  terminal.key("ctrl+c", "ctrl+l");
  await terminal.waitFor(/○ ready/);
}

/** By itself: with another key right behind it, it would be Alt. */
async function pressEscape(terminal: Pty): Promise<void> {
  await Bun.sleep(FRAME_MS);
  terminal.key("escape");
  await Bun.sleep(FRAME_MS);
}

async function another({ terminal }: Workshop, command: string): Promise<void> {
  terminal.type(command);
  await terminal.waitFor((screen) => screen.includes(command));
  await pressEscape(terminal); // the list of commands goes first
  terminal.key("enter");
  await Bun.sleep(5 * FRAME_MS);
  await terminal.waitFor(/○ ready/);
}

/** To the oldest session and to the newest again. */
async function backAndForth(shop: Workshop): Promise<void> {
  const ids = readdirSync(shop.sessions).flatMap((name) => /^(\w+)\.jsonl$/.exec(name)?.[1] ?? []);
  const [oldest, newest] = [ids.toSorted()[0], ids.toSorted().at(-1)];
  if (oldest === undefined || newest === undefined || oldest === newest) return;
  await another(shop, `/resume ${oldest}`);
  await another(shop, `/resume ${newest}`);
}
