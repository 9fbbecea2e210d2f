/** What a headless run is asked: the words typed, and what is piped in. */
import { fstatSync } from "node:fs";
import { byteLength, EXIT, MAX_LINE_BYTES, UserError } from "../shared/index.ts";

const MAX_PROMPT_BYTES = 8 * 1024 * 1024;
/** As it stands in its line of the log, where control characters take six bytes each; the rest is for what goes with it. */
export const MAX_RECORDED_BYTES = MAX_LINE_BYTES - 1024 * 1024;
/** How long a pipe that need not hold anything may stay silent before the run goes on without it. */
const FIRST_BYTE_MS = 3_000;
/** More than a timer can wait. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

export interface PromptReading {
  readonly isNeeded: boolean;
  /** What `--timeout` leaves to the whole run. */
  readonly mostSeconds?: number | undefined;
  readonly warn: (text: string) => void;
}

/**
 * Undefined when neither words nor input are there. Words come first, the input after a blank line. A run that can do without
 * a prompt (`isNeeded: false`) does not wait for a silent pipe either. Throws UserError for what is too large or takes too long.
 */
export async function promptInput(
  operands: readonly string[],
  { isNeeded, mostSeconds, warn }: PromptReading,
): Promise<string | undefined> {
  const typed = operands.join(" ").trim();
  const piped = isPiped() ? (await inTime(readStdin(typed !== "" || !isNeeded, warn), mostSeconds)).trim() : "";
  const prompt = [typed, piped].filter((part) => part !== "").join("\n\n");
  if (byteLength(JSON.stringify(prompt)) > MAX_RECORDED_BYTES) throw tooLarge();
  return prompt === "" ? undefined : prompt;
}

const tooLarge = (): UserError =>
  new UserError(
    "The input is larger than 8 MiB, or becomes so when it is recorded; put it into a file and name the file.",
    EXIT.usage,
  );

/** A pipe that stays open would otherwise outlast every limit, for the run has yet to begin. */
function inTime(reading: Promise<string>, mostSeconds: number | undefined): Promise<string> {
  if (mostSeconds === undefined) return reading;
  const { promise, reject } = Promise.withResolvers<never>();
  const late = () => reject(new UserError(outOfTime(mostSeconds), EXIT.limit));
  const timer = setTimeout(late, Math.min(mostSeconds * 1000, LONGEST_WAIT_MS));
  return Promise.race([reading, promise]).finally(() => clearTimeout(timer));
}

const outOfTime = (seconds: number): string =>
  `The time limit of ${seconds} s was reached while standard input was still open: end it, or give </dev/null.`;

/** A pipe, a socket or a file. A terminal and /dev/null hold no input for a program without a screen. */
function isPiped(): boolean {
  try {
    const stat = fstatSync(0);
    return stat.isFIFO() || stat.isFile() || stat.isSocket();
  } catch {
    return false; // closed
  }
}

async function readStdin(optional: boolean, warn: (text: string) => void): Promise<string> {
  const input = Bun.stdin.stream()[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let pending = firstChunk(input, optional); ; pending = input.next()) {
    const next = await pending;
    if (next === "silent") {
      warn("nothing came on standard input for 3 s; going on without it (</dev/null avoids the wait)");
      break;
    }
    if (next.done) break;
    size += next.value.length;
    if (size > MAX_PROMPT_BYTES) throw tooLarge();
    chunks.push(next.value);
  }
  return Buffer.concat(chunks).toString("utf8");
}

type Input = AsyncIterator<Uint8Array>;

function firstChunk(input: Input, optional: boolean): Promise<IteratorResult<Uint8Array> | "silent"> {
  if (!optional) return input.next();
  const { promise, resolve } = Promise.withResolvers<"silent">();
  const timer = setTimeout(() => resolve("silent"), FIRST_BYTE_MS);
  return Promise.race([input.next(), promise]).finally(() => clearTimeout(timer));
}
