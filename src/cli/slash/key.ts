/** `/login` and `/logout`: the key in its file. The session that is open goes on with the one it was opened with. */
import { existsSync } from "node:fs";
import { credentialFile, dropCredential } from "../../config/index.ts";
import type { CommandUi } from "../../tui/index.ts";
import { keyVariables, storeKey } from "../stored-key.ts";
import type { SlashContext } from "./define.ts";

export async function login(args: string, ui: CommandUi, { places, env }: SlashContext): Promise<void> {
  if (args.trim() !== "") throw new Error("A key is never typed where it can be read: /login asks for it.");
  const typed = await ui.ask("API key (it is not shown)", { isSecret: true });
  if (typed === undefined) return;
  ui.say(`${await storeKey(places.home, typed)} Sessions that are opened from now on use it.`, "ok");
  for (const name of keyVariables(env)) ui.say(`The variable ${name} is set, and comes before what is kept.`, "warn");
}

export async function logout(_args: string, ui: CommandUi, { places, env }: SlashContext): Promise<void> {
  const file = credentialFile(places.home);
  const existed = existsSync(file);
  const dropped = await dropCredential(places.home);
  if (!dropped.ok) throw new Error(dropped.error);
  ui.say(
    existed ? `The key is gone from ${file}. This session goes on with it.` : `There was no key in ${file}.`,
    "ok",
  );
  for (const name of keyVariables(env)) ui.say(`The variable ${name} is still set, and still counts.`, "warn");
}
