/** The evaluator's contract: deterministic, synchronous, no access to the world but two path questions that are handed in. */
import type { Access, PermissionMode, PermissionRule, Verdict } from "../shared/index.ts";

export interface PermissionEvaluator {
  /** The strictest verdict over the whole access: deny over ask over allow. Never throws. */
  evaluate(access: Access): Verdict;
  /** Adds a rule behind all others, for the rest of this process. Persisting it is the caller's business. */
  addRule(rule: PermissionRule): void;
}

export interface EvaluatorOptions {
  readonly home: string;
  /** The git root when there is one, else the working directory; absolute and real. */
  readonly projectRoot: string;
  readonly mode: PermissionMode;
  /** In order; the last that matches wins. */
  readonly rules: readonly PermissionRule[];
  /** KHAELOR's own state folder, whose contents no tool may touch. */
  readonly stateFolder: string;
  /** Where a path really lies: links followed, for a new file from its deepest existing parent. Undefined: cannot be told. */
  readonly resolvePath: (absolutePath: string) => string | undefined;
}
