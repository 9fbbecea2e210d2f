/** `khaelor sessions`: what is kept. Listing, showing and exporting open nothing for writing; removing says exactly what goes. */
import { metaOf, type SessionListing, type SessionMeta, sessionMeta } from "../../session/index.ts";
import { EXIT, type ExitCode, encode, type LogEvent, nearest, UserError } from "../../shared/index.ts";
import type { Arguments } from "../args.ts";
import { findSession } from "../find-session.ts";
import { type Here, openHere } from "../here.ts";
import { createMarkdown } from "../markdown.ts";
import type { Output } from "../output.ts";
import { validTitle } from "../session-choice.ts";
import { SESSION_VERBS } from "../subcommands.ts";
import { withoutLeftovers } from "../terminal/unsaid.ts";
import { createEventLines } from "../transcript.ts";
import { localMinute, usageText } from "../words.ts";
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
  const every = await here.store.list(all ? {} : { projectHash: here.project });
  // Programs are told of every log; for people one in which nothing was said is no session.
  const found = json ? every : await withoutLeftovers(here.store, every);
  if (json) for (const listing of found) output.out(`${JSON.stringify(listing)}\n`);
  else if (found.length === 0) output.err(`No sessions${all ? "" : " of this project (--all for every project)"}.\n`);
  else output.show(found.map(row).join(""));
  return EXIT.done;
}

function row({ id, meta, damaged, newer }: SessionListing): string {
  if (!meta) return `${id}  damaged: ${damaged ?? "unreadable"}\n`;
  const when = localMinute(meta.updatedAt);
  const marks = [
    newer ? "of a newer version" : damaged ? "damaged" : outcomeOf(meta),
    ...(meta.pendingApprovals > 0 ? ["waits for approval"] : []),
  ];
  const fork = meta.forkedFrom ? `  (fork of ${meta.forkedFrom.sessionId}@${meta.forkedFrom.seq})` : "";
  return `${id}  ${when}  ${marks.join(", ").padEnd(12)}  ${meta.title}${fork}\n`;
}

/** A turn without an end was stopped, or runs now; a session without a message never began. */
const outcomeOf = ({ lastOutcome, userMessages }: SessionMeta): string =>
  lastOutcome !== "none" ? lastOutcome : userMessages > 0 ? "unfinished" : "empty";

async function show(typed: Arguments, [target = "", ...more]: readonly string[], work: Work): Promise<ExitCode> {
  noMore(more, "sessions show [ID] [--json]");
  const { here, output } = work;
  const id = await findSession(here.store, target, here.project);
  const fold = sessionMeta(here.price);
  const eventLines = createEventLines();
  let meta = fold.initial();
  for await (const event of here.store.read(id)) {
    if (output.closed()) break;
    meta = fold.apply(meta, event);
    if (typed.json) output.out(`${jsonLine(event)}\n`);
    else output.show(eventLines(event).join(""));
  }
  if (!typed.json) output.show(`\n${spentText(metaOf(meta))}\n`);
  return toldDamage(id, work);
}

/** A fork's own share stands apart from what it took over. */
function spentText({ usage, costUsd, forkedFrom }: SessionMeta): string {
  const whole = usageText(usage, costUsd);
  return forkedFrom ? `${whole}; of that, before the fork: ${usageText(forkedFrom.usage, forkedFrom.costUsd)}` : whole;
}

/** Reading ends where the damage begins: that is not the end of the session, and must not look like it. */
async function toldDamage(id: string, { here, output }: Work): Promise<ExitCode> {
  const { damage } = await here.store.check(id);
  const [first] = damage;
  if (!first) return EXIT.done;
  output.err(`khaelor: the log is damaged from line ${first.line} on: ${first.reason}. See khaelor fsck ${id}\n`);
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
  const { store, project } = work.here;
  const title = validTitle(words.join(" "));
  const session = await store.open(await findSession(store, target, project));
  try {
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
  const { here, output } = work;
  const asLines = jsonl || json;
  if (md && asLines) throw new UserError("--md and --jsonl contradict each other.", EXIT.usage);
  const id = await findSession(here.store, target, here.project);
  const markdown = createMarkdown();
  for await (const line of here.store.lines(id)) {
    if (output.closed() || ("problem" in line && !line.torn)) break;
    if ("problem" in line) continue;
    if (asLines) output.out(`${line.text}\n`);
    else output.show(markdown.take(line.event));
  }
  if (!asLines) output.show(markdown.end());
  return toldDamage(id, work);
}
