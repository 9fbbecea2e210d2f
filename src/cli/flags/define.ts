/** What a flag is. Each family of flags is plain data in a file of its own; parser, help, completion and types come from it. */

export interface Flag {
  /** The first is the one that messages and documents use. */
  readonly names: readonly [string, ...string[]];
  /** Where its value stands in `Arguments`. */
  readonly key: string;
  /** `switch` takes nothing; `optional` takes a value after `=` alone; `id` also a session id that follows; `list` may be repeated. */
  readonly takes: "switch" | "value" | "optional" | "id" | "list";
  /** What the value is, for the help. */
  readonly value?: string;
  readonly oneOf?: readonly string[];
  /** The subcommands that know it; without this every run does. */
  readonly of?: readonly string[];
  /** Where a subcommand has verbs and only some of them know it: these, by the subcommand. */
  readonly verbs?: Readonly<Record<string, readonly string[]>>;
  readonly about: string;
}

type ValueOf<F extends Flag> = F["takes"] extends "switch"
  ? boolean
  : F["takes"] extends "list"
    ? readonly string[]
    : F extends { readonly oneOf: readonly (infer Word)[] }
      ? Word | undefined
      : string | undefined;

/** The values of a table of flags, by key. What was not typed is false, empty or undefined. */
export type FlagValues<F extends Flag> = { readonly [One in F as One["key"]]: ValueOf<One> };
