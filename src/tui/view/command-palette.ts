/** Everything that can be done, in one list: the slash commands and the actions of the keys, found by what is typed. */
import { fuzzyRank } from "../../shared/index.ts";
import type { EffectiveBinding } from "../input/key-dispatch.ts";
import type { ActionName, KeyContext } from "../input/keymap.ts";
import type { Measure } from "../layout/width.ts";
import type { SlashCommand } from "../ports.ts";
import { type CommandRowParts, commandRows, type KeysOf } from "./command-rows.ts";
import { createFilterList, type FilterList } from "./filter-list.ts";
import { listOf } from "./list.ts";
import type { ListRow } from "./list-row.ts";
import { holdsAll, wordsOf } from "./typed-words.ts";

export interface CommandPaletteParts {
  readonly commands: readonly SlashCommand[];
  readonly bindings: readonly EffectiveBinding[];
  /** As `Keymap.shown`, the first of them; undefined when this terminal can send none. */
  readonly shownKeys: (action: ActionName) => string | undefined;
  readonly keysOf: KeysOf;
  readonly isBusy: () => boolean;
  readonly measure: () => Measure;
  readonly run: (command: SlashCommand) => void;
  readonly act: (action: ActionName) => void;
  readonly onClose: () => void;
  readonly onChange: () => void;
}

/** The actions that make sense from a list: not those that move a cursor, and not the list itself. */
const CONTEXTS: ReadonlySet<KeyContext> = new Set(["global", "composer"]);
const LEFT_OUT: ReadonlySet<ActionName> = new Set<ActionName>([
  ...(["palette", "send", "newline", "history-previous", "history-next", "delete-or-quit", "line-home"] as const),
  ...(["line-end", "word-backward", "word-forward", "delete-word-backward", "delete-word-forward"] as const),
  ...(["delete-to-line-start", "delete-to-line-end", "help-when-empty", "interrupt", "clear-or-quit"] as const),
]);

export function createCommandPalette(parts: CommandPaletteParts): FilterList {
  const { commands, measure, onClose, onChange } = parts;
  const sources: CommandRowParts = { commands, keysOf: parts.keysOf, isBusy: parts.isBusy() };
  const all = [...commandRows("", sources), ...actionRows(parts)];
  return createFilterList({
    name: "command-palette",
    place: "above",
    title: "Commands",
    measure,
    isFiltered: true,
    placeholder: "type to find",
    hint: "",
    none: () => "nothing by that name",
    rowsFor: (text) => listOf(text.trim() === "" ? all : found(all, text)),
    onChoose({ value }) {
      onClose();
      const command = commands.find(({ name }) => name === value);
      const binding = parts.bindings.find(({ action }) => ACTION + action === value);
      if (command) parts.run(command);
      if (binding) parts.act(binding.action);
    },
    onClose,
    onChange,
  });
}

const ACTION = "action ";

function actionRows({ bindings, shownKeys, commands }: CommandPaletteParts): readonly ListRow[] {
  const names = new Set(commands.map(({ name }) => name));
  return bindings
    .filter(({ action, context }) => CONTEXTS.has(context) && !LEFT_OUT.has(action) && !names.has(action))
    .map(({ action, about }) => {
      const keys = shownKeys(action);
      const label = action.replaceAll("-", " ");
      return { value: ACTION + action, label, about, group: "Keys", ...(keys !== undefined && { detail: keys }) };
    });
}

/** A name counts before what is said about it. */
function found(all: readonly ListRow[], text: string): readonly ListRow[] {
  const plain = all.map(({ group: _group, ...row }) => row);
  const named = fuzzyRank(plain, text, ({ label }) => label).map(({ item, matched }) => ({ ...item, matched }));
  const values = new Set(named.map(({ value }) => value));
  const words = wordsOf(text);
  const described = plain.filter(({ value, about = "" }) => !values.has(value) && holdsAll(about, words));
  return [...named, ...described];
}
