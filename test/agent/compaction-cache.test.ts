/** The request for a summary that repeats the conversation reads it from the cache, also where a tail is kept and not sent. */
import { describe, expect, test } from "bun:test";
import type { CompactionRoute } from "../../src/context/index.ts";
import { eventsOf } from "../support/house.ts";
import { inSmallWindow, talk } from "./compacting.ts";

const TURNS = 6;

describe("the conversation comes from the cache", () => {
  for (const route of ["main", "server"] satisfies readonly CompactionRoute[]) {
    test(`by ${route}`, () =>
      inSmallWindow({ script: talk(1_000) }, async (house) => {
        for (let at = 1; at <= TURNS; at++) await house.say(`question ${at}`);
        const made = await house.engine.agent.compact({ route });
        await house.settled();
        expect(made).toMatchObject({ ok: true, value: { route, keptFromSeq: expect.any(Number) } });
        const usage = eventsOf(house.events, "model.response-completed").at(-1)?.payload.usage;
        const { inputTokens = 0, cacheWriteTokens = 0, cacheReadTokens = 0 } = usage ?? {};
        const sent = inputTokens + cacheWriteTokens + cacheReadTokens;
        expect(sent).toBeGreaterThan(7_000);
        expect(sent - cacheReadTokens).toBeLessThan(1_600); // the newest answer that is sent, and the question
      }));
  }
});
