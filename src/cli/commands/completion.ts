/** `khaelor completion`: a script that a shell reads to complete what is typed. */
import { EXIT, type ExitCode, nearest, UserError } from "../../shared/index.ts";
import type { Arguments } from "../args.ts";
import { completionScript } from "../completion.ts";
import type { Output } from "../output.ts";
import { COMPLETION_SHELLS } from "../subcommands.ts";

export async function completion({ operands }: Arguments, output: Output): Promise<ExitCode> {
  const [typed = "", ...more] = operands;
  const shell = COMPLETION_SHELLS.find((name) => name === typed);
  if (!shell || more.length > 0) {
    const meant = shell || typed === "" ? undefined : nearest(typed, COMPLETION_SHELLS);
    const guess = meant ? ` Did you mean ${meant}?` : "";
    throw new UserError(`Name one shell: khaelor completion ${COMPLETION_SHELLS.join("|")}.${guess}`, EXIT.usage);
  }
  output.out(completionScript(shell));
  return EXIT.done;
}
