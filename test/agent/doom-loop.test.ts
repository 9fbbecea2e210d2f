/** Repetition that changes nothing is noticed at the third call, and only then. */
import { describe, expect, test } from "bun:test";
import { isDoomLoop } from "../../src/agent/doom-loop.ts";
import type { PendingCall, TurnState } from "../../src/session/index.ts";
import { endedCall, openTurn, pendingCall } from "./states.ts";

const call = pendingCall({ toolName: "bash", input: { command: "make", timeout_ms: 5 } });
const other = pendingCall({ toolName: "bash", input: { command: "ls" } });
const same = endedCall(call, "no such target");

const ROWS: readonly (readonly [what: string, loop: boolean, turn: Partial<TurnState>])[] = [
  ["the third identical call after two identical results", true, { recentCalls: [same, same] }],
  [
    "the same with its keys in another order",
    true,
    {
      pending: [{ ...call, input: { timeout_ms: 5, command: "make" } }],
      recentCalls: [same, same],
    },
  ],
  ["the second identical call", false, { recentCalls: [same] }],
  ["two identical calls with different results", false, { recentCalls: [same, endedCall(call, "done")] }],
  [
    "only one of the two before it was the same",
    false,
    {
      recentCalls: [endedCall(other, "no such target"), same],
    },
  ],
  ["another call in between", false, { recentCalls: [same, endedCall(other, "no such target")] }],
  [
    "two other calls that were the same",
    false,
    {
      recentCalls: [endedCall(other, "no such target"), endedCall(other, "no such target")],
    },
  ],
  ["another input", false, { pending: [{ ...call, input: { command: "make all" } }], recentCalls: [same, same] }],
  ["another tool", false, { pending: [{ ...call, toolName: "process" }], recentCalls: [same, same] }],
  ["a call whose repetition was granted", false, { recentCalls: [same, same], loopGrants: [call.toolUseId] }],
  ["a grant for another call", true, { recentCalls: [same, same], loopGrants: ["toolu_0"] }],
  ["nothing is pending", false, { pending: [], recentCalls: [same, same] }],
];

describe("a doom loop", () => {
  for (const [what, loop, turn] of ROWS) {
    test(`${what}: ${loop ? "yes" : "no"}`, () => {
      expect(isDoomLoop(openTurn({ pending: [call], ...turn }))).toBe(loop);
    });
  }

  test("a call that is past its question is not asked about again", () => {
    const stages = ["requested", "waiting", "granted", "approved", "started"] as const;
    const asked = stages.filter((stage: PendingCall["stage"]) =>
      isDoomLoop(openTurn({ pending: [{ ...call, stage }], recentCalls: [same, same] })),
    );
    expect(asked).toEqual(["requested"]);
  });
});
