/**
 * `khaelor sessions delete` and `prune`: what would go is listed first, with sizes, and goes only with --yes or a typed "yes".
 * A session that is open elsewhere keeps everything.
 */
import { basename } from "node:path";
import {
  lastWritten,
  planRemoval,
  type Removable,
  type RemovalPlan,
  removeFiles,
  type SessionListing,
} from "../../session/index.ts";
import { EXIT, type ExitCode, systemClock, UserError } from "../../shared/index.ts";
import type { Arguments } from "../args.ts";
import { DAY_MS, dayCount } from "../days.ts";
import { findSession } from "../find-session.ts";
import type { Here } from "../here.ts";
import type { Output } from "../output.ts";
import { dropDrafts } from "../terminal/drafts.ts";
import { counted, damageWord, localMinute, sizeText } from "../words.ts";

interface Work {
  readonly here: Here;
  readonly output: Output;
}

/** Each by its id: nothing is removed by chance of being the newest, or by words. */
export async function remove(typed: Arguments, ids: readonly string[], { here, output }: Work): Promise<ExitCode> {
  if (ids.length === 0 || ids.includes(""))
    throw new UserError("Name what to delete: khaelor sessions delete ID.", EXIT.usage);
  const logs: string[] = [];
  for (const typedId of ids) {
    const id = await findSession(here.store, typedId, here.project);
    const path = await here.store.locate(id);
    if (path === undefined) {
      throw new UserError(`There is no session ${id}. See khaelor sessions list --all.`, EXIT.usage);
    }
    logs.push(path);
  }
  const plan = await planRemoval(here.places.home, { logs, orphans: false });
  const heldCode = told(plan, output);
  return heldCode === EXIT.done ? carryOut(typed, plan, { here, output }) : heldCode;
}

/** Without --days only what no session names goes. */
export async function prune(typed: Arguments, { here, output }: Work): Promise<ExitCode> {
  const days = typed.days === undefined ? undefined : dayCount(typed.days);
  const before = days === undefined ? Number.NEGATIVE_INFINITY : systemClock.now() - days * DAY_MS;
  const all = await here.store.list(typed.all ? {} : { projectHash: here.project });
  const isOld = (listing: SessionListing): boolean => {
    const at = lastWritten(listing);
    return at > 0 && at < before; // 0: nobody knows
  };
  const old = all.filter(isOld).map(({ path }) => path);
  const plan = await planRemoval(here.places.home, { logs: old, orphans: true });
  told(plan, output);
  return carryOut(typed, plan, { here, output });
}

function told({ held }: RemovalPlan, output: Output): ExitCode {
  for (const path of held) {
    output.err(`khaelor: session ${basename(path, ".jsonl")} is open in another khaelor: nothing of it is removed\n`);
  }
  return held.length > 0 ? EXIT.log : EXIT.done;
}

async function carryOut(typed: Arguments, plan: RemovalPlan, { here, output }: Work): Promise<ExitCode> {
  if (plan.files.length === 0) {
    output.err("There is nothing to remove.\n");
    return EXIT.done;
  }
  const asLines = (files: readonly Removable[]) => {
    if (typed.json) for (const file of files) output.out(`${jsonLine(file)}\n`);
  };
  // With --json the list is for people only in front of the question.
  if (!typed.json || !(typed.yes || typed.dryRun)) {
    listFiles(plan.files, await titlesOf(here), typed.json ? output.err : output.show);
  }
  if (typed.dryRun) {
    asLines(plan.files);
    return EXIT.done;
  }
  if (!typed.yes && !(await confirmed(output))) {
    output.err("Nothing was removed.\n");
    return EXIT.usage;
  }
  const gone = await removeFiles(plan);
  dropDrafts(
    here.places.home,
    gone.filter(({ kind }) => kind === "log").map(({ path }) => path),
  );
  asLines(gone);
  const left = plan.files.length - gone.length;
  output.err(`Removed ${summary(gone)}.${left > 0 ? ` ${counted(left, "file")} changed meanwhile and stayed.` : ""}\n`);
  return EXIT.done;
}

const jsonLine = ({ path, bytes, kind, sessionId }: Removable): string =>
  JSON.stringify({ path, bytes, kind, session_id: sessionId ?? null });

async function titlesOf({ store }: Here): Promise<ReadonlyMap<string, string>> {
  return new Map(
    (await store.list({ quick: true })).map(({ id, meta, glance, newer }) => {
      const known = meta ?? glance;
      return [id, known ? `${localMinute(known.updatedAt)}  ${known.title}` : `(${damageWord({ newer })})`];
    }),
  );
}

/** Sessions each by itself, everything else by its kind. */
function listFiles(
  files: readonly Removable[],
  titles: ReadonlyMap<string, string>,
  show: (text: string) => void,
): void {
  for (const { sessionId, bytes } of files.filter((file) => file.kind === "log")) {
    show(`session ${sessionId}  ${titles.get(sessionId ?? "") ?? "(empty)"}  ${sizeText(bytes)}\n`);
  }
  for (const { path, bytes, kind } of files.filter((file) => file.kind !== "log")) {
    show(`${kind}  ${path}  ${sizeText(bytes)}\n`);
  }
  show(`In all ${summary(files)}.\n`);
}

function summary(files: readonly Removable[]): string {
  const logs = files.filter(({ kind }) => kind === "log").length;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const others = files.length - logs;
  return `${counted(logs, "session")} and ${counted(others, "other file")}, ${sizeText(bytes)}`;
}

/** Throws UserError where nobody can answer. */
async function confirmed(output: Output): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new UserError("Nothing was removed: add --yes, for there is no terminal to ask on.", EXIT.usage);
  }
  output.err('Remove this for good? Type "yes": ');
  for await (const answer of console) return answer.trim().toLowerCase() === "yes";
  return false;
}
