/** What lies over the transcript, drawn at the three sizes, over a screen that is empty but for its bars. */
import { measureBy } from "../../../src/tui/layout/width.ts";
import type { SlashCommand } from "../../../src/tui/ports.ts";
import { composeFrame } from "../../../src/tui/view/frame.ts";
import type { Layer } from "../../../src/tui/view/layer.ts";
import { expectGolden, textOf } from "../../support/frames.ts";
import { key } from "../input/keys.ts";

export const measure = measureBy("unicode");

export const press = (layer: Layer, ...names: readonly string[]) => names.map((name) => layer.key(key(name)));
export const type = (layer: Layer, text: string) => press(layer, ...text);
export const shown = (layer: Layer, width = 100, height = 30) =>
  layer.rows({ width, height }).map((line) => textOf(line).trimEnd());
/** Until what was asked for is answered. */
export const answered = () => new Promise((resolve) => setImmediate(resolve));

const SIZES = [
  { width: 100, height: 30 },
  { width: 60, height: 20 },
  { width: 10, height: 8 },
] as const;

export type Drawing = (size: { readonly width: number; readonly height: number }, draft?: string) => readonly string[];

const text = (words: string) => ({
  spans: [{ text: words, width: words.length, tone: "muted" as const }],
  width: words.length,
});

/** The screen as rows of text, the cursor as `▮`. */
export function screenWith(layer: Layer, draft = ""): Drawing {
  return ({ width, height }) => {
    const frame = composeFrame({
      size: { width, height },
      header: () => text(" khaelor"),
      status: () => text(" ready"),
      transcript: () => [],
      chips: () => [],
      pill: () => undefined,
      full: layer.place === "full" ? layer : undefined,
      above: layer.place === "above" ? [layer] : [],
      composerRows: () => 1,
    });
    const rows = frame.rows.map((line) => textOf(line).padEnd(width));
    const { composer } = frame;
    if (composer) rows[composer.y] = (rows[composer.y] ?? "").slice(0, composer.x) + draft;
    const cursor = frame.cursor ?? (composer && { x: composer.x + draft.length, y: composer.y });
    return rows.map((row, y) => (cursor?.y === y ? withCursor(row, cursor.x) : row).trimEnd());
  };
}

const withCursor = (row: string, x: number): string => `${row.padEnd(x).slice(0, x)}▮${row.slice(x + 1)}`;

/** All three sizes in one file; empty rows at the top are counted and not shown. */
export function expectScreens(name: string, draw: Drawing): void {
  const pages = SIZES.map((size) => {
    const rows = draw(size);
    const begin = rows.findIndex((row, at) => at > 0 && row !== "");
    const empty = Math.max(0, begin - 2);
    const shown = empty > 0 ? [...rows.slice(0, 1), `(${empty} empty rows)`, ...rows.slice(1 + empty)] : rows;
    return `== ${size.width}×${size.height}\n${shown.join("\n")}`;
  });
  expectGolden(name, pages.join("\n"));
}

const nothing = async () => undefined;

export const COMMANDS: readonly SlashCommand[] = [
  command("help", {
    aliases: ["?"],
    args: "[COMMAND]",
    about: "commands and keys, or all about one command",
    group: "help",
  }),
  command("new", {
    aliases: ["clear"],
    about: "a new session; the old log is kept",
    group: "session",
    whileBusy: false,
  }),
  command("resume", {
    aliases: ["continue"],
    args: "[ID|WORDS]",
    about: "another session, found by its words",
    group: "session",
    whileBusy: false,
  }),
  command("rename", { args: "[TITLE]", about: "what the session is called", group: "session" }),
  command("model", {
    args: "[ID] [--save]",
    about: "another model from here on",
    group: "model",
    complete: () => ["claude-opus-5", "claude-sonnet-5", "claude-haiku-4-5"],
  }),
  command("effort", { args: "[LEVEL]", about: "how hard the model thinks", group: "model" }),
  command("context", { aliases: ["ctx"], about: "what the model sees, by size", group: "model" }),
  command("cost", { aliases: ["usage", "stats"], about: "tokens and spend from real usage", group: "model" }),
  command("diff", {
    args: "[mine|staged|all|turn] [--stat] [PATH]",
    about: "what changed in the files, and by whom",
    group: "work",
  }),
  command("queue", { args: "TEXT", about: "deliver it when the turn is over", group: "work" }),
  command("copy", { args: "[N|code|all]", about: "to the clipboard", group: "files" }),
  command("config", { args: "[KEY[=VALUE]]", about: "what is configured and where it was said", group: "settings" }),
];

function command(name: string, parts: Partial<SlashCommand> & Pick<SlashCommand, "about" | "group">): SlashCommand {
  return { name, aliases: [], args: "", whileBusy: true, run: nothing, ...parts };
}

export const keysOf = (name: string): string | undefined =>
  ({ help: "F1", model: "Ctrl+X M", context: "Ctrl+X C", diff: "Ctrl+X D" })[name];
