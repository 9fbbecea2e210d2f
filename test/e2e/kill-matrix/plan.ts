/**
 * Which points a matrix of so many kills consists of: every category has its share, and within one the places are spread evenly
 * over the whole task. How often each place comes is learnt from a run that nobody kills.
 */
import type { FrontName } from "./front.ts";
import type { Point, Trigger } from "./points.ts";

/** How often each place came in a whole run. */
export type Profile = Readonly<Record<FrontName, Readonly<Record<Trigger["kind"], Readonly<Record<string, number>>>>>>;

interface Share {
  readonly category: string;
  /** Of the kills, in proportion to the other shares. */
  readonly weight: number;
  readonly front?: FrontName;
  readonly kind: Trigger["kind"];
  /** Which labels; the share is spread over all of their occurrences together. */
  readonly labels: RegExp;
}

const wire = (label: string, nth: number): Trigger => ({ kind: "wire", label, nth, delayMs: 1 });
const line = (label: string, nth: number): Trigger => ({ kind: "line", label, nth });
const window = (label: string, nth: number): Trigger => ({ kind: "window", label, nth });

const SHARES: readonly Share[] = [
  {
    category: "session begins",
    weight: 6,
    kind: "window",
    labels: /^\w+-write:log:(session\.started|git\.baseline-recorded|user\.message-created)$/,
  },
  { category: "text streams", weight: 12, kind: "wire", labels: /^(text start|text_delta)$/ },
  {
    category: "thinking streams",
    weight: 12,
    kind: "wire",
    labels: /^((redacted_)?thinking start|thinking_delta|signature_delta)$/,
  },
  { category: "tool input streams", weight: 14, kind: "wire", labels: /^(tool_use start|input_json_delta)$/ },
  { category: "edges of an answer", weight: 14, kind: "wire", labels: /^(message_\w+|content_block_stop|ping)$/ },
  { category: "summary streams", weight: 8, kind: "wire", labels: /^summary / },
  { category: "summary on demand streams", weight: 8, kind: "wire", labels: /^summary-on-demand / },
  { category: "summary is recorded", weight: 6, kind: "window", labels: /^\w+-write:log:context\.compacted$/ },
  { category: "command runs", weight: 10, kind: "line", labels: /^tool\.output$/ },
  { category: "call has started", weight: 8, kind: "line", labels: /^tool\.started$/ },
  { category: "approval waits", weight: 14, kind: "line", labels: /^permission\.requested$/ },
  {
    category: "any other durable line",
    weight: 14,
    kind: "line",
    labels: /^(?!model\.(text|thinking|tool)-\w*delta|tool\.output|result$)/,
  },
  { category: "before a line", weight: 10, kind: "window", labels: /^before-write:log$/ },
  { category: "in the middle of a line", weight: 16, kind: "window", labels: /^torn-write:log$/ },
  { category: "line written, not printed", weight: 8, kind: "window", labels: /^after-write:log$/ },
  { category: "between write and sync", weight: 16, kind: "window", labels: /^before-sync:log$/ },
  { category: "just synced", weight: 6, kind: "window", labels: /^after-sync:log$/ },
  { category: "file changed, no event", weight: 15, kind: "window", labels: /^before-write:log:file\.modified$/ },
  { category: "file changed, torn event", weight: 4, kind: "window", labels: /^torn-write:log:file\.modified$/ },
  { category: "file is replaced", weight: 7, kind: "window", labels: /^(before|after)-rename:file$/ },
  { category: "before or after printing", weight: 6, kind: "window", labels: /^(before|after)-write:stdout$/ },
  { category: "blob is stored", weight: 6, kind: "window", labels: /^(before-write|before-rename|after-rename):blob$/ },
  { category: "print run, on the wire", weight: 5, front: "print", kind: "wire", labels: /^/ },
  { category: "print run, at a line", weight: 5, front: "print", kind: "line", labels: /^(?!model\.\S+delta|result$)/ },
  {
    category: "print run, at a call",
    weight: 6,
    front: "print",
    kind: "window",
    labels: /^(before|after)-(write|sync):log$|^after-rename:file$/,
  },
];

/** The first kill leaves much to recover: a command with a child, an unrecorded change, a torn line, a cut answer, a question. */
const LEFT_OPEN: readonly Trigger[] = [
  line("tool.output", 3),
  window("before-write:log:file.modified", 3),
  window("torn-write:log", 90),
  wire("input_json_delta", 40),
  line("permission.requested", 5),
  wire("summary text_delta", 4),
];

