/** `khaelor resume`: the words of `--resume` as a subcommand. */
import { EXIT, type ExitCode, UserError } from "../../shared/index.ts";
import type { Arguments } from "../args.ts";
import type { Output } from "../output.ts";
import { print } from "./print.ts";

/** All words name the session, for what was said has many; a prompt can be piped in, or comes with -p --resume. */
export function resume(typed: Arguments, output: Output): Promise<ExitCode> {
  if (typed.resume !== undefined || typed.continueLast || typed.fork !== undefined) {
    throw new UserError("resume names the session itself: leave out --resume, --continue and --fork.", EXIT.usage);
  }
  const { subcommand: _named, ...rest } = typed;
  return print({ ...rest, resume: typed.operands.join(" "), operands: [] }, output);
}
