/** The evaluator's contract: deterministic, synchronous, no access to the world but the questions that are handed in. */
import type { Access, PermissionMode, PermissionRule, Verdict } from "../shared/index.ts";

export interface PermissionEvaluator {
  /** The strictest verdict over the whole access: deny over ask over allow. Never throws. */
  evaluate(access: Access): Verdict;
  /** Adds a rule behind all others, for the rest of this process. Persisting it is the caller's business. */
  addRule(rule: PermissionRule): void;
  /** As given and as added, in the order of judgement. */
  rules(): readonly PermissionRule[];
  mode(): PermissionMode;
  /** What is judged from now on is judged in this mode. Recording it is the caller's business. */
  setMode(mode: PermissionMode): void;
}

export interface EvaluatorOptions {
  readonly home: string;
  /** The git root when there is one, else the working directory; absolute and real. */
  readonly projectRoot: string;
  /** Folders that count as part of the project as well; absolute and real. Rules and messages name what lies there absolutely. */
  readonly additionalRoots?: readonly string[];
  readonly mode: PermissionMode;
  /**
   * In order; the last that matches wins. One that `onlyTightens` (a project's own) never makes a verdict more permissive than
   * it would be without it.
   */
  readonly rules: readonly (PermissionRule & { readonly onlyTightens?: true })[];
  /** KHAELOR's own state folder, whose contents no tool may touch. */
  readonly stateFolder: string;
  /**
   * Where a path really lies: links followed, for a new file from its deepest existing parent. Undefined: cannot be told.
   * It is asked with the path as written: a `..` stands behind the link that it climbs out of, as the kernel sees it,
   * and a link without a target leads there all the same. `followLinks` does this.
   */
  readonly resolvePath: (absolutePath: string) => string | undefined;
  /** Where the relative paths of path accesses start; absent: at the project's root. */
  readonly cwd?: string;
  /**
   * The setting of the repository around this absolute folder by which git would run a program though it is only asked to look.
   * Absent: no repository names one.
   */
  readonly settingThatRuns?: (folder: string) => string | undefined;
  /** Is this real path there, but neither a regular file nor a folder? Absent: nobody can tell, and nothing is refused for it. */
  readonly isSpecialFile?: (realPath: string) => boolean;
}
