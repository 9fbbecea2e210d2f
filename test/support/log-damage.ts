/**
 * Every way in which a log may come to harm, at every line of it, each with what has to be said of it: which line is wrong, or
 * where the torn end begins. The expectations follow from what was done to the bytes, and from nothing that the product does.
 */
import { MAX_LINE_BYTES } from "../../src/shared/index.ts";
import {
  answered,
  asked,
  begun,
  call,
  done,
  ended,
  given,
  resumed,
  said,
  started,
  text,
} from "../session/log-words.ts";

export const PARENT = "01J8ZQ0000SESS0000000000PP";
const STRANGER = "01J8ZQ0000SESS0000000000QQ";

const before = [begun, said("word2"), ...answered("r1", "word4"), said("word6")];
const fork = resumed({ replayedSeq: before.length, fork: { sessionId: PARENT, seq: before.length, kind: "fork" } });
const behind = [
  ...[said("word8"), asked("r2"), text("r2", 0, "word10"), call("r2", 1, "t1", { file_path: "word11" })],
  ...[ended("r2", "tool_use"), started("t1"), done("t1", "word14"), ...answered("r3", "word16"), said("word18")],
  ...answered("r4", "word20"),
];

/** A fork's log, so that there is a place at which the owner of its lines changes. Each line without its newline. */
export const LOG: readonly string[] = given(before, fork, behind).map((event) =>
  JSON.stringify(event.seq <= before.length ? { ...event, sessionId: PARENT } : event),
);

/** At which nothing is open: a log may be cut behind these. From the list above, by hand. */
export const SAFE: readonly number[] = [1, 2, 5, 6, 7, 8, 14, 17, 18, 21];

export interface Harm {
  readonly kind: string;
  /** Done to this line, from 1. */
  readonly at: number;
  readonly bytes: Buffer<ArrayBuffer>;
  readonly expected: Expected;
  /** Numbers of the events whose bytes are as they were. */
  readonly intact: readonly number[];
}

export interface Expected {
  readonly verdict: "ok" | "torn" | "damaged";
  /** The lines that are wrong. */
  readonly lines: readonly number[];
  /** The torn end begins with this line. */
  readonly tornLine?: number;
  /** Wrong, but only for this version. */
  readonly isNewer?: true;
  /** No line of the fork's own is left: the file is not what it is called. */
  readonly isMisnamed?: true;
}

type Doing = (at: number) => Omit<Harm, "kind" | "at"> | undefined;

const COUNT = LOG.length;
const all = Array.from({ length: COUNT }, (_, index) => index + 1);
const without = (...seqs: readonly number[]): readonly number[] => all.filter((seq) => !seqs.includes(seq));
const from = (seq: number): readonly number[] => all.filter((one) => one >= seq);

/** Whole lines, each with its newline. */
const whole = (lines: readonly (string | Uint8Array)[]): Buffer<ArrayBuffer> =>
  Buffer.concat(lines.flatMap((line) => [Buffer.from(line as string), Buffer.from("\n")]));
const raw = (at: number): Buffer<ArrayBuffer> => Buffer.from(LOG[at - 1] ?? "");

/** That line is no event: torn when nothing follows it, else damage. */
const unreadable = (line: number, isLast: boolean): Expected =>
  isLast ? { verdict: "torn", lines: [], tornLine: line } : { verdict: "damaged", lines: [line] };

/** Everything from this line on is gone but for a torn rest. */
const endsAt = (line: number): Expected => {
  const torn = unreadable(line, true);
  const isMisnamed = line > 1 && line <= before.length + 1;
  return isMisnamed ? { ...torn, verdict: "damaged", lines: [1], isMisnamed: true } : torn;
};

/** Another line in the place of one. */
const replaced = (at: number, line: string | Uint8Array): Omit<Harm, "kind" | "at"> => ({
  bytes: whole(LOG.with(at - 1, line as string)),
  expected: unreadable(at, at === COUNT),
  intact: without(at),
});
/** One more line, before that one or at the end. */
const inserted = (at: number, line: string | Uint8Array, expected: Expected): Omit<Harm, "kind" | "at"> => ({
  bytes: whole(LOG.toSpliced(at - 1, 0, line as string)),
  expected,
  intact: all,
});

/** The bytes from one place up to another are changed; places are offsets into the whole file. */
function cutOut(start: number, end: number, at: number, until: number): Omit<Harm, "kind" | "at"> {
  const bytes = whole(LOG);
  const rest = Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
  const isLast = until >= COUNT;
  return { bytes: rest, expected: unreadable(at, isLast), intact: without(...from(at).filter((seq) => seq <= until)) };
}
const startOf = (at: number): number => whole(LOG.slice(0, at - 1)).length;
const middleOf = (at: number): number => startOf(at) + (raw(at).length >> 1);

function changed(at: number, change: (bytes: Buffer) => void): Omit<Harm, "kind" | "at"> {
  const bytes = raw(at);
  change(bytes);
  return replaced(at, bytes);
}