/** The second one meets the resume at its first calls. */
const RECOVERING: readonly Trigger[] = [
  window("before-write:log", 1),
  window("after-write:log", 1),
  window("torn-write:log", 2),
  window("before-write:log", 3),
  window("after-write:log", 3),
  window("torn-write:log", 4),
  window("before-sync:log", 1),
  window("after-sync:log", 1),
  line("session.resumed", 1),
];

const MOVING_A_TORN_LINE: readonly Trigger[] = [
  window("before-write:torn", 1),
  window("torn-write:torn", 1),
  window("before-sync:torn", 1),
  window("before-truncate:log", 1),
  window("after-truncate:log", 1),
];

/** A command that ignores SIGTERM goes on for a moment, and changes a file when the resume is under way. */
const OUTLIVING: readonly Point[] = (["stream", "print"] as const).map((front) => ({
  category: "command outlives the kill",
  front,
  triggers: [line("tool.output", 1)],
}));

/** The first two changes are an edit and a write; all that follow but the last edits are of commands. */
const EDITED = points("edited or written, no event", [
  [window("before-write:log:file.modified", 1)],
  [window("before-write:log:file.modified", 2)],
]);

const ALWAYS: readonly Point[] = [...OUTLIVING, ...EDITED];

/** All points for about so many kills; every category has one at least. Another seed gives other places of the same categories. */
export function planMatrix(profile: Profile, kills: number, seed: number): readonly Point[] {
  const random = randomFrom(seed);
  // They are two kills or more each; together about a fifth of all.
  const groups = recoveryGroups();
  const size = groups.flat().length;
  const recovery = groups.flatMap((group) =>
    spread(group, Math.max(1, Math.round((group.length * kills) / 10 / size)), random()),
  );
  const spent = [...ALWAYS, ...recovery].reduce((sum, { triggers }) => sum + triggers.length, 0);
  const total = SHARES.reduce((sum, { weight }) => sum + weight, 0);
  const direct = SHARES.flatMap((share) => {
    const count = Math.max(1, Math.round((share.weight * (kills - spent)) / total));
    return spread(placesOf(profile, share), count, random()).map((trigger): Point => {
      const delayed = trigger.kind === "wire" ? { ...trigger, delayMs: Math.floor(random() * 4) } : trigger;
      return { category: share.category, front: share.front ?? "stream", triggers: [delayed] };
    });
  });
  return [...direct, ...ALWAYS, ...recovery];
}

export const CATEGORIES: readonly string[] = [
  ...new Set([...SHARES, ...ALWAYS, ...recoveryGroups().flat()].map(({ category }) => category)),
];

function placesOf(profile: Profile, { front = "stream", kind, labels }: Share): readonly Trigger[] {
  return Object.entries(profile[front][kind]).flatMap(([label, count]) =>
    labels.test(label)
      ? Array.from({ length: count }, (_, at): Trigger => {
          const place = { label, nth: at + 1 };
          return kind === "wire" ? { kind, ...place, delayMs: 0 } : { kind, ...place };
        })
      : [],
  );
}

function recoveryGroups(): readonly (readonly Point[])[] {
  const twice = LEFT_OPEN.flatMap((first) => RECOVERING.map((second) => [first, second]));
  const torn = MOVING_A_TORN_LINE.map((second) => [window("torn-write:log", 60), second]);
  const often = [
    [
      line("tool.started", 5),
      line("session.resumed", 1),
      window("before-write:log:file.modified", 2),
      wire("text_delta", 1),
    ],
    [
      window("torn-write:log", 40),
      window("torn-write:log", 1),
      window("torn-write:log", 2),
      window("torn-write:log", 3),
    ],
    [
      line("tool.output", 2),
      window("before-write:log", 2),
      window("before-write:log", 3),
      window("before-write:log", 4),
    ],
  ];
  return [points("recovery is killed", twice), points("torn line is moved", torn), points("again and again", often)];
}

function points(category: string, all: readonly (readonly Trigger[])[]): readonly Point[] {
  return all.map((triggers) => ({ category, front: "stream", triggers }));
}

/** So many of them at even distances, beginning at a part of the first distance; all of them when they are fewer. */
function spread<T>(all: readonly T[], count: number, offset: number): readonly T[] {
  if (all.length <= count) return all;
  return Array.from({ length: count }, (_, at) => all[Math.floor(((at + offset) * all.length) / count)] as T);
}

/** Mulberry32: small, and the same everywhere. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
