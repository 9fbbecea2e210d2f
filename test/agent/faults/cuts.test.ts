/**
 * An answer that ends at every place where one can: behind each of its events, and in every part of each kind of event. However it ends, it is asked for again, nothing of the broken one is sent or done, and the session goes on.
 */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Fault, ScriptedTurn, SseEvent } from "../../../src/simulator/index.ts";
import { virtualTime } from "../../support/virtual-time.ts";
import { bash, inHouse, lastSaid, read, say, text, thinking, turn } from "../driving.ts";

/** Every kind of event and delta; what it asks for leaves a trace when it is done. */
const ANSWER: ScriptedTurn = {
  ...turn(
    thinking("Hm, ja."),
    { type: "redacted_thinking" },
    text("Grüße 🙂"),
    read("a.md"),
    bash("echo ran >> ran.md"),
  ),
  stream: { deltaChars: 400 },
};

/** Several houses, so that no conversation grows long. */
const AT_ONCE = 12;

interface Course {
  readonly events: readonly { readonly kind: string; readonly start: number; readonly bytes: string }[];
}

/** The events of the answer and where their bytes lie; ids are new in each answer, but as long as here. */
async function lookAt(): Promise<Course["events"]> {
  const seen: SseEvent[] = [];
  await inHouse(
    {
      script: () => (seen.length > 0 ? say("Fine.") : ANSWER),
      files: FILES,
      onSse: (event, _house, { body }) => {
        if (JSON.stringify(body).includes("tool_result")) return;
        seen.push(event);
      },
    },
    async (house) => house.say("look"),
  );
  let at = 0;
  return seen.map(({ event, data }) => {
    const bytes = `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    const start = at;
    at += Buffer.byteLength(bytes);
    const inner = data as {
      readonly delta?: { readonly type?: string };
      readonly content_block?: { readonly type?: string };
    };
    return { kind: `${event} ${inner.delta?.type ?? inner.content_block?.type ?? ""}`, start, bytes };
  });
}

const FILES = { "a.md": "one\n" };
const events = await lookAt();

/** In the event's name, before the JSON, in it, between its end and the line's, between the two line ends. */
function placesIn(bytes: string): readonly number[] {
  const data = bytes.indexOf("data: ");
  const size = Buffer.byteLength(bytes);
  return [1, data + 6, Math.floor((data + size) / 2), size - 3, size - 1];
}

const boundaries = events.map((_event, at) => ({ afterEvents: at }));
const kinds = new Map(events.map((event) => [event.kind, event]));
const inside = [...kinds.values()].flatMap(({ start, bytes }) =>
  placesIn(bytes).map((at) => ({ afterBytes: start + at })),
);

/** At the end of the last event the answer may have come whole: what is left out are line ends, or an id was longer this time. */
const last = events.at(-1)?.start ?? 0;
const mayBeWhole = (place: object): boolean => "afterBytes" in place && Number(place.afterBytes) > last;

async function strike(faults: readonly Fault[]): Promise<void> {
  const time = virtualTime();
  const struck = new Set<number>();
  await inHouse(
    {
      files: FILES,
      script: (request) => {
        if (request.lastResults().length > 0) return say("Fine.");
        const at = Number(/\[(\d+)\]$/.exec(request.lastUserText())?.[1] ?? -1);
        const fault = faults[at];
        if (!fault) return say("Fine.");
        const first = !struck.has(at);
        struck.add(at);
        return { ...ANSWER, ...(first && { fault }) };
      },
      outside: { clock: time.client, random: () => 0, fetch: time.fetch },
      simulator: { keepRequests: 4 },
    },
    async (house) => {
      house.engine.session.bus.on("model.request-failed", ({ payload }) => {
        if (payload.retryAfterMs !== undefined) time.passSoon(payload.retryAfterMs);
      });
      for (const [at, fault] of faults.entries()) {
        const failedBefore = house.of("model.request-failed").length;
        await house.say(`[${at}]`);
        const failed = house.of("model.request-failed").slice(failedBefore);
        if (failed.length > 0 || !mayBeWhole(fault))
          expect([fault, ...failed]).toMatchObject([fault, { kind: "retryable" }]);
        expect([fault, lastSaid(house, -1)]).toEqual([fault, ["result", "result"]]);
        expect([fault, readFileSync(join(house.cwd, "ran.md"), "utf8")]).toEqual([fault, "ran\n".repeat(at + 1)]);
        expect([fault, house.types().at(-1), time.armed, time.open]).toEqual([fault, "task.completed", 0, 0]);
      }
    },
  );
}

for (const kind of ["cut", "reset", "clean-end"] as const) {
  const places = kind === "reset" ? boundaries : [...boundaries, ...inside];
  const faults = places.map((place): Fault => ({ kind, ...place }));
  describe(`an answer that ends by ${kind}`, () => {
    for (let at = 0; at < faults.length; at += AT_ONCE) {
      const some = faults.slice(at, at + AT_ONCE);
      test(`at places ${at} to ${at + some.length - 1}`, () => strike(some), 60_000);
    }
  });
}

test("the places are behind every event, and in every kind of event and delta", () => {
  expect(events.length).toBeGreaterThan(15);
  expect([...kinds.keys()].sort()).toEqual([
    "content_block_delta input_json_delta",
    "content_block_delta signature_delta",
    "content_block_delta text_delta",
    "content_block_delta thinking_delta",
    "content_block_start redacted_thinking",
    "content_block_start text",
    "content_block_start thinking",
    "content_block_start tool_use",
    "content_block_stop ",
    "message_delta ",
    "message_start ",
    "message_stop ",
    "ping ",
  ]);
});
