/** `khaelor sessions`: what is kept. Listing, showing and exporting open nothing for writing; removing says exactly what goes. */
import {
  firstToTell,
  isOnlyNewer,
  type LogProblem,
  metaOf,
  type SessionGlance,
  type SessionListing,
  type SessionMeta,
  sessionMeta,
} from "../../session/index.ts";
import { EXIT, type ExitCode, encode, type LogEvent, nearest, UserError } from "../../shared/index.ts";
import type { Arguments } from "../args.ts";
import { findSession } from "../find-session.ts";
import { type Here, openHere } from "../here.ts";
import { markdownOf } from "../log-markdown.ts";
import type { Output } from "../output.ts";
import { problemWords, readableLines } from "../readable-lines.ts";
import { recovered } from "../recovery-words.ts";
import { validTitle } from "../session-choice.ts";
import { SESSION_VERBS } from "../subcommands.ts";
import { withoutLeftovers } from "../terminal/unsaid.ts";
import { createEventLines } from "../transcript.ts";
import { counted, damageWord, localMinute, usageText } from "../words.ts";
import { prune, remove } from "./session-removal.ts";

type Verb = (typed: Arguments, rest: readonly string[], work: Work) => Promise<ExitCode>;

interface Work {
  readonly here: Here;
  readonly output: Output;
}

const VERBS: Readonly<Record<(typeof SESSION_VERBS)[number], Verb>> = {
  list,
  show,
  rename,
  export: exported,
  delete: (typed, ids, { here, output }) => remove(typed, ids, { here, output }),
  prune: (typed, rest, { here, output }) => {
    noMore(rest, "sessions prune [--days N] [--all] [--dry-run]");
    return prune(typed, { here, output });
  },
};

export async function sessions(typed: Arguments, output: Output): Promise<ExitCode> {
  const [verb = "list", ...rest] = typed.operands;
  const known = SESSION_VERBS.find((name) => name === verb);
  if (!known) {
    const guess = TO_COME.test(verb) ? undefined : nearest(verb, SESSION_VERBS);
    const way = guess ? `did you mean ${guess}?` : `there are ${SESSION_VERBS.join(", ")}.`;
    throw new UserError(`unknown: sessions ${verb}; ${way}`, EXIT.usage);
  }
  return VERBS[known](typed, rest, { here: await openHere(typed), output });
}

/** Verbs of a later version: no slips. */
const TO_COME = /^(?:archive|import|search)$/;

function noMore(rest: readonly string[], usage: string): void {
  if (rest.length > 0) throw new UserError(`"${rest.join(" ")}" is one word too many: khaelor ${usage}`, EXIT.usage);
}

async function list({ all, json }: Arguments, rest: readonly string[], { here, output }: Work): Promise<ExitCode> {
  noMore(rest, "sessions list [--all] [--json]");
  const every = await here.store.list({ ...(all ? {} : { projectHash: here.project }), quick: true });
  // Programs are told of every log; for people one in which nothing was said is no session.
  const found = json ? every : await withoutLeftovers(here.store, every);
  if (json) for (const listing of found) output.out(`${JSON.stringify(listing)}\n`);
  else if (found.length === 0) output.err(`No sessions${all ? "" : " of this project (--all for every project)"}.\n`);
  else output.show(found.map(row).join(""));
  return EXIT.done;
}

function row({ id, meta, glance, damaged, newer }: SessionListing): string {
  if (glance) return glanceRow(id, glance);
  if (!meta && damaged === undefined) return `${id}  …\n`;
  if (!meta) return `${id}  ${damageWord({ newer })}: ${damaged ?? "unreadable"}\n`;
  const when = localMinute(meta.updatedAt);
  const marks = [
    damaged === undefined ? outcomeOf(meta) : damageWord({ newer }),
    ...(meta.pendingApprovals > 0 ? ["waits for approval"] : []),
  ];
  const fork = meta.forkedFrom ? `  (fork of ${meta.forkedFrom.sessionId}@${meta.forkedFrom.seq})` : "";
  return `${id}  ${when}  ${marks.join(", ").padEnd(12)}  ${meta.title}${fork}\n`;
}

/** What its log's ends do not tell is not guessed: the mark says that there is more to know. */
function glanceRow(id: string, { updatedAt, title, lastOutcome, userMessages }: SessionGlance): string {
  const outcome = lastOutcome === undefined ? "…" : outcomeOf({ lastOutcome, userMessages });
  return `${id}  ${localMinute(updatedAt)}  ${outcome.padEnd(12)}  ${title} …\n`;
}

