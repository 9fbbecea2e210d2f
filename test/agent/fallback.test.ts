/** Another model takes over where the first does not answer: once, recorded, and without a byte that the API refuses. */
import { describe, expect, test } from "bun:test";
import { fallbackTo } from "../../src/agent/index.ts";
import type { Payload } from "../../src/shared/index.ts";
import type { Fault, Script } from "../../src/simulator/index.ts";
import { bash, inHouse, say, thinking, turn } from "./driving.ts";
import { openTurn, stateWith } from "./states.ts";

const OTHER = "claude-sonnet-5-5";
const busy: Fault = { kind: "http", status: 529, headers: { "x-should-retry": "false" } };
const gone: Fault = { kind: "http", status: 404, body: { error: { type: "not_found_error", message: "model: x" } } };

describe("another model can help", () => {
  const failure = (more: Partial<Payload<"model.request-failed">>): Payload<"model.request-failed"> => ({
    requestId: "r",
    kind: "retryable",
    message: "no",
    retriesExhausted: true,
    ...more,
  });
  const rows: readonly (readonly [what: string, helps: boolean, failure: Partial<Payload<"model.request-failed">>])[] =
    [
      ["an overload", true, { status: 529 }],
      ["an overload that was told in the stream", true, { errorType: "overloaded_error" }],
      ["a server that fails", true, { status: 500 }],
      ["too many requests", true, { status: 429, rateLimited: true }],
      ["a model that is not there", true, { kind: "invalid-request", status: 404 }],
      ["a model of which the stream says so", true, { kind: "invalid-request", errorType: "not_found_error" }],
      ["the account's own limit", false, { status: 429, limitReached: true }],
      ["no connection", false, { errorType: "ECONNREFUSED" }],
      ["a wrong key", false, { kind: "auth", status: 401 }],
      ["a request that is refused", false, { kind: "invalid-request", status: 400 }],
    ];
  for (const [what, helps, more] of rows) {
    test(`${helps ? "with" : "not with"} ${what}`, () => {
      const state = stateWith(openTurn({ model: "first", lastFailure: failure(more) }));
      const payload = { from: "first", to: "other", reason: "fallback" };
      expect(fallbackTo("other")(state)).toEqual(
        helps ? [{ type: "session.model-changed", payload: payload as Payload<"session.model-changed"> }] : undefined,
      );
      expect(fallbackTo("first")(state)).toBeUndefined();
    });
  }
});

const script =
  (fault: Fault): Script =>
  ({ index, body }) => {
    if (body.model === OTHER) return say("the other one");
    if (index === 0) return turn(thinking("first look"), bash("echo looked"));
    return { ...say("never"), fault: Array.from({ length: 20 }, () => fault) };
  };

for (const [what, fault] of [
  ["overloaded", busy],
  ["gone", gone],
] as const) {
  test(`in the middle of its work, when it is ${what}, what was done goes over as plain words`, async () => {
    await inHouse({ script: script(fault), flags: { fallbackModel: OTHER } }, async (house) => {
      await house.say("look");
      expect(house.of("session.model-changed")).toEqual([{ from: "claude-opus-5-5", to: OTHER, reason: "fallback" }]);
      const [compacted] = house.of("context.compacted");
      expect(compacted).toMatchObject({ trigger: "fallback", summaryModel: "none" });
      expect(compacted?.message).toContain("looked");
      expect(house.types().at(-1)).toBe("task.completed");
      expect(house.engine.session.state().turn.lastResponse?.text).toBe("the other one");
      await house.say("again"); // it stays with the one that answers
      expect(house.simulator.requests.at(-1)?.body).toMatchObject({ model: OTHER });
    });
  });
}

test("at the beginning of a turn the conversation goes over as it is", async () => {
  await inHouse({ script: () => say("fine"), flags: { fallbackModel: OTHER } }, async (house) => {
    await house.say("one");
    house.simulator.failNext(gone);
    await house.say("two");
    expect([house.of("session.model-changed").length, house.of("context.compacted").length]).toEqual([1, 0]);
    const { body } = house.simulator.requests.at(-1) ?? {};
    expect(body).toMatchObject({ model: OTHER, messages: { length: 3 } });
  });
});

test("when the other one does not answer either, the run fails as it does without one", async () => {
  await inHouse({ script: () => say("fine"), flags: { fallbackModel: OTHER } }, async (house) => {
    house.simulator.failNext(busy, busy, busy);
    await house.say("go");
    expect(house.of("model.request-failed").map(({ status }) => status)).toEqual([529, 529]);
    expect(house.of("task.failed")).toMatchObject([{ reason: "model-fatal-error" }]);
    await house.reopen();
    expect(house.engine.agent.resume()).toBe(true);
    await house.settled();
    expect(house.of("task.failed")).toHaveLength(2);
  });
});
