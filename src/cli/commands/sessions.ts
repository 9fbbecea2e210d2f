/** `khaelor sessions list|show`: what is kept, without opening anything for writing. */

import { findProjectRoot } from "../../repository/index.ts";
import { projectHash, type SessionListing, type SessionMeta } from "../../session/index.ts";
import { EXIT, type ExitCode, encode, type LogEvent, UserError } from "../../shared/index.ts";
import { createLocalWorkspace } from "../../workspace/index.ts";
import type { Arguments } from "../args.ts";
import { findSession } from "../find-session.ts";
import { nearest } from "../nearest.ts";
import type { Output } from "../output.ts";
import { placesOf } from "../settings.ts";
import { openStore, type State } from "../state.ts";
import { eventLines } from "../transcript.ts";

export async function sessions(typed: Arguments, output: Output): Promise<ExitCode> {
  const [verb = "list", id = ""] = typed.operands;
  const places = placesOf(typed, process.env);
  const state = openStore(places, typed.debug !== undefined);
  const root = await findProjectRoot(createLocalWorkspace({ cwd: places.cwd, env: process.env, watchdog: false }));
  const project = projectHash(root);
  if (verb === "list") return list(state, typed, { output, project });
  if (verb === "show") return show(state, typed, { output, id: await findSession(state.store, id, project) });
  const guess = nearest(verb, ["list", "show"]);
  throw new UserError(`unknown: sessions ${verb}${guess ? `; did you mean ${guess}?` : ""}`, EXIT.usage);
}

async function list(
  { store }: State,
  { all, json }: Arguments,
  { output, project }: { readonly output: Output; readonly project: string },
): Promise<ExitCode> {
  const found = await store.list(all ? {} : { projectHash: project });
  if (json) for (const listing of found) output.out(`${JSON.stringify(listing)}\n`);
  else if (found.length === 0) output.err(`No sessions${all ? "" : " of this project (--all for every project)"}.\n`);
  else output.show(found.map(row).join(""));
  return EXIT.done;
}

function row({ id, meta, damaged }: SessionListing): string {
  if (!meta) return `${id}  damaged: ${damaged ?? "unreadable"}\n`;
  const when = localMinute(meta.updatedAt);
  const marks = [damaged ? "damaged" : outcomeOf(meta), ...(meta.pendingApprovals > 0 ? ["waits for approval"] : [])];
  return `${id}  ${when}  ${marks.join(", ").padEnd(12)}  ${meta.title}\n`;
}

/** A turn without an end was stopped, or runs now; a session without a message never began. */
const outcomeOf = ({ lastOutcome, userMessages }: SessionMeta): string =>
  lastOutcome !== "none" ? lastOutcome : userMessages > 0 ? "unfinished" : "empty";

/** yyyy-mm-dd hh:mm, as the clock on the wall has it. */
const localMinute = (ms: number): string =>
  new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16).replace("T", " ");

async function show(
  { store }: State,
  { json }: Arguments,
  { output, id }: { readonly output: Output; readonly id: string },
): Promise<ExitCode> {
  for await (const event of store.read(id)) {
    if (output.closed()) break;
    if (json) output.out(`${jsonLine(event)}\n`);
    else output.show(eventLines(event).join(""));
  }
  // Reading ends where the damage begins: that is not the end of the session, and must not look like it.
  const { damage } = await store.check(id);
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
