/**
 * What is shown live is what a replay shows, however the events were gathered into frames; and a reader that looks only where
 * it is told that something changed has the whole of it.
 */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { openPermissions } from "../../src/session/projections/consent.ts";
import type { DurableEvent, DurableInput, EphemeralInput, KhaelorEvent, LogEvent } from "../../src/shared/index.ts";
import { createCoalescer } from "../../src/tui/index.ts";
import type { Item } from "../../src/tui/model/items.ts";
import { createViewModel, type ViewModel } from "../../src/tui/model/view-model.ts";
import { asked, call, done, ended, given, said, started, text } from "../session/log-words.ts";
import { manualClock } from "../support/clock.ts";
import { anyLog } from "../support/generators.ts";
import { anyPlot, tellStory } from "../support/session-events.ts";
import { createDice, type Dice } from "../support/story/dice.ts";

/** All of it, but for what tells readers of changes. */
function seen(model: ViewModel) {
  const { changedSince: _, revision: __, ...state } = model.state();
  return state;
}

function replayed(events: readonly LogEvent[]): ViewModel {
  const model = createViewModel();
  for (const event of events) model.replay(event);
  return model;
}

/** A reader that keeps a copy and looks at no more than it has to. */
function reader(model: ViewModel) {
  const copy: Item[] = [];
  let known = 0;
  return () => {
    const { items, changedSince, revision } = model.state();
    for (let at = Math.min(copy.length, changedSince(known)); at < items.length; at++) copy[at] = items[at] as Item;
    known = revision;
    return copy;
  };
}

/** The log as it happened, with what streamed before each settlement; blocks that never settled, too. */
function streamed(events: readonly LogEvent[], dice: Dice): KhaelorEvent[] {
  const passing = (input: EphemeralInput): KhaelorEvent =>
    ({ id: "x", sessionId: "s", ts: 0, ...input }) as KhaelorEvent;
  const ends = new Set(events.flatMap((event) => (isEnd(event) ? [event.payload.toolUseId] : [])));
  return events.flatMap((event) => {
    if ("opaque" in event) return [];
    return [...before(event, dice).map(passing), event, ...after(event, ends, dice).map(passing)];
  });
}

const isEnd = (event: LogEvent): event is DurableEvent<"tool.completed" | "tool.failed" | "tool.cancelled"> =>
  event.type === "tool.completed" || event.type === "tool.failed" || event.type === "tool.cancelled";

function before({ type, payload }: DurableEvent, dice: Dice): EphemeralInput[] {
  switch (type) {
    case "model.text-block-completed":
      return pieces(payload.text, dice).map((text) => ({ type: "model.text-delta", payload: { ...payload, text } }));
    case "model.thinking-block-completed":
      return pieces(payload.thinking, dice).map((text) => ({
        type: "model.thinking-delta",
        payload: { ...payload, text },
      }));
    case "tool.requested":
      return [
        { type: "model.tool-call-started", payload },
        ...pieces(JSON.stringify(payload.input) ?? "", dice).map(
          (partialJson): EphemeralInput => ({ type: "model.tool-input-delta", payload: { ...payload, partialJson } }),
        ),
      ];
    case "model.request-failed":
      return [
        { type: "model.text-delta", payload: { requestId: payload.requestId, blockIndex: 99, text: "never settled" } },
      ];
    default:
      return [];
  }
}

function after(event: DurableEvent, ends: ReadonlySet<string>, dice: Dice): EphemeralInput[] {
  if (event.type !== "tool.started" || !ends.has(event.payload.toolUseId)) return [];
  return pieces("some\noutput\n", dice).map((chunk) => ({
    type: "tool.output",
    payload: { toolUseId: event.payload.toolUseId, chunk },
  }));
}

function pieces(text: string, dice: Dice): string[] {
  const cut = dice.below(text.length + 1);
  return [text.slice(0, cut), text.slice(cut)].filter((piece) => piece !== "");
}

function watched(events: readonly KhaelorEvent[], dice: Dice): ViewModel {
  const clock = manualClock();
  const coalescer = createCoalescer({ clock });
  const model = createViewModel();
  const read = reader(model);
  coalescer.subscribe((frame) => {
    model.apply(frame);
    const copy = read();
    const { items } = model.state();
    if (copy.length !== items.length || copy.some((item, at) => item !== items[at]))
      throw new Error("a change was missed");
  });
  for (const event of events) {
    coalescer.push(event);
    if (dice.chance(0.3)) clock.advance(dice.below(40));
  }
  clock.runAll();
  return model;
}

describe("the view model", () => {
  test("shows the same live as replayed, over whole sessions", async () => {
    const property = fc.asyncProperty(anyPlot(8), fc.nat(), async (plot, seed) => {
      const { events } = await tellStory(plot);
      const live = watched(streamed(events, createDice(seed)), createDice(seed + 1));
      expect(seen(live)).toEqual(seen(replayed(events)));
    });
    await fc.assert(property, { numRuns: 60 });
  }, 60_000);

  test("shows the same live as replayed, over logs that need not make sense", () => {
    const property = fc.property(anyLog(30), fc.nat(), (events, seed) => {
      expect(seen(watched(events, createDice(seed)))).toEqual(seen(replayed(events)));
    });
    fc.assert(property, { numRuns: 60 });
  }, 60_000);

  test("knows the same open questions as the engine", async () => {
    const property = fc.property(anyLog(30), (events) => {
      const model = createViewModel();
      let open = openPermissions.initial();
      for (const event of events) {
        model.replay(event);
        open = openPermissions.apply(open, event);
        const shown = model.state().questions.map(({ requestId }) => requestId);
        expect(shown).toEqual(open.map(({ permissionRequestId }) => permissionRequestId));
      }
    });
    fc.assert(property, { numRuns: 60 });
  });

  test("costs the same for each event, however many came before", () => {
    const turn = (at: number): DurableInput[] => [
      said(`m${at}`),
      asked(`r${at}`),
      text(`r${at}`, 0, "words"),
      call(`r${at}`, 1, `t${at}`, { command: "ls" }),
      ended(`r${at}`, "tool_use"),
      started(`t${at}`),
      done(`t${at}`, "result"),
    ];
    const log = (turns: number) => given(Array.from({ length: turns }, (_, at) => turn(at)).flat());
    const cost = (events: readonly LogEvent[]) => {
      const runs = Array.from({ length: 3 }, () => {
        const from = process.cpuUsage();
        replayed(events);
        const { user, system } = process.cpuUsage(from);
        return user + system;
      });
      return Math.min(...runs);
    };
    const [short, long] = [log(2_000), log(16_000)] as const;
    replayed(short); // warm
    expect(cost(long) / cost(short)).toBeLessThan(32); // eight times as many events; a pass over all for each would cost 64
  }, 30_000);
});
