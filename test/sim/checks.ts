/**
 * What holds of a session after every step, whatever happened in it. The log is read from the disk as another process would read
 * it, line by line as it grows, and folded anew: the open session has to say the same.
 */
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import type { Engine } from "../../src/cli/engine.ts";
import { createFoldedState } from "../../src/session/folds.ts";
import { type Price, prefixBreaks, type SessionState } from "../../src/session/index.ts";
import { type DurableEvent, decode, type LogEvent, type Message } from "../../src/shared/index.ts";

/** Something happened that must never happen. */
export class Violation extends Error {}

export class LogWatch {
  readonly path: string;
  readonly events: LogEvent[] = [];
  /** Where each line ends, by seq. */
  readonly #ends = new Map<number, number>();
  readonly #folded;
  #offset = 0;
  #breaks = prefixBreaks.initial();

  constructor(path: string, price: Price) {
    this.path = path;
    this.#folded = createFoldedState(price);
  }

  get state(): SessionState {
    return this.#folded.read();
  }

  get lastSeq(): number {
    return this.events.length;
  }

  get lastRequest(): DurableEvent<"model.request-started"> | undefined {
    return this.events.findLast(
      (event): event is DurableEvent<"model.request-started"> => event.type === "model.request-started",
    );
  }

  /** Seq of the newest break of the shared prefix; 0 when there is none. */
  get lastBreak(): number {
    return this.#breaks.latest?.seq ?? 0;
  }

  /** Bytes up to the end of this line, its newline included. */
  endOf(seq: number): number {
    return this.#ends.get(seq) ?? Number.POSITIVE_INFINITY;
  }

  /** Of whole lines, how many lie within so many bytes. */
  seqWithin(bytes: number): number {
    return this.events.findLastIndex(({ seq }) => this.endOf(seq) <= bytes) + 1;
  }

  /** Reads what was added; returns how many lines that is. Throws a Violation for a line that no log may hold. */
  read(): number {
    const added = tail(this.path, this.#offset);
    const whole = added.subarray(0, added.lastIndexOf(0x0a) + 1);
    if (whole.length === 0) return 0;
    const lines = whole.toString("utf8").trimEnd().split("\n");
    for (const line of lines) this.#take(line);
    return lines.length;
  }

  #take(line: string): void {
    const decoded = decode(line);
    if (!decoded.ok) throw new Violation(`line ${this.lastSeq + 1} cannot be read: ${decoded.error.message}`);
    const event = decoded.value;
    const before = this.events.at(-1);
    if (event.seq !== this.lastSeq + 1) throw new Violation(`seq ${event.seq} behind ${this.lastSeq}`);
    if (before && event.id <= before.id) throw new Violation(`the ids are out of order at seq ${event.seq}`);
    this.#offset += Buffer.byteLength(line) + 1;
    this.#ends.set(event.seq, this.#offset);
    this.events.push(event);
    this.#folded.apply(event);
    this.#breaks = prefixBreaks.apply(this.#breaks, event);
  }
}

function tail(path: string, from: number): Buffer {
  const fd = openSync(path, "r");
  try {
    const parts: Buffer[] = [];
    for (let at = from; ; ) {
      const part = Buffer.alloc(64 * 1024);
      const count = readSync(fd, part, 0, part.length, at);
      if (count === 0) return Buffer.concat(parts);
      parts.push(part.subarray(0, count));
      at += count;
    }
  } finally {
    closeSync(fd);
  }
}

/** The open session says what a replay of its log says. */
export function mustEqualReplay(watch: LogWatch, { session }: Pick<Engine, "session">): void {
  const [live, replayed] = [session.state(), watch.state];
  if (live.lastSeq !== replayed.lastSeq) {
    throw new Violation(`the session is at seq ${live.lastSeq}, its log at ${replayed.lastSeq}`);
  }
  for (const part of Object.keys(replayed) as (keyof SessionState)[]) {
    if (Bun.deepEquals(live[part], replayed[part], true)) continue;
    throw new Violation(`at seq ${live.lastSeq} a replay sees another ${part} than the open session`);
  }
}

/** Roles alternate, from the user on; the results of a message's calls are the beginning of the next one, in their order. */
export function mustBeSendable({ conversation: { messages }, lastSeq }: SessionState): void {
  for (const [at, { role, content }] of messages.entries()) {
    const next = messages[at + 1];
    const wrong = (what: string) => new Violation(`at seq ${lastSeq} message ${at} ${what}`);
    if (at === 0 && role !== "user" && content[0]?.type !== "compaction")
      throw wrong("is the first, and the assistant's");
    if (content.length === 0) throw wrong("is empty");
    if (!next) continue;
    if (next.role === role) throw wrong("and the next one have the same role");
    const calls = content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
    const results = resultsOf(next);
    if (calls.join() !== results.join()) throw wrong(`calls [${calls}], answered are [${results}]`);
  }
}

const resultsOf = ({ content }: Message): readonly string[] =>
  content.flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : []));

/** What somebody was shown as recorded is in the log, in the same place. */
export function mustHold(watch: LogWatch, seen: readonly SeenEvent[], upTo = Number.POSITIVE_INFINITY): void {
  for (const { seq, id } of seen) {
    if (seq <= upTo && watch.events[seq - 1]?.id !== id)
      throw new Violation(`the event at seq ${seq} was shown, and is lost`);
  }
}

export interface SeenEvent {
  readonly seq: number;
  readonly id: string;
}

/** Every byte that was there is still there. */
export function mustKeepBytes(path: string, before: Buffer): void {
  if (!readFileSync(path).subarray(0, before.length).equals(before))
    throw new Violation(`bytes of ${path} have changed`);
}
