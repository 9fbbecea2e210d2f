/** The sessions of the project that the open one belongs to. */
import type { SessionStore } from "../../session/index.ts";
import type { SlashContext } from "./define.ts";

export interface ProjectSessions {
  readonly store: SessionStore;
  /** The project's hash. */
  readonly project: string;
}

export async function projectSessions({ host }: SlashContext): Promise<ProjectSessions> {
  const { store, project } = host.shown();
  return { store, project };
}
