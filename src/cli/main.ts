/** The table of contents of the program. Nothing heavy is imported here: each command's room is opened when it is needed. */
import { EXIT, type ExitCode } from "../shared/index.ts";
import { type Arguments, parseArguments } from "./args.ts";
import { canDraw, isOnTerminal, leaveShell, showShell } from "./boot.ts";
import { wrongCombination } from "./combinations.ts";
import { describeFailure } from "./failure.ts";
import { helpText, subcommandHelp } from "./help.ts";
import { createOutput, type Output } from "./output.ts";
import { asResumeFlag } from "./resume-words.ts";
import { SUBCOMMANDS, unknownSubcommand } from "./subcommands.ts";
import { mayWantLines } from "./terminal/lines-wanted.ts";
import { refusedOnTerminal } from "./terminal-flags.ts";
import { VERSION } from "./version.ts";

async function main(argv: readonly string[], output: Output): Promise<ExitCode> {
  const parsed = parseArguments(argv);
  if (!parsed.ok) return misused(output, parsed.error);
  const typed = parsed.value;
  if (typed.version) return say(output, `khaelor ${VERSION}\n`);
  if (typed.help || typed.subcommand === "help") return help(typed, output);
  const complaint = wrongCombination(typed);
  if (complaint !== undefined) return misused(output, complaint);
  try {
    return await run(typed, output);
  } catch (error) {
    leaveShell();
    const { message, exitCode } = describeFailure(error);
    output.err(`khaelor: ${message}\n`);
    return exitCode;
  }
}

/** Of one subcommand when one is named, behind the word or before the flag. */
function help({ subcommand, operands }: Arguments, output: Output): ExitCode {
  const width = process.stdout.columns || 100;
  const named = subcommand === "help" ? operands[0] : subcommand;
  if (named === undefined || named === "help") return say(output, helpText(VERSION, width));
  const found = SUBCOMMANDS.find(({ name }) => name === named);
  return found ? say(output, subcommandHelp(found.name, width)) : misused(output, unknownSubcommand(named));
}

async function run(typed: Arguments, output: Output): Promise<ExitCode> {
  switch (typed.subcommand) {
    case "demo":
      return (await import("./commands/demo.ts")).demo(typed, output);
    case "sessions":
      return (await import("./commands/sessions.ts")).sessions(typed, output);
    case "resume":
      if (isInteractive(typed)) return onTerminal(asResumeFlag(typed), output);
      return (await import("./commands/resume.ts")).resume(typed, output);
    case "fork":
      return (await import("./commands/fork.ts")).fork(typed, output);
    case "log":
      return (await import("./commands/log.ts")).log(typed, output);
    case "fold":
      return (await import("./commands/fold.ts")).fold(typed, output);
    case "search":
      return (await import("./commands/search.ts")).search(typed, output);
    case "stats":
      return (await import("./commands/stats.ts")).stats(typed, output);
    case "completion":
      return (await import("./commands/completion.ts")).completion(typed, output);
    case "fsck":
      return (await import("./commands/fsck.ts")).fsck(typed, output);
    case "config":
      return (await import("./commands/config.ts")).config(typed, output);
    case "login":
      return (await import("./commands/login.ts")).login(typed, output);
    case "logout":
      return (await import("./commands/login.ts")).logout(typed, output);
    case "permissions":
      return (await import("./commands/permissions.ts")).permissions(typed, output);
    case "models":
      return (await import("./commands/models.ts")).models(typed, output);
    default:
      return isInteractive(typed)
        ? onTerminal(typed, output)
        : (await import("./commands/print.ts")).print(typed, output);
  }
}

/** With lines instead of a screen a pipe is as good as a terminal. */
const isInteractive = ({ print, inputFormat, outputFormat, screenReader }: Arguments): boolean =>
  !print && inputFormat === undefined && outputFormat === undefined && (screenReader || isOnTerminal());

async function onTerminal(typed: Arguments, output: Output): Promise<ExitCode> {
  const complaint = refusedOnTerminal(typed);
  if (complaint !== undefined) return misused(output, complaint);
  const isScreen = canDraw() && !typed.screenReader && !mayWantLines(process.env);
  if (isScreen) showShell({ alternateScreen: !typed.noAltScreen });
  return (await import("./commands/interactive.ts")).interactive(typed, output);
}

function misused(output: Output, complaint: string): ExitCode {
  output.err(`khaelor: ${complaint}\nTry khaelor --help.\n`);
  return EXIT.usage;
}

function say(output: Output, text: string): ExitCode {
  output.out(text);
  return EXIT.done;
}

/** Output that was lost is no success, however well the work went. */
function told(exitCode: ExitCode, output: Output): ExitCode {
  const lost = output.failure();
  if (lost === undefined) return exitCode;
  output.err(`khaelor: ${lost}\n`);
  return exitCode === EXIT.done ? EXIT.internal : exitCode;
}

const output = createOutput();
process.exit(told(await main(process.argv.slice(2), output), output));
