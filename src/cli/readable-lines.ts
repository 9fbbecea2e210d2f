/**
 * A log as a person reads it: every event that can be read, in the order in which it stands, also behind damage, and in its place
 * what is wrong.
 */
import type { LogLine, LogProblem, SessionStore } from "../session/index.ts";
import type { LogEvent } from "../shared/index.ts";

/** `number` of the line. */
export type Readable =
  | { readonly number: number; readonly event: LogEvent }
  | { readonly number: number; readonly problem: LogProblem };

/**
 * Without a lock; one line at a time, however long the log is. What stands in a wrong place is shown behind the word that it does,
 * unless it stands elsewhere too: then the log is read twice more, so that nothing has to be remembered of a sound one.
 */
export async function* readableLines(store: Lines, idOrPath: string): AsyncGenerator<Readable> {
  let places: ReadonlyMap<string, number> | undefined;
  for await (const line of store.lines(idOrPath)) {
    const { number } = line;
    if ("problem" in line) yield { number, problem: line };
    const event = eventOf(line);
    if (!event) continue;
    if ("problem" in line) places ??= await firstPlaces(store, idOrPath);
    if ((places?.get(nameOf(event)) ?? number) === number) yield { number, event };
  }
}

/** Whether there is an event in it that can be read. Throws StoreError when it cannot be opened. */
export async function holdsAnything(store: Lines, id: string): Promise<boolean> {
  for await (const line of store.lines(id)) if (eventOf(line)) return true;
  return false;
}

/** By both, for a log that other programs wrote may use one id again. */
const nameOf = ({ seq, id }: LogEvent): string => `${seq} ${id}`;

type Lines = Pick<SessionStore, "lines">;

const eventOf = (line: LogLine): LogEvent | undefined => ("problem" in line ? line.misplaced : line.event);

/** A log with more lines in a wrong place is a ruin; what stands twice of the others is shown twice. */
const MAX_MISPLACED = 10_000;

/** The line in which an event stands first, of those that stand in a wrong place somewhere. */
async function firstPlaces(store: Lines, idOrPath: string): Promise<ReadonlyMap<string, number>> {
  const misplaced = new Set<string>();
  for await (const line of store.lines(idOrPath)) {
    if (misplaced.size === MAX_MISPLACED) break;
    if ("problem" in line && line.misplaced) misplaced.add(nameOf(line.misplaced));
  }
  const places = new Map<string, number>();
  for await (const line of store.lines(idOrPath)) {
    const event = eventOf(line);
    const name = event && nameOf(event);
    if (name !== undefined && misplaced.has(name) && !places.has(name)) places.set(name, line.number);
  }
  return places;
}

/** What stands in the place of a line that cannot be read, in a word or two. */
export function leadWords({ torn, newer }: LogProblem): string {
  if (torn) return "The end";
  return newer ? "Left out here" : "Damaged here";
}

/** What is wrong, and what was lost by it. The words are foreign. */
export function problemWords({ number, byte, problem, torn, newer, looksLike, misplaced }: LogProblem): string {
  const where = `line ${number} (byte ${byte}) of the log`;
  if (torn) return `${where} is torn: ${problem}, and was never accepted.${seeming(looksLike)}`;
  if (newer) return `${where} can only be read by a newer version of khaelor.${seeming(looksLike)}`;
  const state = misplaced ? "stands where it cannot" : "cannot be read";
  return `${where} ${state}: ${problem}.${misplaced ? ` It holds ${looksLike}.` : seeming(looksLike)}`;
}

const seeming = (looksLike: string | undefined): string =>
  looksLike === undefined ? " What it held is unknown." : ` It seems to have been ${looksLike}.`;
