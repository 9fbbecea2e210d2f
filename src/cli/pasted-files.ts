/** Who pastes a file wants it read: a tool that reads it need not ask. It stays as guarded against being changed as any other. */
import { resolve } from "node:path";
import type { PermissionEvaluator } from "../permissions/index.ts";
import { resolveRealPath } from "./real-path.ts";

export interface EvaluatorWithPasted extends PermissionEvaluator {
  /** From now on, while the session is open, and wherever the file was put. */
  notePasted(path: string): void;
  /** As they really lie, the newest last. */
  pasted(): readonly string[];
}

const ALLOWED = { action: "allow", tier: "rule", because: "You pasted this file." } as const;

/** What is denied stays denied; only a question is spared. `cwd` is where relative paths start. */
export function withPasted(evaluator: PermissionEvaluator, cwd: string): EvaluatorWithPasted {
  const pasted = new Set<string>();
  return {
    ...evaluator,
    evaluate(access) {
      const verdict = evaluator.evaluate(access);
      if (verdict.action !== "ask" || access.kind !== "path" || access.op !== "read") return verdict;
      const path = resolveRealPath(resolve(cwd, access.path));
      if (path === undefined || !pasted.has(path)) return verdict;
      const { suggestion: _none, parts, ...rest } = verdict;
      return { ...rest, ...ALLOWED, parts: parts.map((part) => ({ ...part, ...ALLOWED })) };
    },
    notePasted: (path) => void pasted.add(resolveRealPath(path) ?? path),
    pasted: () => [...pasted],
  };
}
