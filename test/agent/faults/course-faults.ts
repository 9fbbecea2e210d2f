/** Faults at a later place: between two requests of one task, with another model to go to, in a summary. */
import type { Fault } from "../../../src/simulator/index.ts";
import { say, turn } from "../driving.ts";
import type { FaultCase } from "./fault-run.ts";

const OTHER = "claude-sonnet-5-5";

const status = (code: number, body?: object): Fault => ({ kind: "http", status: code, ...(body && { body }) });
const stated = (type: string, message: string) => ({ type: "error", error: { type, message } });
const tooLong = status(400, stated("invalid_request_error", "prompt is too long: 1000123 tokens > 1000000 maximum"));

const inLoop = (name: string, more: Omit<FaultCase, "name" | "isInLoop">): FaultCase => ({
  name: `${name}, between a call and the answer`,
  isInLoop: true,
  ...more,
});

const LOOP: readonly FaultCase[] = [
  inLoop("529", { fault: status(529) }),
  inLoop("429", { fault: status(429) }),
  inLoop("the key withdrawn", { fault: status(401) }),
  inLoop("the key not allowed any more", { fault: status(403) }),
  inLoop("400", { fault: status(400) }),
  inLoop("the prompt too long", { fault: tooLong }),
  inLoop("413 as a web page", { fault: { kind: "http", status: 413, body: "<html>too large</html>" } }),
  inLoop("cut", { fault: { kind: "cut", afterEvents: 4 } }),
  inLoop("reset", { fault: { kind: "hang-up" } }),
  inLoop("a clean end", { fault: { kind: "clean-end", afterEvents: 4 } }),
  inLoop("no content", { turn: turn() }),
  inLoop("a refusal", { turn: { ...say("No"), stopReason: "refusal" } }),
  inLoop("the window full", { turn: { ...say("As far as"), stopReason: "model_context_window_exceeded" } }),
];

const withOther = (name: string, fault: Fault, isOtherStruck = false): FaultCase => ({
  name: `${name}, with another model that ${isOtherStruck ? "does no better" : "answers"}`,
  fault,
  setup: { flags: { fallbackModel: OTHER } },
  isStruck: ({ body }) => isOtherStruck || body.model !== OTHER,
});

const FALLBACK: readonly FaultCase[] = [
  withOther("529", status(529)),
  withOther("529", status(529), true),
  withOther("429", status(429), true),
  withOther("404", status(404, stated("not_found_error", "model: claude-opus-5-5"))),
  withOther("401", status(401)),
  withOther("a spending limit", { kind: "http", status: 429, errorCode: "enforced_spend_limit_reached" }),
  withOther("no connection", { kind: "hang-up" }),
  { ...withOther("529 between a call and the answer", status(529)), isInLoop: true },
];

export const COURSE_FAULTS: readonly FaultCase[] = [...LOOP, ...FALLBACK];
