/** What `fsck` says to a person: what is wrong and where, what can still be read, what a resume would do, and how to go on. */
import { isOnlyNewer, type LogVerdict } from "../session/index.ts";
import { counted, shellWord } from "./words.ts";

export interface Checked {
  readonly verdict: LogVerdict;
  /** The seqs of requests that cannot be rebuilt. */
  readonly mismatches: readonly number[];
  /** Hashes. */
  readonly missingImages: readonly string[];
  /** The system prompt or the tools that the session began with are no longer stored. */
  readonly isPrefixMissing: boolean;
  /** It lies among the sessions, so that its id names it. */
  readonly isSession: boolean;
}

/** Of one kind; a ruined log has no more to say behind them. */
const MAX_LINES = 10;

/** Whole lines. Foreign text is in them. */
export function fsckText(checked: Checked): string {
  const { verdict } = checked;
  const { path, events } = verdict;
  const state = verdict.verdict === "ok" && !verdict.resumable ? "sound, but of a newer version" : verdict.verdict;
  const found = [...wrong(verdict), ...onResume(checked)];
  const head = `${path}: ${state}, ${counted(events, "event")}${verdict.verdict === "ok" ? "" : " can be read"}`;
  return [head, ...found.map((line) => `  ${line}`), ...waysOn(checked).map((line) => `  ${line}`), ""].join("\n");
}

type Damaged = LogVerdict["damage"][number];

function wrong({ damage, torn, tornBytes }: LogVerdict): readonly string[] {
  const named = bounded(damage, "line").flatMap((one) => (typeof one === "string" ? [one] : damaged(one)));
  if (!torn) return named;
  const { line, byte } = torn;
  const end = `line ${line} (byte ${byte}): ${counted(tornBytes, "torn byte")} at the end, which were never accepted`;
  return [...named, end, ...seeming(torn)];
}

const damaged = (one: Damaged): readonly string[] => [
  `line ${one.line} (byte ${one.byte}): ${one.reason}`,
  ...seeming(one),
];

const seeming = ({ looksLike }: Pick<Damaged, "looksLike">): readonly string[] =>
  looksLike === undefined ? [] : [`  it looks like ${looksLike}`];

/** What a resume would find and do. */
function onResume({ verdict, mismatches, missingImages, isPrefixMissing }: Checked): readonly string[] {
  const { resumable, tornBytes, path, unpaired } = verdict;
  const aside =
    resumable && tornBytes > 0 ? [`a resume moves the torn bytes to ${path}.torn and goes on before them`] : [];
  return [
    ...aside,
    ...bounded(unpaired, "call").map((id, at) => (at < MAX_LINES ? `call ${id} ${without(id, verdict)}` : id)),
    ...bounded(mismatches, "request").map((seq) =>
      typeof seq === "number" ? `the request at event ${seq} cannot be rebuilt as it was sent` : seq,
    ),
    ...bounded(missingImages, "image").map((hash, at) =>
      at < MAX_LINES ? `image ${hash} is no longer stored; a resume goes on without it` : hash,
    ),
    ...(isPrefixMissing ? ["its system prompt or tools are no longer stored; a resume goes on with new ones"] : []),
  ];
}

/** A result, and what becomes of it. */
function without(id: string, { resumable, leftOpen }: LogVerdict): string {
  if (!resumable) return "has no result";
  const open = leftOpen.find(({ toolUseId }) => toolUseId === id);
  if (!open) return "has no result; a resume closes it, and runs nothing again";
  return open.isWaiting
    ? "waits for your consent; a resume asks again"
    : "stands behind one that waits for your consent; a resume comes to it then";
}

function waysOn({ verdict, isSession }: Checked): readonly string[] {
  const { damage, path, sessionId, safeSeq, events } = verdict;
  if (damage.length === 0) return [];
  if (events === 0 && damage.length === 1 && damage[0]?.line === 1 && verdict.soundSeq === undefined && isSession) {
    return [`nothing can be gone on with; nothing was changed. To remove it: khaelor sessions delete ${sessionId}`];
  }
  const look = isSession ? `khaelor sessions show ${sessionId}` : `khaelor log ${shellWord(path)}`;
  const read = events === 0 ? [] : ["to read all that can be read, also behind it:", `  ${look}`];
  return [
    "nothing was changed, and it is not resumed as it stands",
    ...(isOnlyNewer(damage) ? ["to go on with all of it: update khaelor, then resume"] : []),
    ...read,
    ...fork(safeSeq, { sessionId, isSession }),
  ];
}

function fork(
  seq: number | undefined,
  { sessionId, isSession }: { readonly sessionId: string; readonly isSession: boolean },
): readonly string[] {
  if (seq === undefined) return ["no event before it can be gone on from"];
  if (!isSession)
    return [`the last safe point is event ${seq}; a fork needs the log among the sessions, under its own id`];
  return [
    `to go on in a copy that ends at the last safe point before it, event ${seq}:`,
    `  khaelor --fork ${sessionId}@${seq}`,
  ];
}

function bounded<T>(all: readonly T[], one: string): readonly (T | string)[] {
  const more = all.length - MAX_LINES;
  return more > 0 ? [...all.slice(0, MAX_LINES), `and ${counted(more, `more ${one}`)}`] : all;
}
