/** `khaelor resume` without a terminal: the words of `--resume` as a subcommand. A prompt is piped in, or comes with -p --resume. */
import type { ExitCode } from "../../shared/index.ts";
import type { Arguments } from "../args.ts";
import type { Output } from "../output.ts";
import { asResumeFlag } from "../resume-words.ts";
import { print } from "./print.ts";

export const resume = async (typed: Arguments, output: Output): Promise<ExitCode> => print(asResumeFlag(typed), output);
