/**
 * The commands that fit a draft which begins with a slash, and behind a command's name what may follow it. It stands above
 * the composer, which keeps the cursor and every key that is not for the list. Never waits for anything.
 */
import { fuzzyRank } from "../../shared/index.ts";
import { commandNamed, slashDraft } from "../input/slash.ts";
import { type Key, keyName } from "../key.ts";
import { safeRow } from "../layout/plain-text.ts";
import type { Measure } from "../layout/width.ts";
import type { SlashCommand } from "../ports.ts";
import { BUSY_REASON, commandRows, type KeysOf } from "./command-rows.ts";
import type { Area, Layer } from "./layer.ts";
import { type ListState, listLines, listOf, moved, selectedRow } from "./list.ts";
import { fittedLine, isCompact } from "./row.ts";

export interface SlashPaletteParts {
  readonly commands: readonly SlashCommand[];
  readonly keysOf: KeysOf;
  readonly isBusy: () => boolean;
  readonly measure: () => Measure;
  /** Puts this in place of the whole draft, the cursor behind it. */
  readonly complete: (text: string) => void;
  /** Runs the command, as if it had been typed and sent; the draft is the caller's to clear. */
  readonly run: (command: SlashCommand, args: string) => void;
  readonly onClose: () => void;
}

export interface SlashPalette extends Layer {
  /** Takes the draft as it is now. False: there is nothing to show for it. */
  update(text: string, cursor: number): boolean;
}

const MAX_LINES = 8;

interface Shown {
  readonly kind: "commands" | "arguments";
  readonly list: ListState;
  /** Of `arguments`: whose they are. */
  readonly command?: SlashCommand;
}

export function createSlashPalette(parts: SlashPaletteParts): SlashPalette {
  let shown: Shown = { kind: "commands", list: listOf([]) };
  let height = MAX_LINES;
  const choose = (how: "tab" | "enter"): boolean =>
    shown.kind === "commands" ? chosenCommand(shown, parts, how) : chosenArgument(shown, parts, how);
  return {
    name: "slash-palette",
    place: "above",
    update(text, cursor) {
      const next = shownFor(text, cursor, parts);
      if (next) shown = kept(shown, next);
      return next !== undefined;
    },
    rows(area) {
      height = Math.min(MAX_LINES, area.height);
      return linesOf(shown, parts, { width: area.width, height });
    },
    key(key: Key) {
      const name = keyName(key);
      if (name === "escape") {
        parts.onClose();
        return true;
      }
      if (name === "tab" || name === "enter") return choose(name);
      if (name === "home" || name === "end" || shown.list.rows.length === 0) return false;
      const next = moved(shown.list, name, height);
      if (next) shown = { ...shown, list: next };
      return next !== undefined;
    },
  };
}

function shownFor(text: string, cursor: number, parts: SlashPaletteParts): Shown | undefined {
  const draft = slashDraft(text);
  if (!draft) return undefined;
  const { name, args } = draft;
  if (cursor <= name.length + 1) {
    const rows = commandRows(name, { ...parts, isBusy: parts.isBusy() });
    return args === undefined || rows.length > 0 ? { kind: "commands", list: listOf(rows) } : undefined;
  }
  const command = commandNamed(parts.commands, name);
  if (!command || command.args === "" || text.includes("\n")) return undefined;
  const ranked = fuzzyRank(command.complete?.(args ?? "") ?? [], args ?? "", (value) => value);
  const rows = ranked.map(({ item, matched }) => ({ value: item, label: item, matched }));
  return { kind: "arguments", command, list: listOf(rows, { selected: -1 }) };
}

/** The row that was chosen with the arrows stays chosen while it is there; typing begins at the best again. */
const kept = (before: Shown, next: Shown): Shown =>
  before.kind === next.kind && before.list.rows.length === next.list.rows.length && sameRows(before.list, next.list)
    ? { ...next, list: { ...next.list, selected: before.list.selected, top: before.list.top } }
    : next;

const sameRows = (a: ListState, b: ListState): boolean => a.rows.every(({ value }, at) => b.rows[at]?.value === value);

function linesOf({ kind, list, command }: Shown, parts: SlashPaletteParts, { width, height }: Area) {
  const measure = parts.measure();
  const hint = kind === "arguments" && command ? [hintLine(command, parts, width)] : [];
  if (kind === "commands" && list.rows.length === 0) {
    return [fittedLine([{ tone: "muted", text: "    no such command; /help lists them" }], width, measure)].slice(
      0,
      height,
    );
  }
  const rows = listLines(list, { width, height: Math.max(0, height - hint.length), measure, showsCount: true });
  return [...hint, ...rows].slice(0, height);
}

function hintLine(command: SlashCommand, { isBusy, measure }: SlashPaletteParts, width: number) {
  const reason = isBusy() && !command.whileBusy ? `${BUSY_REASON}: ` : "";
  return fittedLine(
    [
      { tone: "fg", text: `${isCompact(width) ? "" : "    "}/${command.name} ${safeRow(command.args)}` },
      { tone: "muted", text: `  ${reason}${safeRow(command.about)}` },
    ],
    width,
    measure(),
  );
}

/** Enter runs what needs nothing more; a command that cannot run now stays where it is, and its row says why. */
function chosenCommand({ list }: Shown, { commands, complete, run }: SlashPaletteParts, how: "tab" | "enter"): boolean {
  const row = selectedRow(list);
  const command = commands.find(({ name }) => name === row?.value);
  if (!row || !command) return false;
  const needsMore = command.args !== "" && !command.args.startsWith("[");
  if (how === "tab" || needsMore) complete(`/${command.name}${command.args === "" ? "" : " "}`);
  else if (!row.isDim) run(command, "");
  return true;
}

/** Without a row that was chosen Enter is for the composer; Tab takes the best. */
function chosenArgument(
  { list, command }: Shown,
  { complete, run, isBusy }: SlashPaletteParts,
  how: "tab" | "enter",
): boolean {
  const row = selectedRow(list) ?? (how === "tab" ? list.rows[0] : undefined);
  if (!row || !command) return false;
  if (how === "tab") complete(`/${command.name} ${row.value}`);
  else if (command.whileBusy || !isBusy()) run(command, row.value);
  return true;
}
