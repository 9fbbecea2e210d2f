/** `khaelor models`: which models there are, what they can hold and what they cost. Asks the API only here, and at most once a day. */

import { MODELS_AS_OF, type ModelPrice } from "../../anthropic/index.ts";
import { EXIT, type ExitCode, systemClock, UserError } from "../../shared/index.ts";
import type { Arguments } from "../args.ts";
import { configurationFor } from "../configuration.ts";
import { logChoice } from "../log-choice.ts";
import { type ModelList, type ModelRow, modelList } from "../model-list.ts";
import type { Output } from "../output.ts";
import { projectRootOf } from "../project-root.ts";
import { flagLayer, placesOf } from "../settings.ts";
import { openStore } from "../state.ts";

export async function models(typed: Arguments, output: Output): Promise<ExitCode> {
  const [stray] = typed.operands;
  if (stray !== undefined) throw new UserError(`khaelor models takes no words, but got "${stray}".`, EXIT.usage);
  const places = placesOf(typed, process.env);
  const surroundings = { places, env: process.env, flags: flagLayer(typed) };
  const root = await projectRootOf(places.cwd, process.env);
  const { config, notices } = await configurationFor(surroundings, root);
  for (const notice of notices) output.err(`khaelor: ${notice}\n`);
  const { logger } = openStore(places, logChoice(typed));
  const list = await modelList({ places, env: process.env, config, logger, refresh: typed.refresh });
  if (typed.json) output.out(`${JSON.stringify(forPrograms(list))}\n`);
  else output.show(table(list));
  for (const note of list.notes) output.err(`khaelor: ${note}\n`);
  if (!typed.json) output.err(`${ageOf(list)}\n`);
  return (typed.refresh ? list.failure : undefined) ?? EXIT.done;
}

const forPrograms = ({ source, fetchedAt, models: rows, notes }: ModelList) => ({
  source,
  fetched_at: fetchedAt === undefined ? null : new Date(fetchedAt).toISOString(),
  prices_as_of: MODELS_AS_OF,
  models: rows.map((row) => ({
    id: row.id,
    display_name: row.displayName ?? null,
    lifecycle: row.lifecycle ?? null,
    context_window: row.contextWindow,
    max_output_tokens: row.maxOutputTokens,
    efforts: row.efforts,
    thinking: row.thinking,
    price: row.price?.tiers ?? null,
    use: row.use ?? null,
  })),
  notes,
});

const HEAD = ["model", "window", "output", "US$ per million in/out", "effort", ""];

function table({ models: rows }: ModelList): string {
  const lines = [HEAD, ...rows.map(cells)];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}

const cells = (row: ModelRow): readonly string[] => [
  row.id,
  tokens(row.contextWindow),
  tokens(row.maxOutputTokens),
  priceText(row.price),
  row.efforts.length > 0 ? row.efforts.join(" ") : "-",
  [row.use, row.lifecycle === "active" ? undefined : row.lifecycle].filter((word) => word !== undefined).join(", "),
];

const tokens = (count: number): string =>
  count >= 1_000_000 ? `${Number((count / 1_000_000).toFixed(1))}M` : `${Math.round(count / 1000)}K`;

function priceText(price: ModelPrice | undefined): string {
  const [first, long] = price?.tiers ?? [];
  if (!first) return "price unknown";
  const plain = `${first.input} / ${first.output}`;
  return long ? `${plain}; over ${tokens(long.abovePromptTokens)}: ${long.input} / ${long.output}` : plain;
}

function ageOf({ source, fetchedAt }: ModelList): string {
  const prices = `prices of ${MODELS_AS_OF}, or your own`;
  if (source === "table" || fetchedAt === undefined) return `From the program's own table; ${prices}.`;
  if (source === "api") return `As the API says now; ${prices}.`;
  const hours = Math.max(0, Math.floor((systemClock.now() - fetchedAt) / 3_600_000));
  const age = hours < 1 ? "less than an hour" : hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
  return `As the API said ${age} ago (--refresh asks again); ${prices}.`;
}
