/** Why a session could not be opened, as the interface tells it apart: by the error's name. */
import { EXIT, UserError, withCause } from "../../shared/index.ts";

/** `MissingKey` where the user's key is what is missing, with paths as people write them; everything else stays as it is. */
export function asOpenFailure(error: unknown, userHome: string): unknown {
  if (!(error instanceof UserError) || error.exitCode !== EXIT.auth) return error;
  const message = userHome === "/" ? error.message : error.message.replaceAll(`${userHome}/`, "~/");
  return withCause(named("MissingKey", message), error);
}

/** The user has to choose among several sessions, or was given no words to find one by. */
export const chooseFirst = (count: number, words: string): Error =>
  named("Choose", words === "" ? "Which session?" : `${count} sessions have the words "${words}": choose one.`);

function named(name: "MissingKey" | "Choose", message: string): Error {
  const error = new Error(message);
  error.name = name;
  return error;
}
