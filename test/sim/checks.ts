/**
 * What holds of a session after every step, whatever happened in it. The log is read from the disk as another process would read
 * it, line by line as it grows, and folded anew: the open session has to say the same.
 */
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import type { Engine } from "../../src/cli/engine.ts";
import { createFoldedState } from "../../src/session/folds.ts";
import { type Price, prefixBreaks, type SessionState } from "../../src/session/index.ts";
import { isSettled } from "../../src/session/pairing.ts";
import { type DurableEvent, decode, type LogEvent, type Message } from "../../src/shared/index.ts";
import { expectedMessages } from "../support/expected-conversation.ts";
import { EventRules, openAfterRecovery } from "./event-rules.ts";

/** What a log is judged by. */
export interface Judging {
  readonly price: Price;
  /** Stored parts of the prefix were lost. */
  readonly mayRenew: boolean;
}

/** Something happened that must never happen. */
export class Violation extends Error {}

export class LogWatch {
  readonly path: string;
  readonly events: LogEvent[] = [];
  /** Where each line ends, by seq. */
  readonly #ends = new Map<number, number>();
  readonly #folded;
  readonly #judging: Judging;
  readonly #rules = new EventRules();
  /** Of a fork, before its own first line. */
  stateAtFork: SessionState | undefined;
  #offset = 0;
  #breaks = prefixBreaks.initial();

  constructor(path: string, judging: Judging) {
    this.path = path;
    this.#judging = judging;
    this.#folded = createFoldedState(judging.price);
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
    const problem = this.#rules.problem(event, { before: this.state, mayRenew: this.#judging.mayRenew });
    if (problem !== undefined) throw new Violation(`at seq ${event.seq} ${problem}`);
    this.#offset += Buffer.byteLength(line) + 1;
    this.#ends.set(event.seq, this.#offset);
    this.events.push(event);
    if (isFork(event)) this.stateAtFork = this.state;
    this.#folded.apply(event);
    this.#breaks = prefixBreaks.apply(this.#breaks, event);
  }
}

const isFork = (event: LogEvent): boolean =>
  !("opaque" in event) && event.type === "session.resumed" && event.payload.fork !== undefined;

const CHUNK = Buffer.alloc(64 * 1024);

function tail(path: string, from: number): Buffer {
  const fd = openSync(path, "r");
  try {
    const parts: Buffer[] = [];
    for (let at = from; ; ) {
      const count = readSync(fd, CHUNK, 0, CHUNK.length, at);
      if (count === 0) return Buffer.concat(parts);
      parts.push(Buffer.from(CHUNK.subarray(0, count)));
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
    if (next.content.slice(0, results.length).some(({ type }) => type !== "tool_result"))
      throw wrong("is followed by something that stands before the results");
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

/** The conversation is what another reading of the same log says, one that knows nothing of the folds. */
export function mustReadAsExpected({ events, lastSeq, state }: LogWatch): void {
  const said = state.conversation.messages.map(({ role, content }) => ({
    role,
    blocks: content.map((block) => JSON.stringify(block)),
  }));
  const expected = expectedMessages(events, lastSeq + 1);
  const at = expected.findIndex((message, place) => !Bun.deepEquals(message, said[place]));
  if (at === -1 && said.length === expected.length) return;
  const place = at === -1 ? expected.length : at;
  const [wanted, found] = [expected[place], said[place]].map((message) => JSON.stringify(message));
  throw new Violation(`at seq ${lastSeq} message ${place} should be ${wanted}, and is ${found}`);
}

/** All that the user said to a process that ended in peace. */
export function mustHaveRecorded({ events }: LogWatch, said: readonly string[]): void {
  const texts = new Set(
    events.flatMap((event) =>
      !("opaque" in event) && (event.type === "user.message-created" || event.type === "user.steering-queued")
        ? [event.payload.text.split(" ", 2).join(" ")]
        : [],
    ),
  );
  const lost = said.find((words) => !texts.has(words));
  if (lost !== undefined) throw new Violation(`the user said "${lost}", and the log does not know it`);
}

/** What a process has made of the log that it found; of a fork, that nothing was open where it was cut. */
export function mustBeRecovered({ state, events, stateAtFork }: LogWatch, parentLines: number): void {
  const open = openAfterRecovery(state);
  if (open !== undefined) throw new Violation(`at seq ${events.length}, behind recovery, ${open} is open`);
  const cut = stateAtFork;
  if (cut && cut.lastSeq < parentLines && !isSettled(cut.turn))
    throw new Violation(`a fork is cut at seq ${cut.lastSeq} of ${parentLines}, where something is open`);
}

/** A turn that was stopped and that nothing works on any more has no open call. */
export function mustBeStopped({ turn, lastSeq }: SessionState): void {
  if (turn.phase === "interrupted" && turn.pending.length > 0)
    throw new Violation(`at seq ${lastSeq} the turn is stopped, and ${turn.pending.length} of its calls are open`);
}
