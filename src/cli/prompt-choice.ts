/** What the model is told besides the conversation, as the command line chooses it: the system prompt, and what goes with it. */
import { resolve } from "node:path";
import { EXIT, UserError, wellFormed } from "../shared/index.ts";
import type { Arguments } from "./args.ts";
import { textFile } from "./text-file.ts";

export interface PromptChoice {
  /** In place of KHAELOR's own words. */
  readonly replaced?: string;
  /** Behind everything else. */
  readonly appended?: string;
  readonly withoutInstructions?: boolean;
  readonly withoutContext?: boolean;
}

type PromptFlags = Pick<
  Arguments,
  "systemPrompt" | "systemPromptFile" | "appendSystemPrompt" | "appendSystemPromptFile" | "bare" | "safeMode"
>;

interface Surroundings {
  readonly cwd: string;
  /** The session exists already, so its prompt is settled. */
  readonly isResumed: boolean;
}

/** Throws UserError for what contradicts itself, cannot be read, or would have no effect. */
export function promptChoice(typed: PromptFlags, { cwd, isResumed }: Surroundings): PromptChoice {
  const replaced = oneText("--system-prompt", [typed.systemPrompt, typed.systemPromptFile], cwd);
  const appended = oneText("--append-system-prompt", [typed.appendSystemPrompt, typed.appendSystemPromptFile], cwd);
  const useless = replaced !== undefined ? "--system-prompt" : appended !== undefined ? "--append-system-prompt" : "";
  if (isResumed && useless !== "") {
    throw wrong(`${useless} is for a new session: this one goes on with the prompt that it began with. Leave it out.`);
  }
  return {
    ...(replaced !== undefined && { replaced }),
    ...(appended !== undefined && { appended }),
    withoutInstructions: typed.bare || typed.safeMode,
    withoutContext: typed.bare,
  };
}

function oneText(
  flag: string,
  [text, file]: readonly [text: string | undefined, file: string | undefined],
  cwd: string,
): string | undefined {
  if (text !== undefined && file !== undefined) throw wrong(`${flag} and ${flag}-file: give one of them, not both.`);
  if (file === undefined) return text === undefined ? undefined : wellFormed(text);
  const read = textFile(resolve(cwd, file), `${flag}-file ${file}`);
  if (read.trim() === "") throw wrong(`${flag}-file ${file}: the file is empty.`);
  return wellFormed(read);
}

const wrong = (message: string): UserError => new UserError(message, EXIT.usage);
