/** `khaelor fsck`: judges logs without changing them. Exit code 0 only when every one is in order. */
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { type LogVerdict, type SessionStore, storePaths } from "../../session/index.ts";
import { EXIT, type ExitCode, errorCode, errorMessage, isUlid, StoreError, UserError } from "../../shared/index.ts";
import type { Arguments } from "../args.ts";
import { findSession } from "../find-session.ts";
import { type Checked, fsckText } from "../fsck-words.ts";
import { logChoice } from "../log-choice.ts";
import type { Output } from "../output.ts";
import { checkRequests } from "../request-check.ts";
import { placesOf } from "../settings.ts";
import { openStore } from "../state.ts";

/** One line of `--json`; its field names are a contract. */
interface Report {
  readonly session_id: string;
  readonly path: string;
  readonly verdict: LogVerdict["verdict"];
  readonly resumable: boolean;
  readonly events: number;
  readonly torn_bytes: number;
  readonly damage: readonly { readonly line: number; readonly byte: number; readonly reason: string }[];
  readonly unpaired: readonly string[];
  readonly hash_mismatches: readonly number[];
  /** Images of the conversation, by hash, that are no longer stored: a resume goes on without them. */
  readonly missing_images: readonly string[];
}

export async function fsck(typed: Arguments, output: Output): Promise<ExitCode> {
  const places = placesOf(typed, process.env);
  const { store } = openStore(places, logChoice(typed));
  if (typed.operands.length === 0 && !typed.all) {
    throw new UserError("Name what to check: khaelor fsck <session id | file.jsonl>, or --all.", EXIT.usage);
  }
  let allInOrder = true;
  const unreadable: Unreadable = (cause) => {
    if (!(cause instanceof StoreError) || (cause.kind === "not-found" && !typed.all)) throw cause;
    allInOrder = false;
    output.err(`khaelor: ${cause.message}\n`);
  };
  for (const target of typed.all ? everyLog(places.home, unreadable) : typed.operands) {
    try {
      const checked = await check(store, typed.all ? target : await logNamed(store, target));
      const report = reportOf(checked);
      if (!isInOrder(report)) allInOrder = false;
      if (typed.json) output.out(`${JSON.stringify(report)}\n`);
      else output.show(fsckText(checked));
    } catch (cause) {
      unreadable(cause); // one that cannot be read hides none of the others
    }
  }
  return allInOrder ? EXIT.done : EXIT.log;
}

/** Also those that a list of sessions leaves out; only an empty one, of a session that never began, says nothing. */
function everyLog(home: string, unreadable: Unreadable): readonly string[] {
  const { sessions } = storePaths(home);
  return within(sessions, unreadable)
    .flatMap((project) => within(project, unreadable))
    .filter((path) => path.endsWith(".jsonl") && isUlid(basename(path, ".jsonl")) && !isEmpty(path))
    .sort();
}

type Unreadable = (cause: unknown) => void;

function within(folder: string, unreadable: Unreadable): readonly string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch (cause) {
    const code = errorCode(cause);
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    unreadable(new StoreError("io", `could not read the folder ${folder}: ${errorMessage(cause)}`, { cause }));
    return [];
  }
}

function isEmpty(path: string): boolean {
  try {
    const stat = lstatSync(path);
    return stat.isFile() && stat.size === 0;
  } catch {
    return false; // the check itself says what is in the way
  }
}

async function check(store: SessionStore, log: string): Promise<Checked> {
  const verdict = await store.check(log);
  const requests = await checkRequests(store, verdict.path);
  const isSession = (await store.locate(verdict.sessionId)) === verdict.path;
  return { verdict, ...requests, isSession };
}

function reportOf({ verdict, mismatches, missingImages }: Checked): Report {
  const { sessionId, path, resumable, events, tornBytes, damage, unpaired } = verdict;
  return {
    session_id: sessionId,
    path,
    verdict: verdict.verdict,
    resumable,
    events,
    torn_bytes: tornBytes,
    damage: damage.map(({ line, byte, reason }) => ({ line, byte, reason })),
    unpaired,
    hash_mismatches: mismatches,
    missing_images: missingImages,
  };
}

/** A file, a session's id, or the beginning of one. */
async function logNamed(store: SessionStore, target: string): Promise<string> {
  if (existsSync(target)) return target;
  if (/^[0-7][0-9A-Z]{3,25}$/i.test(target)) return findSession(store, target, "");
  throw new UserError(
    `There is no file ${target}, and it is no session id. See khaelor sessions list --all.`,
    EXIT.usage,
  );
}

const isInOrder = ({ verdict, hash_mismatches, missing_images }: Report): boolean =>
  verdict === "ok" && hash_mismatches.length + missing_images.length === 0;