/** A turn without an end was stopped, or runs now; a session without a message never began. */
const outcomeOf = ({ lastOutcome, userMessages }: Pick<SessionMeta, "lastOutcome" | "userMessages">): string =>
  lastOutcome !== "none" ? lastOutcome : userMessages > 0 ? "unfinished" : "empty";

async function show(typed: Arguments, [target = "", ...more]: readonly string[], work: Work): Promise<ExitCode> {
  noMore(more, "sessions show [ID] [--json]");
  const { here, output } = work;
  const id = await findSession(here.store, target, here.project);
  const fold = sessionMeta(here.price);
  const eventLines = createEventLines();
  let meta = fold.initial();
  for await (const line of readableLines(here.store, id)) {
    if (output.closed()) break;
    if ("problem" in line) {
      if (!typed.json) output.show(marker(line.problem));
      continue;
    }
    meta = fold.apply(meta, line.event);
    if (typed.json) output.out(`${jsonLine(line.event)}\n`);
    else output.show(eventLines(line.event).join(""));
  }
  if (!typed.json) output.show(`\n${spentText(metaOf(meta))}\n`);
  return toldDamage(id, work);
}

/** Where something is missing or out of place, so that what stands around it is not read as if it were whole. */
const marker = (problem: LogProblem): string => `\n✗✗ ${problemWords(problem)}\n`;

/** A fork's own share stands apart from what it took over. */
function spentText({ usage, costUsd, forkedFrom }: SessionMeta): string {
  const whole = usageText(usage, costUsd);
  return forkedFrom ? `${whole}; of that, before the fork: ${usageText(forkedFrom.usage, forkedFrom.costUsd)}` : whole;
}

/** What was printed is not the whole session, and must not look like it. */
async function toldDamage(id: string, { here, output }: Work): Promise<ExitCode> {
  const { damage } = await here.store.check(id);
  const first = firstToTell(damage);
  if (!first) return EXIT.done;
  const state = isOnlyNewer(damage) ? "can only be read by a newer version" : "is damaged";
  const more = damage.length > 1 ? `, and at ${counted(damage.length - 1, "more line")}` : "";
  output.err(`khaelor: the log ${state} at line ${first.line}${more}: ${first.reason}. See khaelor fsck ${id}\n`);
  return EXIT.log;
}

function jsonLine(event: LogEvent): string {
  if (!("opaque" in event)) return encode(event);
  const { opaque: _mark, ...line } = event;
  return JSON.stringify(line);
}

async function rename(_typed: Arguments, [target, ...words]: readonly string[], work: Work): Promise<ExitCode> {
  if (!target || words.length === 0) {
    throw new UserError("Name the session and its title: khaelor sessions rename ID TITLE.", EXIT.usage);
  }
  const { here, output } = work;
  const title = validTitle(words.join(" "));
  const session = await here.store.open(await findSession(here.store, target, here.project));
  try {
    for (const mended of recovered(session, [])) output.err(`khaelor: ${mended}\n`);
    session.publish({ type: "session.renamed", payload: { title } });
  } finally {
    await session.close();
  }
  return EXIT.done;
}

async function exported(
  { md, jsonl, json }: Arguments,
  [target = "", ...more]: readonly string[],
  work: Work,
): Promise<ExitCode> {
  noMore(more, "sessions export [ID] [--md|--jsonl]");
  const { here } = work;
  const asLines = jsonl || json;
  if (md && asLines) throw new UserError("--md and --jsonl contradict each other.", EXIT.usage);
  const id = await findSession(here.store, target, here.project);
  if (asLines) await exportedLines(id, work);
  else await exportedMarkdown(id, work);
  return toldDamage(id, work);
}

/** Every line that is an event in its place, as it stands. */
async function exportedLines(id: string, { here, output }: Work): Promise<void> {
  for await (const line of here.store.lines(id)) {
    if (output.closed()) return;
    if ("event" in line) output.out(`${line.text}\n`);
  }
}

async function exportedMarkdown(id: string, { here, output }: Work): Promise<void> {
  for await (const text of markdownOf(here.store, id)) {
    if (output.closed()) return;
    output.show(text);
  }
}
