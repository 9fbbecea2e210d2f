/** Which rule "always" would store: narrow, effective, and never with shell operators in it. */
import type { Capability, VerdictPart } from "../shared/index.ts";
import type { Claim } from "./claims.ts";
import { isInterpreter } from "./programs/dangers.ts";
import { isWrapper } from "./shell/wrappers.ts";

export interface Suggestion {
  readonly capability: Capability;
  readonly pattern: string;
}

const OPERATORS = /[;&|<>`$(){}\n\r\\"*?[\]!#~]/;

/** Undefined when there is no safe one, or one would not be enough. */
export function suggestionFor(judged: ReadonlyMap<VerdictPart, Claim>): Suggestion | undefined {
  const found = new Map<string, Suggestion>();
  for (const [part, claim] of judged) {
    if (part.action !== "ask") continue;
    // What always asks, or cannot be told, no rule with a star lets through; a rule that asks was somebody's wish.
    const isOpen = part.tier === "default" && claim.guard === undefined && claim.unresolved === undefined;
    const suggestion = isOpen ? forClaim(claim) : undefined;
    if (suggestion === undefined) return undefined;
    found.set(`${suggestion.capability} ${suggestion.pattern}`, suggestion);
  }
  const [only] = found.values();
  return found.size === 1 ? only : undefined;
}

function forClaim({ capability, subjects }: Claim): Suggestion | undefined {
  const [subject, relative = subject] = subjects;
  if (subject === undefined || relative === undefined) return undefined;
  switch (capability) {
    case "process.execute":
    case "git.modify": {
      const pattern = commandPattern(subject);
      return pattern === undefined ? undefined : { capability, pattern };
    }
    case "file.write.project": {
      if (OPERATORS.test(relative)) return undefined;
      const cut = relative.lastIndexOf("/");
      return { capability, pattern: cut < 0 ? relative : `${relative.slice(0, cut)}/*` };
    }
    default:
      return OPERATORS.test(subject) ? undefined : { capability, pattern: subject };
  }
}

/** Programs whose second word says what they do. */
const TWO_WORDS =
  /^(?:git|npm|pnpm|yarn|bun|deno|cargo|go|docker|podman|kubectl|helm|pip3?|uv|poetry|dotnet|mvn|gradle|terraform|gh|brew|apt|apt-get|make|just|task|rails|rake|bundle|composer|mix|swift|flutter|nx|turbo|systemctl)$/;
/** Programs for which a star would allow anything. */
const TOO_WIDE =
  /^(?:rm|mv|cp|dd|chmod|chown|ln|tee|find|npx|bunx|pnpx|uvx|pipx|ssh|scp|rsync|nc|docker|kubectl|tar|sed|awk|gawk|perl|export|declare|alias|make)$/;

function commandPattern(text: string): string | undefined {
  const words = text.split(" ");
  const [program = "", second] = words;
  if (program.includes("'")) return undefined; // a quoted name, which words alone do not end
  if (OPERATORS.test(text)) {
    // Quotes and operators in an argument: only the words in front of it can stand in a rule.
    if (!TWO_WORDS.test(program) || second === undefined || !/^[\w:.-]+$/.test(second) || second.startsWith("-"))
      return undefined;
    return TOO_WIDE.test(program) ? undefined : `${program} ${second} *`;
  }
  const isExactOnly = TOO_WIDE.test(program) || isInterpreter(program) || isWrapper(program) || program.includes("=");
  if (isExactOnly) return text;
  if (!TWO_WORDS.test(program)) return `${program} *`;
  if (second === undefined || second.startsWith("-")) return text;
  const third = words[2];
  const isScript = /^(?:run|run-script|exec)$/.test(second) && third !== undefined && !third.startsWith("-");
  return isScript ? `${program} ${second} ${third} *` : `${program} ${second} *`;
}
