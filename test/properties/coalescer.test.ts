/**
 * Deltas on their way to the screen, in any order and at any pace: at most one frame a window and none when idle, nothing
 * lost, cut only at the cap, and what a lane got always before the event that settles it. The property takes the
 * coalescer, so that broken ones can show that it would notice.
 */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { byteLength, type Clock, type DurableEvent, type KhaelorEvent } from "../../src/shared/index.ts";
import { type CoalescedFrame, type Coalescer, createCoalescer, omissionMarker } from "../../src/tui/index.ts";
import { type ManualClock, manualClock } from "../support/clock.ts";
import { KINDS, type Kind } from "../support/streams.ts";

const WINDOW_MS = 16;
const CAP_BYTES = 10;
type Make = (clock: Clock) => Coalescer;
const REAL: Make = (clock) => createCoalescer({ clock, windowMs: WINDOW_MS, capBytes: CAP_BYTES });

type Step =
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "delta" | "late delta"; readonly kind: Kind; readonly text: string }
  | { readonly do: "settle"; readonly kind: Kind }
  | { readonly do: "other" | "interrupt" };

const kind = fc.constantFrom(...(Object.keys(KINDS) as Kind[]));
const delta = { kind, text: fc.string({ unit: fc.constantFrom("a", "é", "👍", "\n"), maxLength: 6 }) };
const STEPS: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.nat({ max: 40 }) }) },
    { weight: 9, arbitrary: fc.record({ do: fc.constant("delta" as const), ...delta }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("late delta" as const), ...delta }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("settle" as const), kind }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("other" as const, "interrupt" as const) }) },
  ),
  { maxLength: 60 },
);

/** The longest part of whole characters within the cap, and a word on the rest. */
function capped(text: string): string {
  let kept = "";
  for (const character of text) {
    if (byteLength(kept + character) > CAP_BYTES) return kept + omissionMarker(byteLength(text) - byteLength(kept));
    kept += character;
  }
  return kept;
}

/** What a screen must have been told, kept beside the coalescer; `see` compares each frame with it. */
class Expectation {
  readonly #clock: ManualClock;
  readonly #inputs = new Map<string, string>();
  #deltas = new Map<string, { readonly kind: Kind; readonly key: string; readonly text: string }>();
  #durables: DurableEvent[] = [];
  #waitingSince: number | undefined;
  #lastFrameAt = Number.NEGATIVE_INFINITY;
  frames = 0;

  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  delta(of: Kind, id: string, text: string): void {
    const { key } = KINDS[of];
    const before = of === "input" ? this.#inputs.get(id) : this.#deltas.get(of + id)?.text;
    const whole = (before ?? "") + text;
    if (of === "input") this.#inputs.set(id, whole);
    this.#deltas.set(of + id, { kind: of, key: key(id), text: whole });
    this.#waitingSince ??= this.#clock.now();
  }
  durable(event: DurableEvent): void {
    this.#durables.push(event);
    this.#waitingSince ??= this.#clock.now();
  }
  has(of: Kind, id: string): boolean {
    return this.#deltas.has(of + id);
  }
  forgetInputs(): void {
    this.#inputs.clear();
  }

