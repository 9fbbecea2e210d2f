/** The evaluator: claims of an access, judged one by one, the strictest answer for the whole. Pure but for the path questions. */
import type { Access, PermissionMode, PermissionRule, Verdict, VerdictPart } from "../shared/index.ts";
import { commandClaims } from "./capabilities.ts";
import { type Claim, claim } from "./claims.ts";
import { descriptorOf } from "./explain.ts";
import { inputClaims } from "./input-claims.ts";
import { judge, type Policy } from "./judge.ts";
import { accessClaims } from "./path-claims.ts";
import { type Ground, groundMaker } from "./paths.ts";
import { exactRule } from "./rules.ts";
import { suggestionFor } from "./suggest.ts";
import type { EvaluatorOptions, PermissionEvaluator } from "./types.ts";

type Rule = EvaluatorOptions["rules"][number];

export function createEvaluator(options: EvaluatorOptions): PermissionEvaluator {
  const rules: Rule[] = [...options.rules];
  let { mode } = options;
  const newGround = groundMaker(options);
  return {
    evaluate(access) {
      try {
        const verdict = verdictOn(access, { options, mode, rules, ground: newGround() });
        const own = rules.filter(({ onlyTightens }) => !onlyTightens);
        if (own.length === rules.length) return verdict;
        const without = verdictOn(access, { options, mode, rules: own, ground: newGround() });
        return STRICTNESS[without.action] > STRICTNESS[verdict.action] ? without : verdict;
      } catch (error) {
        // Judging runs over hostile text; whatever breaks there must not become a permission. The person sees what broke.
        const why = `It could not be judged: ${error instanceof Error ? error.message : String(error)}.`;
        return combine(access, [
          {
            text: descriptorOf(access),
            capability: capabilityOf(access),
            action: "ask",
            tier: "default",
            because: why,
          },
        ]);
      }
    },
    addRule: (rule) => void rules.push(rule),
    rules: () => rules,
    mode: () => mode,
    setMode(next) {
      mode = next;
    },
  };
}

const capabilityOf = (access: Access): Verdict["capability"] =>
  access.kind === "command" || access.kind === "input"
    ? "process.execute"
    : access.kind === "loop"
      ? "loop.continue"
      : access.op === "read"
        ? "file.read"
        : "file.write.project";

interface Setting {
  readonly options: EvaluatorOptions;
  readonly mode: PermissionMode;
  readonly rules: readonly PermissionRule[];
  readonly ground: Ground;
}

function verdictOn(access: Access, { options, mode, rules, ground }: Setting): Verdict {
  if (access.kind === "command" && access.command.trim() === "") {
    const because = "The command is empty.";
    return combine(access, [{ text: "", capability: "process.execute", action: "deny", tier: "default", because }]);
  }
  const claims = claimsFor(access, options, ground);
  const policy: Policy = {
    mode,
    rules,
    home: ground.home,
    exact: access.kind === "command" ? exactRule(rules, access.command.trim()) : undefined,
  };
  const judged = new Map<VerdictPart, Claim>();
  const seen = new Set<string>();
  const parts: VerdictPart[] = [];
  for (const made of claims) {
    const part = judge(made, policy);
    const key = part === undefined ? "" : `${part.capability} ${part.action} ${part.tier} ${part.text}`;
    if (part === undefined || seen.has(key)) continue;
    seen.add(key);
    parts.push(part);
    judged.set(part, made);
  }
  return combine(access, parts, judged);
}

function claimsFor(access: Access, options: EvaluatorOptions, ground: Ground): readonly Claim[] {
  switch (access.kind) {
    case "command":
      return commandClaims(access, ground);
    case "input":
      return inputClaims(access, ground);
    case "path":
      return accessClaims(access, options.cwd ?? options.projectRoot, ground);
    case "loop":
      return [
        claim({
          capability: "loop.continue",
          text: access.call ?? "compaction",
          why:
            access.call === undefined
              ? "the conversation was summed up three times, and each time only a few answers later the window was full again"
              : "the same call was made three times in a row with the same input",
          reads: true,
        }),
      ];
  }
}

const STRICTNESS = { allow: 0, ask: 1, deny: 2 } as const;

function combine(access: Access, parts: readonly VerdictPart[], judged?: ReadonlyMap<VerdictPart, Claim>): Verdict {
  const [first] = parts;
  const nothing: VerdictPart = {
    text: "",
    capability: capabilityOf(access),
    action: "allow",
    tier: "default",
    because: "It touches nothing that needs consent.",
  };
  const decisive = parts.reduce((a, b) => (STRICTNESS[b.action] > STRICTNESS[a.action] ? b : a), first ?? nothing);
  const suggestion = decisive.action === "ask" && judged !== undefined ? suggestionFor(judged) : undefined;
  return {
    action: decisive.action,
    tier: decisive.tier,
    capability: decisive.capability,
    because: decisive.because,
    descriptor: descriptorOf(access),
    ...(suggestion !== undefined && { suggestion }),
    parts: parts.length === 0 ? [nothing] : parts,
  };
}
