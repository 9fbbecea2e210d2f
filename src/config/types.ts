/**
 * What can be configured: one definition of the file's keys, from which the types are derived, and what a problem in a file
 * is. Models and windows are not known here; whoever loads the configuration names the default models.
 */
import type { Infer, PermissionMode, PermissionRule } from "../shared/index.ts";

const RULE = {
  capability:
    "'file.read' | 'file.write.project' | 'process.execute' | 'network.access' | 'git.modify' | 'filesystem.outsideProject' | 'loop.continue'",
  pattern: "string >= 1",
  action: "'allow' | 'ask' | 'deny'",
  "+": "reject",
} as const;

/** The keys of a config file, all optional; plain data in arktype's syntax. */
export const CONFIG_FILE = {
  "model?": "string >= 1",
  "auxModel?": "string >= 1",
  "effort?": "'low' | 'medium' | 'high' | 'xhigh' | 'max'",
  "thinking?": "'adaptive' | 'off'",
  "maxOutputTokens?": "number.integer >= 1",
  "permissionMode?": "'ask' | 'accept-edits' | 'plan' | 'bypass'",
  /** In order; the last that matches wins. */
  "permissions?": [RULE, "[]"],
  "limits?": {
    "maxTurns?": "number.integer >= 1",
    "+": "reject",
  },
  /** Names of variables that commands see although they would be withheld. */
  "passEnv?": "string[]",
  "baseUrl?": "string >= 1",
} as const;

/** The values of one source. */
export type ConfigLayer = Infer<typeof CONFIG_FILE>;
export type ConfigKey = keyof ConfigLayer;
export type Limits = NonNullable<ConfigLayer["limits"]>;
export type Effort = NonNullable<ConfigLayer["effort"]>;

/** `grant` is what the user answered "always" to. */
export type ConfigSource = "flag" | "project" | "user" | "grant" | "environment" | "default";

export interface SourcedRule extends PermissionRule {
  readonly source: ConfigSource;
}

export interface KhaelorConfig {
  readonly model: string;
  /** For summaries. */
  readonly auxModel: string;
  /** Left out: the model's own default. */
  readonly effort?: Effort;
  readonly thinking: "adaptive" | "off";
  readonly maxOutputTokens?: number;
  readonly permissionMode: PermissionMode;
  /** In order; the last that matches wins. */
  readonly permissions: readonly SourcedRule[];
  /** `maxTurns`: how many requests one user message may cost. */
  readonly limits: Readonly<Limits> & { readonly maxTurns: number };
  readonly passEnv: readonly string[];
  /** Left out: the public API. */
  readonly baseUrl?: string;
}

export interface ResolvedConfig {
  readonly config: KhaelorConfig;
  /** Which source each value came from; limits by their own name, as in `limits.maxTurns`. Rules carry theirs themselves. */
  readonly sources: Readonly<Record<string, ConfigSource>>;
  /** Keys that were not taken: unknown ones, and those that a project may not set. To be shown; not a reason to stop. */
  readonly warnings: readonly ConfigProblem[];
  /** The files that were read, weakest first. */
  readonly files: readonly string[];
  /** Allow rules of the project's file that wait for the user to trust this folder. */
  readonly untrustedRules: readonly PermissionRule[];
}

/** One thing that is wrong in one place. Holds no value that could be a secret. */
export interface ConfigProblem {
  /** A path, or "the command line", or "the environment". */
  readonly file: string;
  /** Counted from 1; left out where there are no lines. */
  readonly line?: number;
  /** Dotted, as in `limits.maxTurns`; empty for the file as a whole. */
  readonly key: string;
  readonly expected: string;
  readonly got: string;
}

/** One line for a person. */
export function problemText({ file, line, key, expected, got }: ConfigProblem): string {
  const place = line === undefined ? file : `${file}:${line}`;
  return `${place}: ${key === "" ? "" : `${key}: `}expected ${expected}, got ${got}`;
}
