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

/** US dollars per million tokens. What writing to the cache costs follows from `input` where it is left out. */
const PRICE = {
  input: "number >= 0",
  output: "number >= 0",
  cacheRead: "number >= 0",
  "cacheWrite5m?": "number >= 0",
  "cacheWrite1h?": "number >= 0",
} as const;

/** What a profile may hold, and every file. */
const SETTINGS = {
  "model?": "string >= 1",
  "auxModel?": "string >= 1",
  "fallbackModel?": "string >= 1",
  "effort?": "'low' | 'medium' | 'high' | 'xhigh' | 'max'",
  "thinking?": "'adaptive' | 'off'",
  "maxOutputTokens?": "number.integer >= 1",
  "permissionMode?": "'ask' | 'accept-edits' | 'plan' | 'bypass'",
  /** In order; the last that matches wins. */
  "permissions?": [RULE, "[]"],
  "limits?": {
    "maxTurns?": "number.integer >= 1",
    "maxBudgetUsd?": "number > 0",
    "maxSeconds?": "number > 0",
    "maxTurnUsd?": "number > 0",
    "maxSessionUsd?": "number > 0",
    "maxDayUsd?": "number > 0",
    "+": "reject",
  },
  /** Where the conversation goes when it no longer fits: who sums it up, and whether that happens by itself. */
  "compaction?": { "route?": "'aux' | 'main' | 'server'", "auto?": "boolean", "+": "reject" },
  /** Names of variables that commands see although they would be withheld. */
  "passEnv?": "string[]",
  /** Folders outside the project that count as part of it: absolute, or from `~`. */
  "additionalDirectories?": "string[]",
  "baseUrl?": "string >= 1",
  /** By exact model id. */
  "prices?": {
    "[string]": {
      ...PRICE,
      "longPrompts?": { abovePromptTokens: "number.integer >= 1", ...PRICE, "+": "reject" },
      "+": "reject",
    },
  },
  "theme?": "'auto' | 'light' | 'dark'",
  /** By the action's name, the keys that do it; the interface knows which actions and keys there are. */
  "keybindings?": { "[string]": "string[]" },
  "terminal?": {
    "mouse?": "boolean",
    "vim?": "boolean",
    "alternateScreen?": "boolean",
    "notifications?": "boolean",
    "screenReader?": "boolean",
    "+": "reject",
  },
} as const;

/** The keys of a config file, all optional; plain data in arktype's syntax. */
export const CONFIG_FILE = {
  ...SETTINGS,
  /** Settings by the name that `--profile` calls them by. */
  "profiles?": { "[string]": SETTINGS },
} as const;

/** The values of one source. */
export type ConfigLayer = Infer<typeof CONFIG_FILE>;
export type ConfigKey = keyof ConfigLayer;
export type Profile = Infer<typeof SETTINGS>;
export type Limits = NonNullable<ConfigLayer["limits"]>;
export type Effort = NonNullable<ConfigLayer["effort"]>;
type TerminalConfig = NonNullable<ConfigLayer["terminal"]>;
/** What one model costs, as a file says it. */
export type ConfigPrice = NonNullable<ConfigLayer["prices"]>[string];

/**
 * `grant` is what the user answered "always" to; `settings` is the file that `--settings` names, `flag` everything else that
 * was typed.
 */
export type ConfigSource = "flag" | "settings" | "profile" | "project" | "user" | "grant" | "environment" | "default";

/** Where one value was said. */
export interface ConfigOrigin {
  readonly source: ConfigSource;
  readonly file?: string;
  readonly line?: number;
  /** Of the flag, the variable or the profile. */
  readonly name?: string;
}

/** What the command line says about where settings come from. */
export interface ChosenSettings {
  /** A file for this run, absolute. */
  readonly file?: string;
  /** `KEY=VALUE` each. */
  readonly assignments?: readonly string[];
  readonly profile?: string;
  /** No file counts but for what protects: rules that deny or ask, limits, and the address that the key belongs to. */
  readonly isSafe?: boolean;
}

export interface SourcedRule extends PermissionRule {
  readonly source: ConfigSource;
}

export interface KhaelorConfig {
  readonly model: string;
  /** For summaries. */
  readonly auxModel: string;
  /** Takes over when the first one is overloaded or not available. */
  readonly fallbackModel?: string;
  /** Left out: the model's own default. */
  readonly effort?: Effort;
  readonly thinking: "adaptive" | "off";
  readonly maxOutputTokens?: number;
  readonly permissionMode: PermissionMode;
  /** In order; the last that matches wins. */
  readonly permissions: readonly SourcedRule[];
  /** `maxTurns`: how many requests one user message may cost; the other two bound a run and are left out for no limit. */
  readonly limits: Readonly<Limits> & { readonly maxTurns: number };
  readonly compaction: Readonly<Required<NonNullable<ConfigLayer["compaction"]>>>;
  readonly passEnv: readonly string[];
  /** Absolute, or from `~`. */
  readonly additionalDirectories: readonly string[];
  /** The user's own, by exact model id; they win over the table that the program ships with. */
  readonly prices: Readonly<Record<string, ConfigPrice>>;
  readonly profiles: Readonly<Record<string, Profile>>;
  /** Left out: the public API. */
  readonly baseUrl?: string;
  readonly theme: "auto" | "light" | "dark";
  /** By the action's name; checked for their form alone. */
  readonly keybindings: Readonly<Record<string, readonly string[]>>;
  readonly terminal: Readonly<Required<TerminalConfig>>;
}

export interface ResolvedConfig {
  readonly config: KhaelorConfig;
  /** Where each value came from, by its dotted key; what many sources add to by place, as in `permissions.0`. */
  readonly origins: Readonly<Record<string, ConfigOrigin>>;
  /**
   * What was not taken: keys of the project's file that are unknown or that it may not set, and variables that nobody reads.
   * To be shown; not a reason to stop.
   */
  readonly warnings: readonly ConfigProblem[];
  /** The files that were read, weakest first. */
  readonly files: readonly string[];
  /** Allow rules of the project's file that wait for the user to trust this folder. */
  readonly untrustedRules: readonly PermissionRule[];
}

/** One thing that is wrong in one place. Holds no value that could be a secret. */
export interface ConfigProblem {
  /** A path, a flag, or the name of a variable. */
  readonly file: string;
  /** Counted from 1; left out where there are no lines. */
  readonly line?: number;
  /** Dotted, as in `limits.maxTurns`; empty for the file as a whole, and where `file` names the key already. */
  readonly key: string;
  readonly expected: string;
  readonly got: string;
  /** What more there is to say, for a person who waits. Takes a few tenths of a second. */
  readonly explain?: () => Promise<string>;
}

const MAX_TOLD = 40;

/** A line for each; a file that is wrong from end to end is cut short. */
export function problemLines(problems: readonly ConfigProblem[]): readonly string[] {
  const more = problems.length - MAX_TOLD;
  return [...problems.slice(0, MAX_TOLD).map(problemText), ...(more > 0 ? [`and ${more} more`] : [])];
}

/** One line for a person. */
export function problemText({ file, line, key, expected, got }: ConfigProblem): string {
  const place = line === undefined ? file : `${file}:${line}`;
  return `${place}: ${key === "" ? "" : `${key}: `}expected ${expected}, got ${got}`;
}
