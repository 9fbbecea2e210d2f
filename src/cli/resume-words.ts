/** `khaelor resume WORDS` as `--resume WORDS`: all words name the session, for what was said has many. */
import { EXIT, UserError } from "../shared/index.ts";
import type { Arguments } from "./args.ts";

/** Throws UserError when a flag names a session as well. */
export function asResumeFlag({ subcommand: _resume, ...typed }: Arguments): Arguments {
  if (typed.resume !== undefined || typed.continueLast || typed.fork !== undefined) {
    throw new UserError("resume names the session itself: leave out --resume, --continue and --fork.", EXIT.usage);
  }
  return { ...typed, resume: typed.operands.join(" "), operands: [] };
}
