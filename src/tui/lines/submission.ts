/** Acts on a line that was entered: a message, steering, a command of the shell, or one that begins with a slash. */
import { errorMessage } from "../../shared/index.ts";
import type { SessionFeed } from "../app/session-feed.ts";
import { intentOf } from "../app/submit.ts";
import { saidOf } from "../input/said.ts";
import type { CommandUi, SlashCommand, TerminalPorts } from "../ports.ts";
import type { Paper } from "./paper.ts";
import type { Printer } from "./printer.ts";

export interface LineSubmission {
  /** Resolves when a slash command is done; a turn is not waited for. */
  submit(text: string): Promise<void>;
}

export interface LineSubmissionParts {
  readonly paper: Paper;
  readonly printer: Printer;
  readonly feed: Pick<SessionFeed, "session" | "dispatch">;
  readonly ports: Pick<TerminalPorts, "commands" | "unknownCommand">;
  readonly isBusy: () => boolean;
  readonly ui: () => CommandUi;
}

const STEERS = "The model is told at its next step.";
const WAITS = "It runs when this turn is over.";

export function createLineSubmission(parts: LineSubmissionParts): LineSubmission {
  const { paper, printer, feed, ports, ui } = parts;
  async function run(command: SlashCommand, args: string): Promise<void> {
    if (!feed.session() && command.name !== "exit") return paper.words("The session is not open yet.", "warn");
    try {
      await command.run(args, ui());
    } catch (error) {
      ui().say(errorMessage(error), "error");
    }
  }
  return {
    async submit(text) {
      if (text.trim() === "") return;
      const isBusy = parts.isBusy();
      const isReadOnly = feed.session()?.readOnly !== undefined;
      const intent = intentOf(saidOf(text, []), { ...ports, isBusy, isReadOnly, how: "send", stopKey: "Ctrl+C" });
      if (intent.kind === "refused") return paper.words(`${intent.why} Nothing was sent.`, "warn");
      if (intent.kind === "slash") return run(intent.command, intent.args);
      const { command } = intent;
      if (command.kind === "submit-message") printer.said(command.text);
      feed.dispatch(command);
      if (command.kind === "steer") paper.words(STEERS);
      else if (command.kind === "shell" && isBusy) paper.words(WAITS);
    },
  };
}
