/** The script of the acceptance: what its user does, in order. Each part leaves the draft empty and nothing running. */
import { expect } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Terminal } from "../support/terminal.ts";
import { readLog } from "./stage.ts";
import type { Session } from "./terminal-session.ts";
import type { TerminalStage } from "./terminal-stage.ts";

type Part = (session: Session, stage: TerminalStage) => Promise<void>;

export const starting: Part = async ({ terminal, shot }) => {
  terminal.type("early bird");
  await shot("01-typed-early", "early bird", "ready");
  terminal.key("ctrl+u");
  await shot("02-welcome", "ready", "lists");
};

export const palettes: Part = async ({ terminal, shot }) => {
  terminal.type("/");
  await shot("03-slash", "/");
  terminal.type("them");
  await shot("04-slash-typed", "them");
  terminal.key("escape");
  await shot("05-slash-closed", "them", "ready");
  terminal.key("ctrl+u");
  terminal.type("?");
  await shot("05-help", "Keys");
  terminal.key("escape");
  await shot("02-welcome", "ready", "lists");
};

export const asking: Part = async ({ terminal, shot, draft }) => {
  draft("say I have read @gre");
  await shot("06-mention", "ist.ts");
  terminal.key("tab");
  await shot("07-mentioned", "eet.ts");
  terminal.key("ctrl+j");
  draft("think about the greeting", "read src/greet.ts");
  await shot("08-composed", "eet.ts");
  terminal.key("enter");
  await shot("09-answered", "I have read", "ready");
};

export const working: Part = async ({ terminal, shot, say, draft, answer }, stage) => {
  say("run sh work.sh", "say It worked.");
  await shot("10-asked", "y");
  await answer("y");
  await shot("11-running", "Runnin");
  say("say You steered me.");
  await shot("12-steering", "steer");
  draft("say You queued this.");
  terminal.key("tab");
  await shot("13-queued", "queue");
  terminal.key("alt+up");
  await shot("14-taken-back", "queued this");
  terminal.key("tab");
  await shot("13-queued", "queue");
  writeFileSync(join(stage.project, "go"), "");
  await shot("15-finished", "You queued this.", "ready");
};

export const consenting: Part = async ({ terminal, shot, say, draft, answer }) => {
  say("edit src/greet.ts hello => good morning");
  await shot("16-asked-edit", "y");
  await answer("y");
  await shot("17-edited", "done", "ready");
  say("run rm -r src");
  await shot("18-asked-again", "y");
  await answer("d");
  draft("keep it, please");
  await shot("19-reason", "please");
  terminal.key("enter");
  await shot("20-denied", "Done", "ready");
};

export const interrupting: Part = async ({ terminal, size, shot, say }) => {
  say("Tell me a long story, and hold on.");
  await shot("21-streaming", "Writ", "part");
  terminal.resize(44, 14);
  await terminal.waitFor((screen) => screen.split("\n").every((row) => row.length <= 44) && screen.includes("──"));
  terminal.resize(size.cols, size.rows);
  await shot("21-streaming", "Writ", "part");
  terminal.key("escape");
  await shot("22-interrupted", "ready");
  say("say And on we go.");
  await shot("23-continued", "And on we go", "ready");
};

export const reading: Part = async ({ terminal, shot }) => {
  terminal.key("ctrl+x");
  terminal.type("d");
  await shot("24-diff", "go");
  terminal.type("]");
  await shot("25-diff-next", "greet");
  terminal.key("escape");
  await shot("23-continued", "And on we go", "ready");
  terminal.key("ctrl+f");
  await terminal.waitFor(/^ \/ Find i/m);
  terminal.paste("greet");
  await shot("26-search", "greet");
  terminal.key("enter");
  await shot("27-found", "greet");
  terminal.type("n");
  await shot("28-found-next", "greet");
  terminal.key("escape");
  await shot("29-search-left", "end", "ready");
  terminal.key("end");
  await shot("23-continued", "And on we go", "ready");
};

function expectColors({ first: { terminal }, colors: { accent, fg, you } }: Acceptance): void {
  const rows = terminal.screen().split("\n");
  const colorOf = (sign: string, word = sign) => {
    const y = rows.findLastIndex((row) => row.trimStart().startsWith(word));
    return terminal.colors(rows[y]?.indexOf(sign) ?? 0, y);
  };
  expect([colorOf("›"), colorOf("A", "And on we"), colorOf("▌")]).toEqual([
    { text: "›", fg: accent, bg: "default" },
    { text: "A", fg, bg: "default" },
    { text: "▌", fg: you, bg: "default" },
  ]);
}

async function copying({ first: { terminal, shot }, copied }: Acceptance): Promise<void> {
  terminal.key("ctrl+x");
  terminal.type("y");
  await shot("30-copied", "Answer");
  expect(copied()).toBe("And on we go.");
}

/** Another program goes on where one was killed, and a question waits although nobody is left who asked it. */
async function dying({ first, stage, open }: Acceptance): Promise<void> {
  first.say("Tell me another, and hold on.");
  await first.sees("Writ", "part");
  first.terminal.kill("SIGKILL");
  await first.terminal.exited;
  const second = await open(["-c"]);
  await second.shot("31-resumed", "ready", "Resumed");
  second.say("run rm -r src");
  await second.sees("waitin", "y", "n");
  second.terminal.kill("SIGKILL");
  await second.terminal.exited;
  const [log = ""] = stage.logs();
  const third = await open(["--resume", readLog(log)[0]?.sessionId ?? ""]);
  await third.shot("32-asked-again-after-kill", "waitin", "y");
  await third.answer("n");
  await third.shot("33-went-on", "Done", "ready");
  third.say("/exit");
  const { code, signal } = await third.terminal.exited;
  expect([code ?? 0, signal]).toEqual([0, null]); // tmux does not always tell
}

export interface Acceptance {
  readonly first: Session<Terminal>;
  readonly stage: TerminalStage;
  /** Starts the program once more, on a terminal of the same size. */
  readonly open: (args: readonly string[]) => Promise<Session<Terminal>>;
  /** What was put into the clipboard last. */
  readonly copied: () => string | undefined;
  readonly colors: { readonly accent: string; readonly fg: string; readonly you: string };
}

export async function everything(acceptance: Acceptance): Promise<void> {
  const { first, stage } = acceptance;
  for (const part of [starting, palettes, asking, working, consenting, interrupting, reading]) {
    await part(first, stage);
  }
  expectColors(acceptance);
  await copying(acceptance);
  await dying(acceptance);
}
