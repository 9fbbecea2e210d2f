/** The order of judgement for one claim: floor, deny rule, guard, rule, default. Modes come in where they may. */
import type { PermissionMode, PermissionRule, VerdictPart } from "../shared/index.ts";
import type { Claim } from "./claims.ts";
import { byMode } from "./defaults.ts";
import { isExact } from "./pattern.ts";
import { lastMatch, type Match } from "./rules.ts";

export interface Policy {
  readonly mode: PermissionMode;
  readonly rules: readonly PermissionRule[];
  readonly home: string;
  /** The exact rule for the whole access, if there is one. */
  readonly exact: Match | undefined;
}

type Decision = Pick<VerdictPart, "action" | "tier" | "because">;

/** Undefined: this claim has nothing to say. */
export function judge(claim: Claim, policy: Policy): VerdictPart | undefined {
  const decision = decide(claim, policy);
  return decision === undefined ? undefined : { text: claim.text, capability: claim.capability, ...decision };
}

function decide(claim: Claim, policy: Policy): Decision | undefined {
  if (claim.floor !== undefined) return { action: "deny", tier: "floor", because: `Never allowed: ${claim.floor}.` };
  const match = lastMatch(policy.rules, claim, policy.home);
  const denied = match?.rule.action === "deny" ? byDenyRule(match, claim, policy.mode) : undefined;
  if (denied !== undefined) return denied;
  if (claim.role === "guess") return undefined;
  if (claim.broken === true && policy.mode !== "plan") return asking(claim.unresolved ?? claim.why, "default");
  const mode = byMode(claim, policy.mode);
  if (mode !== undefined) return mode;
  const exact = exactFor(claim, policy, match);
  if (exact !== undefined) return byRule("allow", exact);
  if (claim.guard !== undefined) return asking(`Always asks: it ${claim.guard}.`, "guarded");
  if (claim.unresolved !== undefined && claim.role === "run") return asking(claim.unresolved, "default");
  if (match !== undefined) return ruled(claim, match);
  if (claim.role === "wrapper") return undefined;
  return byDefault(claim, policy.mode);
}

/** A wildcard that only may mean what is denied asks, and no mode switches that question off. */
function byDenyRule(match: Match, claim: Claim, mode: PermissionMode): Decision | undefined {
  if (!match.partly) return byRule("deny", match);
  return mode === "bypass" && claim.role !== "guess" ? byRule("ask", match) : undefined;
}

/** The exact rule for the whole command, unless a later one forbids; for a path, an exact rule that names it. */
function exactFor(claim: Claim, policy: Policy, match: Match | undefined): Match | undefined {
  if (match?.rule.action === "allow") {
    return claim.wide === undefined && isExact(match.rule.pattern) ? match : policy.exact;
  }
  return policy.exact !== undefined && policy.exact.index > (match?.index ?? -1) ? policy.exact : undefined;
}

function ruled(claim: Claim, match: Match): Decision | undefined {
  if (match.rule.action === "allow") return claim.role === "wrapper" ? undefined : byRule("allow", match);
  return byRule("ask", match);
}

const byRule = (action: Decision["action"], { rule, partly }: Match): Decision => ({
  action,
  tier: "rule",
  because: `The rule ${rule.action} ${rule.capability} "${rule.pattern}" ${partly ? "may match" : "matches"}.`,
});

const sentence = (text: string): string => {
  const trimmed = text.trim();
  const capital = trimmed.slice(0, 1).toUpperCase() + trimmed.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
};

const asking = (why: string, tier: Decision["tier"]): Decision => ({ action: "ask", tier, because: sentence(why) });

function byDefault(claim: Claim, mode: PermissionMode): Decision {
  if (mode === "accept-edits" && claim.edits) {
    return { action: "allow", tier: "mode", because: "The mode accepts edits inside the project." };
  }
  return { action: claim.byDefault, tier: "default", because: sentence(claim.why) };
}
