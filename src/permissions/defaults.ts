/** What the modes decide. The read-only set itself stands in `programs/readers.ts`, beside the options that end it. */
import type { PermissionMode, VerdictPart } from "../shared/index.ts";
import type { Claim } from "./claims.ts";

type Decision = Pick<VerdictPart, "action" | "tier" | "because">;

/** Undefined: the mode leaves it to guards, rules and defaults. Floor and deny rules were asked before. */
export function byMode(claim: Claim, mode: PermissionMode): Decision | undefined {
  switch (mode) {
    case "bypass":
      return {
        action: "allow",
        tier: "mode",
        because: "Every question is switched off; only the floor and deny rules hold.",
      };
    case "plan":
      if (claim.reads || claim.role === "wrapper") return undefined;
      return { action: "deny", tier: "mode", because: PLAN };
    default:
      return undefined;
  }
}

const PLAN =
  "Plan mode is read-only: nothing may be changed, run or fetched. Read what you need, put this step into the plan instead, and wait until the user leaves plan mode.";
