/** What a command about sessions needs: the store, where it lies, and which project is meant. */

import { existsSync } from "node:fs";
import { projectHash, type SessionStore } from "../session/index.ts";
import { EXIT, UserError } from "../shared/index.ts";
import type { Arguments } from "./args.ts";
import { findSession } from "./find-session.ts";
import { logChoice } from "./log-choice.ts";
import { projectRootOf } from "./project-root.ts";
import { type Places, placesOf } from "./settings.ts";
import { openStore, type State } from "./state.ts";

export interface Here extends State {
  readonly places: Places;
  /** The project's root, absolute. */
  readonly root: string;
  /** The project's hash. */
  readonly project: string;
}

export async function openHere(typed: Arguments): Promise<Here> {
  const places = placesOf(typed, process.env);
  const root = await projectRootOf(places.cwd, process.env);
  return { ...openStore(places, logChoice(typed)), places, root, project: projectHash(root) };
}

/** A file, a session's id or the beginning of one, or (empty) the project's newest session. Gives an id or a path. */
export async function logNamed(store: SessionStore, target: string, project: string): Promise<string> {
  if (!target.endsWith(".jsonl")) return findSession(store, target, project);
  if (existsSync(target)) return target;
  throw new UserError(`There is no file ${target}.`, EXIT.usage);
}
