/** What the interface wants to open, in the words of an engine; where the user has to choose first, that is said. */
import { projectHash } from "../../session/index.ts";
import { EXIT, UserError } from "../../shared/index.ts";
import type { TerminalChoice } from "../../tui/index.ts";
import type { EngineOptions } from "../engine.ts";
import { sessionsNamed } from "../find-session.ts";
import { projectRootOf } from "../project-root.ts";
import { openStore } from "../state.ts";
import { chooseFirst } from "./open-failure.ts";

type Chosen = Pick<EngineOptions, "resume" | "fork" | "name">;
type Where = Pick<EngineOptions, "places" | "env" | "log">;

/** Rejects with an Error named `Choose` when the words name several sessions, or there are none. */
export async function chosenSession(choice: TerminalChoice, where: Where): Promise<Chosen> {
  const { resume, fork, pick, name } = choice;
  const named = { ...(name !== undefined && { name }) };
  if (pick) return { ...named, resume: await theOnly(pick.text, where) };
  if (fork) return { ...named, resume: fork.id, fork: fork.seq === undefined ? {} : { seq: fork.seq } };
  return { ...named, ...(resume !== undefined && { resume }) };
}

async function theOnly(words: string, { places, env, log }: Where): Promise<string> {
  if (words === "") throw chooseFirst(0, words);
  const { store } = openStore(places, log);
  const found = await sessionsNamed(store, words, projectHash(await projectRootOf(places.cwd, env)));
  const [only, second] = found;
  if (only === undefined) {
    const message = `No session of this project has the id or the words "${words}". khaelor --resume alone shows them all.`;
    throw new UserError(message, EXIT.usage);
  }
  if (second !== undefined) throw chooseFirst(found.length, words);
  return only;
}