  see(frame: CoalescedFrame, forced: boolean): void {
    const now = this.#clock.now();
    const lanes = Object.entries(KINDS).map(([name, { field }]) => {
      const texts = [...this.#deltas.values()].filter((one) => one.kind === name);
      return [field, new Map(texts.map(({ key, text }) => [key, capped(text)]))] as const;
    });
    expect(frame).toEqual({
      toolCallsStarted: new Map(),
      ...Object.fromEntries(lanes),
      durables: this.#durables,
    } as unknown as CoalescedFrame);
    expect(this.#waitingSince).toBeDefined(); // no frame without news
    if (!forced) {
      expect(now - (this.#waitingSince ?? 0)).toBe(WINDOW_MS);
      expect(now - this.#lastFrameAt).toBeGreaterThanOrEqual(WINDOW_MS);
    }
    this.#deltas = new Map();
    this.#durables = [];
    this.#waitingSince = undefined;
    this.#lastFrameAt = now;
    this.frames++;
  }
  isTold(): boolean {
    return this.#waitingSince === undefined;
  }
  /** A timer runs exactly while something waits. */
  checkTimer(): void {
    expect(this.#clock.pending()).toBe(this.isTold() ? 0 : 1);
  }
}

/** A coalescer under way, watched by an expectation; `perform` does one step and checks what must follow at once. */
function stage(make: Make) {
  const clock = manualClock();
  const coalescer = make(clock);
  const expected = new Expectation(clock);
  /** A settled lane is followed by a new one of its kind, as a settled block is by the next block. */
  const generation = { text: 1, thinking: 1, input: 1, tool: 1, process: 1 };
  const idOf = (of: Kind, back = 0) => `${of}${generation[of] - back}`;
  let seq = 0;
  let pushing = false;
  coalescer.subscribe((frame) => expected.see(frame, pushing));

  /** Pushes one event, and returns how many frames that forced. Only the fields that name a lane are filled in. */
  function push(event: { readonly type: string; readonly payload: object }, durable = false): number {
    const before = expected.frames;
    const envelope = { id: "e", sessionId: "s", ts: clock.now(), ...(durable ? { v: 1, seq: ++seq } : {}) };
    const whole = { ...envelope, ...event } as KhaelorEvent;
    if (durable) expected.durable(whole as DurableEvent);
    pushing = true;
    coalescer.push(whole);
    pushing = false;
    return expected.frames - before;
  }
  function perform(step: Step): void {
    switch (step.do) {
      case "wait":
        clock.advance(step.ms);
        break;
      case "delta":
        expected.delta(step.kind, idOf(step.kind), step.text);
        expect(push(KINDS[step.kind].delta(idOf(step.kind), step.text))).toBe(0);
        break;
      case "late delta":
        if (generation[step.kind] === 1) break;
        expect(push(KINDS[step.kind].delta(idOf(step.kind, 1), step.text))).toBe(0);
        break;
      case "settle": {
        const news = expected.has(step.kind, idOf(step.kind)) ? 1 : 0;
        expect(push(KINDS[step.kind].settled(idOf(step.kind)), true)).toBe(news);
        generation[step.kind]++;
        break;
      }
      case "other":
        expect(push({ type: "file.read", payload: {} }, true)).toBe(0);
        break;
      case "interrupt":
        expect(push({ type: "user.interrupted", payload: {} }, true)).toBe(1);
        expected.forgetInputs();
    }
  }
  return { clock, expected, perform };
}

function play(make: Make, steps: readonly Step[]): void {
  const { clock, expected, perform } = stage(make);
  for (const step of steps) {
    perform(step);
    expected.checkTimer();
  }
  clock.advance(WINDOW_MS);
  expect([clock.pending(), expected.isTold()]).toEqual([0, true]);
}

const property = (make: Make) => fc.property(STEPS, (steps) => play(make, steps));

test("whatever streams and settles, each frame holds exactly what is new, in time", () => {
  fc.assert(property(REAL), { numRuns: 400, seed: 1 });
});

/** The real one with something done to what it takes or gives. */
const altered =
  (alter: {
    frame?: (frame: CoalescedFrame) => readonly CoalescedFrame[];
    clock?: (clock: Clock) => Clock;
    capBytes?: number;
  }): Make =>
  (clock) => {
    const windowed = {
      clock: alter.clock?.(clock) ?? clock,
      windowMs: WINDOW_MS,
      capBytes: alter.capBytes ?? CAP_BYTES,
    };
    const inner = createCoalescer(windowed);
    return {
      ...inner,
      subscribe: (onFrame) => inner.subscribe((frame) => (alter.frame?.(frame) ?? [frame]).forEach(onFrame)),
    };
  };
const NO_APPENDS = {
  textAppends: new Map(),
  thinkingAppends: new Map(),
  toolCallsStarted: new Map(),
  toolInputPreviews: new Map(),
  toolOutputAppends: new Map(),
  processOutputAppends: new Map(),
};
const slower =
  (factor: number) =>
  (clock: Clock): Clock => ({ ...clock, after: (ms, task) => clock.after(ms * factor, task) });
const isInterrupt = (event: KhaelorEvent) => event.type === "user.interrupted";

const MUTANTS: Readonly<Record<string, Make>> = {
  "settles before the deltas": altered({
    frame: (frame) => [
      { ...NO_APPENDS, durables: frame.durables },
      { ...frame, durables: [] },
    ],
  }),
  "drops the deltas at a settlement": altered({
    frame: (frame) => [frame.durables.length > 0 ? { ...frame, ...NO_APPENDS } : frame],
  }),
  "reverses the events": altered({ frame: (frame) => [{ ...frame, durables: frame.durables.toReversed() }] }),
  "delivers twice": altered({ frame: (frame) => [frame, frame] }),
  "paints too often": altered({ clock: slower(0.5) }),
  "paints too late": altered({ clock: slower(2) }),
  "has no cap": altered({ capBytes: 1e9 }),
  "counts characters instead of bytes": altered({ capBytes: CAP_BYTES * 2 }),
  "ticks when idle": (clock) => {
    const tick = (): unknown => clock.after(WINDOW_MS, tick);
    tick();
    return REAL(clock);
  },
  "never paints by itself": altered({ clock: (clock) => ({ ...clock, after: () => () => undefined }) }),
  "waits at an interrupt": (clock) => {
    const held = new Map<number, DurableEvent>();
    const inner = altered({
      frame: (frame) => [{ ...frame, durables: frame.durables.map((event) => held.get(event.seq) ?? event) }],
    })(clock);
    return {
      ...inner,
      push(event) {
        if (!isInterrupt(event)) return inner.push(event);
        held.set((event as DurableEvent).seq, event as DurableEvent);
        inner.push({ ...event, type: "task.failed", payload: { reason: "budget", detail: "" } });
      },
    };
  },
};

describe("the property catches a coalescer that", () => {
  test.each(Object.entries(MUTANTS))("%s", (_name, mutant) => {
    expect(fc.check(property(mutant), { numRuns: 400, seed: 2, endOnFailure: true }).failed).toBe(true);
  });
});
