/** Commands and actions as rows of a list, ranked by what is typed. */
import { fuzzyMatcher, type Matcher } from "../../shared/index.ts";
import type { SlashCommand } from "../ports.ts";
import type { ListRow } from "./list-row.ts";

/** The keys that do what a command does, as they are shown. */
export type KeysOf = (command: string) => string | undefined;

export interface CommandRowParts {
  readonly commands: readonly SlashCommand[];
  readonly keysOf: KeysOf;
  readonly isBusy: boolean;
}

export const BUSY_REASON = "not while a turn runs";
const MAX_ARGS_CHARACTERS = 14;

/** All in their groups when nothing is typed; else the best first, a name before another name of the same command. */
export function commandRows(typed: string, { commands, keysOf, isBusy }: CommandRowParts): readonly ListRow[] {
  const rowOf = (command: SlashCommand): ListRow => {
    const isDim = isBusy && !command.whileBusy;
    const keys = keysOf(command.name);
    return {
      value: command.name,
      label: `/${command.name}`,
      suffix: shortArgs(command.args),
      about: command.about,
      isDim,
      ...(isDim ? { detail: BUSY_REASON } : keys !== undefined && { detail: keys }),
    };
  };
  if (typed === "") return grouped(commands).map((command) => ({ ...rowOf(command), group: command.group }));
  const matcher = fuzzyMatcher(typed);
  const ranked = commands.flatMap((command): readonly { readonly row: ListRow; readonly score: number }[] => {
    const best = bestName(command, typed, matcher);
    if (!best) return [];
    const { name, score } = best;
    const row = rowOf(command);
    if (name !== command.name) return [{ score, row: { ...row, about: `/${name}: ${command.about}` } }];
    return [{ score, row: { ...row, matched: matcher.matched(name).map((at) => at + 1) } }];
  });
  return ranked.sort((a, b) => b.score - a.score).map(({ row }) => row);
}

/** In the order in which the groups come first. */
function grouped(commands: readonly SlashCommand[]): readonly SlashCommand[] {
  const groups = new Map<string, SlashCommand[]>();
  for (const command of commands) groups.set(command.group, [...(groups.get(command.group) ?? []), command]);
  return [...groups.values()].flat();
}

const shortArgs = (args: string): string => {
  if (args === "") return "";
  return args.length > MAX_ARGS_CHARACTERS ? " …" : ` ${args}`;
};

/** What begins as typed comes before what only holds the letters; another name counts a little less. */
function bestName(
  { name, aliases }: SlashCommand,
  typed: string,
  matcher: Matcher,
): { name: string; score: number } | undefined {
  const scored = [name, ...aliases].flatMap((one, at) => {
    const score = matcher.score(one);
    if (score === undefined) return [];
    const exact = one === typed.toLowerCase() ? EXACT : one.startsWith(typed.toLowerCase()) ? BEGINS : 0;
    return [{ name: one, score: score + exact - (at > 0 ? 1 : 0) - one.length / 100 }];
  });
  return scored.sort((a, b) => b.score - a.score)[0];
}

const EXACT = 2_000;
const BEGINS = 1_000;
