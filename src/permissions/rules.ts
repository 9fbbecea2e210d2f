/** Which rule speaks about a claim. The last that matches wins; a rule that forbids sees every spelling, one that allows only the plain one. */
import type { PermissionRule } from "../shared/index.ts";
import type { Claim } from "./claims.ts";
import { matchesWide } from "./command-text.ts";
import { isExact, matchesCommand, matchesWildcard } from "./pattern.ts";

export interface Match {
  readonly rule: PermissionRule;
  readonly index: number;
  /** The claim stands for many paths, of which the rule means only some. */
  readonly partly: boolean;
}

export function lastMatch(rules: readonly PermissionRule[], claim: Claim, home: string): Match | undefined {
  for (let index = rules.length - 1; index >= 0; index--) {
    const rule = rules[index];
    if (rule === undefined) continue;
    if (speaksOf(rule, claim, home)) return { rule, index, partly: false };
    if (rule.action !== "allow" && mayConcern(rule, claim, home)) return { rule, index, partly: true };
  }
  return undefined;
}

function speaksOf(rule: PermissionRule, claim: Claim, home: string): boolean {
  const allows = rule.action === "allow";
  if (
    claim.wide !== undefined &&
    !allows &&
    (rule.capability === claim.capability || rule.capability === "process.execute")
  ) {
    if (matchesWide(rule.pattern, claim.wide)) return true;
  }
  if (rule.capability !== claim.capability) return false;
  const pattern = expanded(rule, home);
  return claim.subjects.some((subject) =>
    claim.wide === undefined ? matchesWildcard(pattern, subject) : matchesCommand(pattern, subject),
  );
}

const isPathRule = (rule: PermissionRule): boolean =>
  /^(?:file\.read|file\.write\.project|filesystem\.outsideProject)$/.test(rule.capability);

const expanded = (rule: PermissionRule, home: string): string =>
  isPathRule(rule) && /^~(?:\/|$)/.test(rule.pattern) ? home + rule.pattern.slice(1) : rule.pattern;

/** `cat *` and a rule about `.env`: the wildcard may mean it. `rm -r src` and a rule about `src/*`: it goes with the rest. */
function mayConcern(rule: PermissionRule, claim: Claim, home: string): boolean {
  if (rule.capability !== claim.capability) return false;
  const pattern = expanded(rule, home);
  if (claim.tree === true && claim.subjects.some((subject) => pattern.startsWith(`${subject}/`))) return true;
  if (!claim.wildcard) return false;
  return claim.subjects.some((subject) => overlaps(subject.replace(/\[[^\]]*\]|\?/g, "*"), pattern));
}

/** Is there a text that both wildcards match? The states are places in the second. */
function overlaps(first: string, second: string): boolean {
  let states = pastStars([0], second);
  for (const char of first) {
    states = pastStars(
      [...states].flatMap((state) => nextStates(state, char, second)),
      second,
    );
    if (states.size === 0) return false;
  }
  return states.has(second.length);
}

function nextStates(state: number, char: string, pattern: string): readonly number[] {
  if (char === "*") return Array.from({ length: pattern.length - state + 1 }, (_, more) => state + more);
  if (pattern[state] === "*") return [state];
  return pattern[state] === char ? [state + 1] : [];
}

function pastStars(states: readonly number[], pattern: string): Set<number> {
  const all = new Set<number>();
  for (const start of states) {
    let state = start;
    all.add(state);
    while (pattern[state] === "*") all.add(++state);
  }
  return all;
}

/** A star-free rule that is the whole text: the one that lets guarded and unresolvable commands through. */
export function exactRule(rules: readonly PermissionRule[], text: string): Match | undefined {
  for (let index = rules.length - 1; index >= 0; index--) {
    const rule = rules[index];
    if (rule !== undefined && rule.action === "allow" && isExact(rule.pattern) && rule.pattern.trim() === text) {
      return { rule, index, partly: false };
    }
  }
  return undefined;
}
