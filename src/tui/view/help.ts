/** Commands and keys over the whole screen, printed from the tables that the program dispatches by; typing narrows them. */
import type { EffectiveBinding } from "../input/key-dispatch.ts";
import { canBeSent, shownKeys } from "../input/key-names.ts";
import { FIXED_KEYS, type KeyContext } from "../input/keymap.ts";
import type { Measure } from "../layout/width.ts";
import type { SlashCommand } from "../ports.ts";
import { createFilterList, type FilterList } from "./filter-list.ts";
import { listOf } from "./list.ts";
import type { ListRow } from "./list-row.ts";
import { holdsAll, wordsOf } from "./typed-words.ts";

export interface HelpParts {
  readonly commands: readonly SlashCommand[];
  readonly bindings: readonly EffectiveBinding[];
  /** Keys that the terminal cannot send are left out. */
  readonly hasKittyKeyboard: boolean;
  readonly measure: () => Measure;
  /** Which comes first. */
  readonly first?: "commands" | "keys";
  /** A command was chosen: it goes into the draft. */
  readonly onCommand: (command: SlashCommand) => void;
  readonly onClose: () => void;
  readonly onChange: () => void;
}

const CONTEXT_TITLES: Readonly<Record<KeyContext, string>> = {
  composer: "Keys while you type",
  global: "Keys everywhere",
  transcript: "Keys in the transcript",
  palette: "Keys in a list",
  modal: "Keys in a question",
  panel: "Keys where consent is asked for",
};
const CONTEXT_ORDER: readonly KeyContext[] = ["composer", "global", "transcript", "palette", "modal", "panel"];

export function createHelp(parts: HelpParts): FilterList {
  const { commands, measure, first = "commands", onCommand, onClose, onChange } = parts;
  const lists = [commandHelp(commands), keyHelp(parts)];
  const all = (first === "keys" ? lists.toReversed() : lists).flat();
  return createFilterList({
    name: "help",
    place: "full",
    title: "Help",
    measure,
    isFiltered: true,
    placeholder: "type to find",
    hint: "Enter puts a command into the draft · Esc back",
    none: () => "nothing about that",
    rowsFor: (typed) => listOf(holding(all, typed)),
    onChoose({ value }) {
      const command = commands.find(({ name }) => COMMAND + name === value);
      if (command) onCommand(command);
    },
    onClose,
    onChange,
  });
}

const COMMAND = "command ";

const commandHelp = (commands: readonly SlashCommand[]): readonly ListRow[] =>
  commands
    .map(({ name, aliases, args, about, group, whileBusy }) => ({
      value: COMMAND + name,
      label: `/${name}${args === "" ? "" : ` ${args}`}`,
      about: [about, ...(aliases.length > 0 ? [`(${aliases.map((alias) => `/${alias}`).join(", ")})`] : [])].join(" "),
      group,
      ...(!whileBusy && { detail: "between turns" }),
    }))
    .sort((a, b) => order(commands, a.group) - order(commands, b.group));

const order = (commands: readonly SlashCommand[], group: string): number =>
  commands.findIndex((command) => command.group === group);

function keyHelp({ bindings, hasKittyKeyboard }: HelpParts): readonly ListRow[] {
  const tables = [...bindings, ...FIXED_KEYS];
  return CONTEXT_ORDER.flatMap((context) =>
    tables
      .filter((binding) => binding.context === context)
      .flatMap(({ keys, about }, at) => {
        const shown = keys.filter((one) => canBeSent(one, hasKittyKeyboard)).map(shownKeys);
        if (shown.length === 0) return [];
        return [{ value: `${context} ${at}`, label: shown.join(", "), about, group: CONTEXT_TITLES[context] }];
      }),
  );
}

/** Rows that hold every word, in the order of the tables: what stands together stays together. */
function holding(all: readonly ListRow[], typed: string): readonly ListRow[] {
  const words = wordsOf(typed);
  return all.filter(({ label, about = "", group = "" }) => holdsAll(`${label} ${about} ${group}`, words));
}
