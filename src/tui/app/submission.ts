/** Acts on what is sent: a message, steering, a command of the shell, or one that begins with a slash. */
import { errorMessage } from "../../shared/index.ts";
import type { Said } from "../input/said.ts";
import type { CommandUi, SlashCommand, TerminalPorts } from "../ports.ts";
import type { Core } from "./core.ts";
import { intentOf, readOnlyRefusal } from "./submit.ts";

export interface Submission {
  /** False: it was not taken, and the draft stays. */
  submit(said: Said, how: "send" | "queue"): boolean;
  run(command: SlashCommand, args: string): void;
  /** By its name, as if it had been typed. */
  command(name: string): void;
}

interface SubmissionParts {
  readonly core: Pick<Core, "feed" | "transcript" | "isBusy" | "say" | "view" | "keyOf">;
  readonly ports: Pick<TerminalPorts, "commands" | "unknownCommand">;
  readonly ui: () => CommandUi;
}

export function createSubmission({ core, ports, ui }: SubmissionParts): Submission {
  const { feed, transcript, isBusy, say } = core;
  const { commands, unknownCommand } = ports;
  const isReadOnly = () => feed.session()?.readOnly !== undefined;
  const isStreaming = () => core.view().live.some(({ kind }) => kind !== "call");
  /** A note stands where the transcript's settled part ends. While an answer streams that is above it, and soon out of sight. */
  function inSight(title: string): CommandUi {
    const own = ui();
    return {
      ...own,
      note(markdown) {
        if (isStreaming()) own.show(title, markdown);
        else own.note(markdown);
      },
      say(text, tone) {
        own.say(text, tone);
        if (isStreaming()) say(text, tone);
      },
    };
  }
  function refuse(why: string): void {
    if (feed.session()) inSight("").say(why, "warn");
    else say(why, "warn"); // there is no transcript yet
    transcript.toEnd();
  }
  function run(command: SlashCommand, args: string): void {
    transcript.toEnd();
    const shown = inSight(`/${command.name} ${args}`.trim());
    if (isReadOnly() && !command.whileReadOnly) refuse(readOnlyRefusal(command));
    else if (feed.session() || command.name === "exit") {
      command.run(args, shown).catch((error: unknown) => shown.say(errorMessage(error), "error"));
    } else say("The session is not open yet.", "warn");
  }
  function submit(said: Said, how: "send" | "queue"): boolean {
    const stopKey = core.keyOf("interrupt");
    const intent = intentOf(said, {
      commands,
      unknownCommand,
      isBusy: isBusy(),
      isReadOnly: isReadOnly(),
      how,
      stopKey,
    });
    if (intent.kind === "refused") refuse(intent.why);
    else if (intent.kind === "slash") run(intent.command, intent.args);
    else {
      feed.dispatch(intent.command);
      transcript.toEnd();
    }
    return intent.kind !== "refused";
  }
  return { run, submit, command: (name) => void submit({ text: `/${name}`, mentions: [] }, "send") };
}