/** Undefined where a kind cannot be done to a line. */
export const HARMS: Readonly<Record<string, Doing>> = {
  "a bit flipped in a name": (at) => changed(at, (bytes) => bytes.writeUInt8((bytes[2] ?? 0) ^ 1, 2)),
  "a bit flipped that makes it no text": (at) =>
    changed(at, (bytes) => bytes.writeUInt8((bytes.at(-3) ?? 0) | 0x80, bytes.length - 3)),
  "its first byte cut out": (at) => replaced(at, raw(at).subarray(1)),
  "its newline cut out": (at) => {
    const end = startOf(at + 1);
    const cut = cutOut(end - 1, end, at, at + 1);
    return at === COUNT ? { ...cut, intact: without(at) } : cut;
  },
  removed: (at) => ({
    bytes: whole(LOG.toSpliced(at - 1, 1)),
    expected: at === COUNT ? { verdict: "ok", lines: [] } : { verdict: "damaged", lines: [at] },
    intact: without(at),
  }),
  doubled: (at) => inserted(at, LOG[at - 1] ?? "", { verdict: "damaged", lines: [at + 1] }),
  "swapped with the next": (at) => ({
    bytes: whole(LOG.toSpliced(at - 1, 2, LOG[at] ?? "", LOG[at - 1] ?? "")),
    expected: { verdict: "damaged", lines: [at] },
    intact: all,
    ...(at === COUNT && { expected: { verdict: "ok", lines: [] }, bytes: whole(LOG) }),
  }),
  "a line of garbage before it": (at) => inserted(at, "-- garbage --", { verdict: "damaged", lines: [at] }),
  "a blank line before it": (at) => inserted(at, "", { verdict: "damaged", lines: [at] }),
  "a blank line behind it": (at) => inserted(at + 1, "", unreadable(at + 1, at === COUNT)),
  "invalid UTF-8 in its text": (at) =>
    changed(at, (bytes) => bytes.fill(0xff, bytes.length >> 1, (bytes.length >> 1) + 4)),
  "zeros in its place": (at) => changed(at, (bytes) => bytes.fill(0)),
  "zeros from it to the end, as after a power cut": (at) => {
    const bytes = whole(LOG);
    return { bytes: bytes.fill(0, startOf(at)), expected: endsAt(at), intact: without(...from(at)) };
  },
  "zeros behind it to the end of a page": (at) => {
    const bytes = Buffer.concat([whole(LOG.slice(0, at)), Buffer.alloc(512)]);
    return { bytes, expected: endsAt(at + 1), intact: without(...from(at + 1)) };
  },
  "CRLF at its end": (at) => ({
    ...replaced(at, `${LOG[at - 1]}\r`),
    expected: { verdict: "ok", lines: [] },
    intact: all,
  }),
  "half of it, with a newline": (at) => replaced(at, raw(at).subarray(0, raw(at).length >> 1)),
  "a stranger's line before it": (at) => {
    const line = (LOG[at - 1] ?? "").replaceAll(/"sessionId":"[^"]*"/g, `"sessionId":"${STRANGER}"`);
    // The first line may be anybody's, for a fork begins with its parent's: those behind it are out of place then, up to the own ones.
    const lines = at === 1 ? before.map((_, index) => index + 2) : [at];
    return inserted(at, line, { verdict: "damaged", lines });
  },
  "longer than a line may be": (at) =>
    [1, 12, COUNT].includes(at) ? replaced(at, Buffer.alloc(MAX_LINE_BYTES + 1, "x")) : undefined,
  "of a newer version": (at) => ({
    ...replaced(at, (LOG[at - 1] ?? "").replace('{"v":1,', '{"v":9,')),
    expected: { verdict: "ok", lines: [at], isNewer: true },
  }),
  "of a newer version, and critical": (at) => ({
    ...replaced(
      at,
      `${(LOG[at - 1] ?? "").replace(/"type":"[^"]*"/, '"type":"weather.changed"').slice(0, -1)},"critical":true}`,
    ),
    expected: { verdict: "ok", lines: [at], isNewer: true },
  }),
  "a payload of another shape": (at) => ({
    ...replaced(at, (LOG[at - 1] ?? "").replace(/"payload":.*/, '"payload":{"title":7}}')),
    expected: { verdict: "damaged", lines: [at] },
  }),
  "cut from its middle to the middle of the next": (at) =>
    at < COUNT ? cutOut(middleOf(at), middleOf(at + 1), at, at + 1) : undefined,
  "cut from its middle over three lines": (at) =>
    at + 3 <= COUNT ? cutOut(middleOf(at), middleOf(at + 3), at, at + 3) : undefined,
  "cut off behind its middle": (at) => ({
    ...cutOut(middleOf(at), whole(LOG).length, at, COUNT),
    expected: endsAt(at),
  }),
  "a BOM before it": (at) => replaced(at, Buffer.concat([Buffer.from("\ufeff"), raw(at)])),
};

export const harmsOf = (kind: string): readonly Harm[] =>
  all.flatMap((at) => {
    const done = HARMS[kind]?.(at);
    return done ? [{ kind, at, ...done }] : [];
  });
