/** What is said is known to be recorded, or not, whatever becomes of the session it was said in. */
import { expect, test } from "bun:test";
import type { DurableInput, KernelCommand, KhaelorEvent } from "../../../src/shared/index.ts";
import { createSessionFeed } from "../../../src/tui/app/session-feed.ts";
import type { OpenSession } from "../../../src/tui/ports.ts";
import * as w from "../../session/log-words.ts";
import { manualClock } from "../../support/clock.ts";

const said = (text: string): KernelCommand => ({ kind: "submit-message", text, mentions: [] });
const steered = (text: string): KernelCommand => ({ kind: "steer", text, deliver: "now" });

function stage() {
  const taken: KernelCommand[] = [];
  let hear: (event: KhaelorEvent) => void = () => undefined;
  let isFree = false;
  const session = {
    ...{ id: "s", path: "/log", notices: [], died: new Promise<never>(() => undefined) },
    async *history() {},
    subscribe(onEvent: typeof hear) {
      hear = onEvent;
      return () => undefined;
    },
    onNotice: () => () => undefined,
    dispatch: (command: KernelCommand) => void taken.push(command),
  } as Partial<OpenSession> as OpenSession; // as much of one as is used
  const feed = createSessionFeed({
    host: {
      close: async () => undefined,
      async open() {
        if (isFree) return session;
        throw new Error("it is open elsewhere");
      },
    },
    ...{ clock: manualClock(), windowMs: 16 },
    ...{ onChange: () => undefined, onEvent: () => undefined, onNotice: () => undefined, onDeath: () => undefined },
  });
  return {
    feed,
    taken,
    free() {
      isFree = true;
    },
    happens(...inputs: readonly DurableInput[]) {
      for (const event of w.given(...inputs)) hear(event as KhaelorEvent); // as: each is one of today's
    },
  };
}

test("of two that are opened at once the later one is shown, however long the first one takes", async () => {
  const opened = (id: string, wait: Promise<void>) =>
    ({
      ...{ id, path: "/log", notices: [], died: new Promise<never>(() => undefined) },
      async *history() {
        await wait;
        yield* w.given(w.begun);
      },
      ...{ subscribe: () => () => undefined, onNotice: () => () => undefined },
    }) as Partial<OpenSession> as OpenSession; // as much of one as is used
  const { promise: slowly, resolve } = Promise.withResolvers<void>();
  const feed = createSessionFeed({
    host: {
      close: async () => undefined,
      open: async ({ resume = "" }) => opened(resume, resume === "long" ? slowly : Promise.resolve()),
    },
    ...{ clock: manualClock(), windowMs: 16 },
    ...{ onChange: () => undefined, onEvent: () => undefined, onNotice: () => undefined, onDeath: () => undefined },
  });
  const both = [feed.open({ resume: "long" }), feed.open({ resume: "short" })];
  await Bun.sleep(0);
  resolve();
  await Promise.all(both);
  expect(feed.session()?.id).toBe("short");
});

test("until a session takes it, and until that has recorded it, what was said is in no log", async () => {
  const { feed, taken, free, happens } = stage();
  feed.dispatch(said("typed early"));
  await feed.open({}).catch(() => undefined);
  expect([feed.unrecorded(), taken]).toEqual([["typed early"], []]);
  free();
  await feed.open({});
  expect([feed.unrecorded(), taken]).toEqual([["typed early"], [said("typed early")]]);
  feed.dispatch(steered("and this"));
  feed.dispatch({ kind: "interrupt" });
  happens(w.said("typed early"), w.nudge(), w.said("", { shell: { command: "ls", exitCode: 0, output: "" } }));
  expect(feed.unrecorded()).toEqual(["and this"]);
  happens(w.queued("and this"));
  expect(feed.unrecorded()).toEqual([]);
});

test("what is recorded while a long log is read is shown too, and once", async () => {
  const { promise: readSlowly, resolve: goOn } = Promise.withResolvers<void>();
  const heard = new Set<(event: KhaelorEvent) => void>();
  const events = w.given(w.begun, w.said("one"), w.said("two"), w.said("three"));
  const session = {
    ...{ id: "s", path: "/log", notices: [], died: new Promise<never>(() => undefined) },
    async *history() {
      yield* events.slice(0, 1);
      await readSlowly;
      yield* events.slice(1, 3);
    },
    subscribe(onEvent: (event: KhaelorEvent) => void) {
      heard.add(onEvent);
      return () => void heard.delete(onEvent);
    },
    onNotice: () => () => undefined,
  } as Partial<OpenSession> as OpenSession; // as much of one as is used
  const feed = createSessionFeed({
    host: { close: async () => undefined, open: async () => session },
    ...{ clock: manualClock(), windowMs: 16 },
    ...{ onChange: () => undefined, onEvent: () => undefined, onNotice: () => undefined, onDeath: () => undefined },
  });
  const opening = feed.open({});
  await Bun.sleep(0);
  for (const event of events.slice(2)) for (const hear of heard) hear(event as KhaelorEvent); // as: each is one of today's
  goOn();
  await opening;
  const texts = feed
    .model()
    .state()
    .items.flatMap((item) => (item.kind === "user" ? [item.text] : []));
  expect([texts, heard.size]).toEqual([["one", "two", "three"], 1]);
});
