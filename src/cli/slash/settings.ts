/** `/config` and `/theme`: what is configured, and changes to the user's own file. */
import {
  type ConfigOrigin,
  findKey,
  problemLines,
  problemText,
  setConfigValue,
  strangeKey,
} from "../../config/index.ts";
import type { CommandUi } from "../../tui/index.ts";
import { configRows, originText, valueAt } from "../config-rows.ts";
import { loadFor } from "../configuration.ts";
import type { SlashContext } from "./define.ts";
import { inCode, markdownTable } from "./markdown-table.ts";

export async function config(args: string, ui: CommandUi, context: SlashContext): Promise<void> {
  const [, key = "", value] = /^\s*([^\s=]*)\s*(?:[=\s]\s*([\s\S]*\S))?\s*$/.exec(args) ?? [];
  if (key === "") return ui.show("Configuration", await allRows(context));
  if (!findKey(key)) throw new Error(problemText({ file: "/config", key, ...strangeKey(key) }));
  if (value === undefined) return ui.say(await oneRow(key, context));
  const changed = await setConfigValue(context.places.home, key, value);
  if (!changed.ok) throw new Error(problemLines(changed.error).join("\n"));
  const stronger = await strongerThanUser(key, context);
  const when = stronger ?? "It counts for the sessions that are opened from now on.";
  ui.say(`${key} = ${shown(changed.value.value)} in ${changed.value.path}. ${when}`, stronger ? "warn" : "ok");
}

async function resolved({ host, ...wanted }: SlashContext) {
  const found = await loadFor(wanted, host.engine().projectRoot);
  if (!found.ok) throw new Error(problemLines(found.error).join("\n"));
  return found.value;
}

async function allRows(context: SlashContext): Promise<string> {
  const rows = configRows(await resolved(context)).map(({ key, value, origin }) => [
    inCode(key),
    `${value === undefined ? "not set" : inCode(shown(value))}${saidBy(origin)}`,
  ]);
  return markdownTable(["key", "value"], rows);
}

/** Only what is not the default has somebody who says it. */
const saidBy = (origin: ConfigOrigin): string => (origin.source === "default" ? "" : ` (${originText(origin)})`);

async function oneRow(key: string, context: SlashContext): Promise<string> {
  const { config: values, origins } = await resolved(context);
  const value = valueAt(values, key.split("."));
  const origin = origins[key];
  return `${key} ${value === undefined ? "is not set" : `= ${shown(value)}`}${origin ? ` (${originText(origin)})` : ""}`;
}

/** A value that something stronger covers would be a riddle. */
async function strongerThanUser(key: string, context: SlashContext): Promise<string | undefined> {
  const origin = (await resolved(context)).origins[key];
  return !origin || origin.source === "user"
    ? undefined
    : `But something stronger says otherwise: ${originText(origin)}.`;
}

const shown = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

const THEMES = ["auto", "light", "dark"] as const;

/** At once, and for later starts. */
export async function theme(args: string, ui: CommandUi, { places }: SlashContext): Promise<void> {
  const rows = THEMES.map((value) => ({
    value,
    label: value,
    ...(value === "auto" && { detail: "as the terminal is" }),
  }));
  const chosen = args.trim() || (await ui.choose({ title: "Which colours?", rows }));
  if (chosen === undefined) return;
  const found = THEMES.find((known) => known === chosen);
  if (!found) throw new Error(`There is no theme "${chosen}"; there are ${THEMES.join(", ")}.`);
  ui.act({ kind: "theme", theme: found });
  const kept = await setConfigValue(places.home, "theme", found);
  if (!kept.ok) ui.say(`It is not kept for later: ${problemLines(kept.error).join("\n")}`, "warn");
}
