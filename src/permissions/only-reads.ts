/** Whether a command changes nothing, by the same reading that consent is judged by. A rule or a mode has no say in this. */
import type { Access } from "../shared/index.ts";
import { commandClaims } from "./capabilities.ts";
import { groundMaker } from "./paths.ts";
import type { EvaluatorOptions } from "./types.ts";

type CommandAccess = Extract<Access, { kind: "command" }>;
type Places = Pick<
  EvaluatorOptions,
  "home" | "projectRoot" | "stateFolder" | "resolvePath" | "isSpecialFile" | "settingThatRuns"
>;

/** True only for what consists of the known read-only commands, with nothing redirected to a file. Never throws. */
export function commandReader(places: Places): (access: CommandAccess) => boolean {
  const newGround = groundMaker(places);
  return (access) => {
    try {
      const claims = commandClaims(access, newGround());
      return claims.every(({ reads, role }) => reads || role !== "run");
    } catch {
      return false; // what cannot be judged may do anything
    }
  };
}
