/** When memory is given back, in a time that only a test moves. */
import { expect, test } from "bun:test";
import { collectingAtRest, collectingWhileItReads } from "../../src/cli/memory.ts";
import type { KhaelorEvent } from "../../src/shared/index.ts";
import { manualClock } from "../support/clock.ts";

function stage() {
  const clock = manualClock(0);
  const listeners = new Set<(event: KhaelorEvent) => void>();
  const collected: number[] = [];
  const end = collectingAtRest({
    clock,
    listen(onEvent) {
      listeners.add(onEvent);
      return () => listeners.delete(onEvent);
    },
    collect: () => collected.push(clock.now()),
  });
  const happens = (type: KhaelorEvent["type"]) => {
    for (const listener of listeners) listener({ type } as KhaelorEvent); // only its type matters
  };
  return { clock, collected, end, happens, listeners };
}

test("it is collected once after a session was opened and after each turn, when nothing happens any more", () => {
  const { clock, collected, happens } = stage();
  clock.advance(10_000);
  happens("user.message-created");
  happens("model.text-delta");
  clock.advance(10_000);
  happens("task.completed");
  clock.advance(1500);
  happens("task.failed");
  clock.advance(60_000);
  expect(collected).toEqual([2000, 23_500]);
  expect(clock.pending()).toBe(0);
});

test("what happens beside it puts it off, background processes do not, and only work calls it off", () => {
  const { clock, collected, happens } = stage();
  clock.advance(10_000);
  happens("task.completed");
  clock.advance(1000);
  happens("process.exited");
  clock.advance(500);
  happens("user.message-created"); // a shell command of the user's own
  for (let at = 0; at < 10; at++) {
    clock.advance(1000);
    happens("process.output");
  }
  happens("session.renamed");
  clock.advance(60_000);
  happens("task.completed");
  happens("model.request-started");
  clock.advance(60_000);
  expect(collected).toEqual([2000, 13_500]);
  expect(clock.pending()).toBe(0);
});

test("work that goes on is not held up, and after the end nothing is armed", () => {
  const { clock, collected, end, happens, listeners } = stage();
  happens("user.interrupted");
  clock.advance(1000);
  happens("user.message-created");
  happens("model.request-started");
  clock.advance(10_000);
  happens("task.completed");
  end();
  expect([collected, clock.pending(), listeners.size]).toEqual([[], 0, 0]);
});

test("while a long log is read, what was read is collected whenever the program has grown by some", async () => {
  let held = 0;
  const collected: number[] = [];
  const reading = {
    held: () => held,
    collect() {
      collected.push(held);
      held = 40e6;
    },
  };
  async function* events() {
    for (let at = 1; at <= 10_000; at++) {
      held += 10_000;
      yield at;
    }
  }
  let count = 0;
  for await (const event of collectingWhileItReads(events(), reading)) count += event > 0 ? 1 : 0;
  expect(count).toBe(10_000);
  expect(collected.length).toBe(5);
  expect(Math.max(...collected)).toBeLessThan(40e6 + 16 * 1024 * 1024 + 256 * 10_000 + 1);
});
