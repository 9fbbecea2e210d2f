/** How a headless run that ended without an answer is told apart by its exit code, from what was recorded and nothing else. */
import { describe, expect, test } from "bun:test";
import { type RunResult, watchRun } from "../../src/cli/result.ts";
import { runHeadless } from "../../src/cli/run-turn.ts";
import { type Fault, loop, type Script } from "../../src/simulator/index.ts";
import { bash, type Driven, inHouse, say, turn } from "./driving.ts";

async function run(house: Driven): Promise<RunResult> {
  const watch = watchRun(house.engine.session, () => 0);
  return watch.finish(await runHeadless(house.engine, { prompt: "go", onEvent: watch.onEvent }));
}

const error = (type: string, message = "no") => ({ type: "error", error: { type, message } });
const http = (status: number, type: string, headers = {}, message?: string): Fault => ({
  kind: "http",
  status,
  headers,
  body: error(type, message),
});
const wait = { "retry-after": "3600" };

const FAULTS: readonly (readonly [what: string, fault: Fault, exitCode: number])[] = [
  ["no right key", http(401, "authentication_error"), 3],
  ["no such model", http(404, "not_found_error"), 2],
  ["a request that is refused", http(400, "invalid_request_error"), 8],
  ["a prompt that is too large", http(413, "request_too_large"), 9],
  ["a rate limit beyond all patience", http(429, "rate_limit_error", wait), 75],
  ["an overload that lasts longer than all patience", http(529, "overloaded_error", wait), 75],
  ["a spending limit", http(400, "invalid_request_error", {}, "You have reached your specified API usage limits."), 75],
];

const SCRIPTS: readonly (readonly [what: string, script: Script, exitCode: number])[] = [
  ["no request left", loop({ steps: 9, turn: (at) => turn(bash(`echo ${at}`)) }), 7],
  ["an answer that is too long twice", () => ({ ...say("So"), stopReason: "max_tokens" }), 7],
  ["a refusal", () => ({ ...say("No"), stopReason: "refusal" }), 8],
  ["nothing said", () => turn(), 8],
];

describe("the exit code", () => {
  for (const [what, fault, exitCode] of FAULTS) {
    test(`after ${what} is ${exitCode}`, async () => {
      await inHouse({ script: () => say("never") }, async (house) => {
        house.simulator.failNext(fault);
        expect(await run(house)).toMatchObject({ status: "failed", exit_code: exitCode, verified: false });
      });
    });
  }

  for (const [what, script, exitCode] of SCRIPTS) {
    test(`after ${what} is ${exitCode}`, async () => {
      await inHouse({ script, flags: { limits: { maxTurns: 3 } } }, async (house) => {
        expect(await run(house)).toMatchObject({ status: "failed", exit_code: exitCode, verified: false });
      });
    });
  }

  test("after an interrupt is 130", async () => {
    await inHouse({ script: () => turn(bash("sleep 60")) }, async (house) => {
      house.engine.session.bus.on("tool.started", () => queueMicrotask(house.interrupt));
      expect(await run(house)).toMatchObject({ status: "interrupted", exit_code: 130, result: "" });
    });
  });

  test("after a rate limit that was told in the stream is 75, although there is no status", async () => {
    await inHouse({ script: () => say("never") }, async (house) => {
      const { session } = house.engine;
      const watch = watchRun(session, () => 0);
      session.bus.onAny(watch.onEvent);
      session.publish({ type: "user.message-created", payload: { text: "go", mentions: [] } });
      const contextStats = { estimatedInputTokens: 1, sections: [] };
      session.publish({
        type: "model.request-started",
        payload: { requestId: "r", model: "m", purpose: "main", contextStats },
      });
      const failure = { requestId: "r", kind: "retryable", message: "slow down", retriesExhausted: true } as const;
      session.publish({ type: "model.request-failed", payload: { ...failure, errorType: "rate_limit_error" } });
      session.publish({ type: "task.failed", payload: { reason: "model-fatal-error", detail: "slow down" } });
      expect(watch.finish({}).exit_code).toBe(75);
    });
  });
});
