/** `/cost tree` and `/cost today`: what several sessions spent together, each dollar once. */
import { sanitize } from "../../shared/index.ts";
import { localDayStart, spentOn } from "../day-spend.ts";
import type { Engine } from "../engine.ts";
import { commonStore } from "../money.ts";
import { sessionTree, type TreeRow } from "../spending/session-tree.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { counted, excerpt, moneyText } from "../words.ts";
import { inCode, markdownTable } from "./markdown-table.ts";

export async function treeReport({ session, store, models }: Engine): Promise<string> {
  const { meta } = session.state();
  const rows = await sessionTree(session.id, { store, price: models.price, project: meta.projectHash });
  const usd = rows.reduce((sum, row) => sum + row.usd, 0);
  const isAtLeast = rows.some((row) => row.isAtLeast);
  const forks = rows.length - 1;
  const about = forks === 0 ? "It is no fork and has none." : `${counted(forks, "fork")} and where they began.`;
  return `**${amount(usd, isAtLeast)}** together. ${about}\n\n${markdownTable(
    ["session", "id", "of its own:"],
    rows.map((row) => treeCells(row, session.id)),
  )}`;
}

function treeCells({ id, depth, meta, usd, isAtLeast }: TreeRow, here: string): readonly string[] {
  const name = meta ? titleOf(meta.title) : "not there any more: what its forks took over";
  const mark = id === here ? " (this one)" : "";
  return [`${"· ".repeat(depth)}${name}${mark}`, inCode(id), amount(usd, isAtLeast)];
}

const SHOWN = 20;

/** All projects: a day's money is one purse. */
export async function todayReport(
  { session, store }: Pick<Engine, "session" | "store">,
  where: Pick<Surroundings, "places" | "log">,
  now: number,
): Promise<string> {
  const { usage, meta: own } = session.state();
  const listed = await commonStore(where, store).list({ writtenSince: localDayStart(now), except: session.id });
  const others = listed.flatMap(({ meta }) => (meta ? [meta] : []));
  const rows = [{ ...own, recentUsd: usage.recentUsd }, ...others]
    .map(({ id, title, workingDirectory, recentUsd }) => ({
      id,
      title,
      workingDirectory,
      usd: spentOn(now, recentUsd),
    }))
    .filter(({ id, usd }) => usd > 0 || id === session.id)
    .sort((a, b) => b.usd - a.usd);
  const usd = rows.reduce((sum, row) => sum + row.usd, 0);
  const unread = listed.filter(({ damaged }) => damaged !== undefined).length;
  const lines = [
    `**${amount(usd, unread > 0)}** today, in ${counted(rows.length, "session")}. What has no known price is not in it.`,
    ...(unread > 0 ? [`${counted(unread, "session")} could not be read whole.`] : []),
    ...(rows.length > SHOWN ? [`The ${SHOWN} that cost most:`] : []),
  ];
  const cells = rows
    .slice(0, SHOWN)
    .map((row) => [
      `${titleOf(row.title)}${row.id === session.id ? " (this one)" : ""}`,
      inCode(lastPart(row.workingDirectory)),
      moneyText(row.usd),
    ]);
  return `${lines.join("\n")}\n\n${markdownTable(["session", "in", "today:"], cells)}`;
}

const lastPart = (folder: string): string => folder.split("/").filter(Boolean).at(-1) ?? "/";

const TITLE_CHARACTERS = 48;
const titleOf = (title: string): string => excerpt(sanitize(title), "", TITLE_CHARACTERS) || "without a title";

const amount = (usd: number, isAtLeast: boolean): string => `${isAtLeast ? "at least " : ""}${moneyText(usd)}`;
