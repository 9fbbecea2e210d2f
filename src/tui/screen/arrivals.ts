/**
 * What the terminal sends, on its way to the library, which takes a pause of 20 ms for the end of a sequence. On a slow line and
 * on a busy machine sequences are torn by longer ones: the rest of an answer would be typed, and a torn paste be sent. So what
 * has begun and can be nothing else waits here for its rest; everything else passes at once.
 */
import { type Clock, steadyNow, systemClock } from "../../shared/index.ts";

export interface Arrivals {
  push(bytes: Uint8Array): void;
  /** What waits will not be waited for. */
  drop(): void;
}

const ESCAPE = 0x1b;
const PASTE = Buffer.from("\x1b[200~");
const PASTE_END = Buffer.from("\x1b[201~");

/** Escape itself; what only Alt with a sign could be besides; what nobody types. */
const WAITS_MS = { escape: 30, opener: 300, sequence: 1000 } as const;

/** The beginning of a paste behind an Escape that was not waited for any more: nobody types it, and what follows must not be sent. */
const LATE_PASTE = PASTE.subarray(1);
const LATE_MS = 1000;

/** More is no answer of a terminal. */
const MOST_HELD = 64 * 1024;

/** A paste whose end was lost would take every key for ever: Ctrl+C ends it when nothing has come for so long. */
const LOST_END_MS = 500;
/** As each keyboard protocol writes it. */
const CTRL_C = new RegExp(`^(?:${"\x03"}|${"\x1b"}\\[99[:\\d]*;(?:5|69|133|197)(?::1)?u|${"\x1b"}\\[27;5;99~)$`);

/** Sequences whose end is missing: keys, mouse, and the strings that terminals answer with. */
const STRING = "[^\\x07\\x1b]*\\x1b?";
const UNFINISHED = new RegExp(
  `^\\x1b(?:O?|\\[(?:[<-?]?[\\d;:]*[ -/]*|M[^]{0,2})|\\](?:\\d{0,4}|(?:\\d{1,4};|[lLI])${STRING})|P(?:[\\d;]*|[\\d;]*[!$+>=|]${STRING})|_(?:G${STRING})?)$`,
);

export function createArrivals(forward: (bytes: Uint8Array) => void, clock: Clock = systemClock): Arrivals {
  let held: Buffer = Buffer.alloc(0);
  let cancel: (() => void) | undefined;
  /** Of a paste that is not over: what an end of it may have begun with. */
  let tail: Buffer | undefined;
  let last = Number.NEGATIVE_INFINITY;
  let escapedAt = Number.NEGATIVE_INFINITY;

  function hold(bytes: Buffer): void {
    held = bytes;
    cancel = clock.after(waitOf(bytes), () => {
      held = Buffer.alloc(0);
      if (bytes.length === 1) escapedAt = steadyNow(clock);
      forward(bytes);
    });
  }

  /** With what was held before them, and with an Escape that they belong to although it is gone. */
  function whole(arrived: Buffer): Buffer {
    if (held.length > 0) return Buffer.concat([held, arrived]);
    const isLate = arrived.indexOf(LATE_PASTE) === 0 && steadyNow(clock) - escapedAt < LATE_MS;
    return isLate ? Buffer.concat([PASTE, arrived.subarray(LATE_PASTE.length)]) : arrived;
  }

  function drop(): void {
    cancel?.();
    [held, tail, cancel] = [Buffer.alloc(0), undefined, undefined];
  }

  return {
    push(arrived) {
      const bytes = whole(Buffer.from(arrived));
      const isLate = steadyNow(clock) - last >= LOST_END_MS;
      last = steadyNow(clock);
      cancel?.();
      held = Buffer.alloc(0);
      if (tail && isLate && CTRL_C.test(bytes.toString("latin1"))) {
        tail = undefined;
        forward(PASTE_END);
        return;
      }
      tail = openPaste(tail ? Buffer.concat([tail, bytes]) : bytes, tail !== undefined);
      const begun = tail ? bytes.length : beginningOfUnfinished(bytes);
      if (begun > 0) forward(bytes.subarray(0, begun));
      if (begun < bytes.length) hold(bytes.subarray(begun));
    },
    drop,
  };
}

/** The last bytes when a paste goes on behind them, which is all that its end can have begun with. */
function openPaste(bytes: Buffer, wasOpen: boolean): Buffer | undefined {
  const [begun, ended] = [bytes.lastIndexOf(PASTE), bytes.lastIndexOf(PASTE_END)];
  const isOpen = begun > ended || (wasOpen && ended < 0);
  return isOpen ? Buffer.from(bytes.subarray(1 - PASTE_END.length)) : undefined;
}

/** The length of the bytes when nothing is unfinished. The last escape may be the first half of the end of a string. */
function beginningOfUnfinished(bytes: Buffer): number {
  const last = bytes.lastIndexOf(ESCAPE);
  if (last < 0) return bytes.length;
  const before = last > 0 ? bytes.lastIndexOf(ESCAPE, last - 1) : -1;
  let at = [before, last].find((from) => from >= 0 && isUnfinished(bytes.subarray(from)));
  if (at === undefined) return bytes.length;
  while (at > 0 && bytes[at - 1] === ESCAPE) at--;
  return at;
}

const isUnfinished = (bytes: Buffer): boolean => bytes.length <= MOST_HELD && UNFINISHED.test(bytes.toString("latin1"));

function waitOf({ length }: Buffer): number {
  if (length < 2) return WAITS_MS.escape;
  return length === 2 ? WAITS_MS.opener : WAITS_MS.sequence;
}

/** Puts it before everybody who listens to the stream; the returned function takes it away again. */
export function gatherArrivals(stdin: NodeJS.ReadStream): () => void {
  const emit = stdin.emit.bind(stdin);
  const arrivals = createArrivals((bytes) => void emit("data", bytes as Buffer)); // as the stream gives them
  const gathering = (event: string | symbol, ...details: unknown[]): boolean => {
    if (event !== "data") return Reflect.apply(emit, stdin, [event, ...details]);
    arrivals.push(Buffer.from(details[0] as Uint8Array)); // nobody has asked the stream for text
    return true;
  };
  stdin.emit = gathering as typeof stdin.emit; // of all its overloads
  return () => {
    arrivals.drop();
    stdin.emit = emit;
  };
}
