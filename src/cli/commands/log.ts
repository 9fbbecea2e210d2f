/** `khaelor log`: the events of a session as they stand in its log, also while another process writes it. */
import type { LogLine } from "../../session/index.ts";
import { CATALOG, EXIT, type ExitCode, nearest, UserError } from "../../shared/index.ts";
import type { Arguments } from "../args.ts";
import { eventLine } from "../event-line.ts";
import { logNamed, openHere } from "../here.ts";
import type { Output } from "../output.ts";
import { stopSignal } from "../stop-signal.ts";

export async function log(typed: Arguments, output: Output): Promise<ExitCode> {
  const [target = "", ...more] = typed.operands;
  if (more.length > 0) throw new UserError("One session at a time: khaelor log [ID].", EXIT.usage);
  const isWanted = typeFilter(typed.type);
  const { store, project } = await openHere(typed);
  const named = await logNamed(store, target, project);
  if (!typed.follow) return printed(store.lines(named), { typed, output, isWanted });
  const stop = stopSignal();
  try {
    const code = await printed(store.lines(named, { follow: stop.signal }), { typed, output, isWanted });
    return stop.exitCode() ?? code;
  } finally {
    stop.release();
  }
}

interface Printing {
  readonly typed: Pick<Arguments, "json">;
  readonly output: Output;
  readonly isWanted: (type: string) => boolean;
}

async function printed(lines: AsyncIterable<LogLine>, { typed, output, isWanted }: Printing): Promise<ExitCode> {
  let isDamaged = false;
  for await (const line of lines) {
    if (output.closed()) break;
    if ("problem" in line) isDamaged = told(line, output) || isDamaged;
    else if (!isWanted(line.event.type)) continue;
    else if (typed.json) output.out(`${line.text}\n`);
    else output.show(eventLine(line.event));
  }
  return isDamaged ? EXIT.log : EXIT.done;
}

/** Whether it is damage: a torn end is none, for its writer may be at it still, and a resume moves it aside. */
function told(line: Extract<LogLine, { problem: string }>, output: Output): boolean {
  const where = line.torn ? "" : `line ${line.number} (byte ${line.byte}) cannot be read: `;
  output.err(`khaelor: ${where}${line.problem}\n`);
  return !line.torn;
}

/** Any of the patterns; all types without one. A star stands for any text. Throws UserError for a slip in a name. */
function typeFilter(patterns: readonly string[]): (type: string) => boolean {
  if (patterns.length === 0) return () => true;
  const known = CATALOG.filter(({ durable }) => durable).map(({ type }) => type as string);
  const expressions = patterns.map((pattern) => {
    const parts = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
    const expression = new RegExp(`^${parts.join(".*")}$`, "s");
    const meant = known.some((type) => expression.test(type)) ? undefined : nearest(pattern, known);
    if (meant) throw new UserError(`No event has the type "${pattern}"; did you mean ${meant}?`, EXIT.usage);
    return expression;
  });
  return (type) => expressions.some((expression) => expression.test(type));
}
