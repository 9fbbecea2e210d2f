/** The script of the acceptance: what its user does, in order. Each part leaves the draft empty and nothing running. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Terminal } from "../support/terminal.ts";
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

export const interrupting: Part = async ({ terminal, shot, say }) => {
  say("hold", "say The beginning of a long answer.", "text 2");
  await shot("21-streaming", "Writ", "pa");
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
  await shot("24-diff-next", "greet");
  terminal.key("escape");
  await shot("23-continued", "And on we go", "ready");
  terminal.key("ctrl+f");
  terminal.type("greet");
  await shot("25-search", "greet");
  terminal.key("enter");
  await shot("26-found", "greet");
  terminal.type("n");
  await shot("27-found-next", "greet");
  terminal.key("escape");
  await shot("28-search-left", "end", "ready");
  terminal.key("end");
  await shot("23-continued", "And on we go", "ready");
};

export async function everything(session: Session<Terminal>, stage: TerminalStage): Promise<void> {
  for (const part of [starting, palettes, asking, working, consenting, interrupting, reading])
    await part(session, stage);
}
