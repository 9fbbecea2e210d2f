/**
 * A log as a person reads it: every event that can be read, in the order in which it stands, also behind damage, and in its place
 * what is wrong.
 */
import type { LogProblem, SessionStore } from "../session/index.ts";
import type { LogEvent } from "../shared/index.ts";

/** `number` of the line. */
export type Readable =
  | { readonly number: number; readonly event: LogEvent }
  | { readonly number: number; readonly problem: LogProblem };

/** Without a lock; one line at a time. What stands in a wrong place is shown behind the word that it does, unless it stands elsewhere too. */
export async function* readableLines(store: Pick<SessionStore, "lines">, idOrPath: string): AsyncGenerator<Readable> {
  const shown = new Set<string>();
  for await (const line of store.lines(idOrPath)) {
    const { number } = line;
    if ("problem" in line) yield { number, problem: line };
    const event = "problem" in line ? line.misplaced : line.event;
    if (!event) continue;
    // By both, for a log that other programs wrote may use one id again.
    const name = `${event.seq} ${event.id}`;
    if (shown.has(name)) continue;
    shown.add(name);
    yield { number, event };
  }
}

/** Two lines, of which the second says what was lost. The words are foreign. */
export function problemWords({ number, byte, problem, torn, newer, looksLike, misplaced }: LogProblem): string {
  const where = `line ${number} (byte ${byte}) of the log`;
  if (torn) return `${where} is torn: ${problem}, so they were never accepted.${seeming(looksLike)}`;
  if (newer) return `${where} can only be read by a newer version of khaelor.${seeming(looksLike)}`;
  const state = misplaced ? "stands where it cannot" : "cannot be read";
  return `${where} ${state}: ${problem}.${misplaced ? ` It holds ${looksLike}.` : seeming(looksLike)}`;
}

const seeming = (looksLike: string | undefined): string =>
  looksLike === undefined ? " What it held is unknown." : ` It seems to have been ${looksLike}.`;
