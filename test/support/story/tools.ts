/** Tools that act by chance: side by side, in any order, with questions, failures and interrupts on the way. */

import { isDoomLoop } from "../../../src/agent/doom-loop.ts";
import type { ToolRuntime } from "../../../src/agent/index.ts";
import type { PendingCall } from "../../../src/session/index.ts";
import { interrupt, noise, type World } from "./world.ts";

export const scriptedTools = (world: World): ToolRuntime => ({
  async executeBatch(signal) {
    for (;;) {
      const { turn } = world.session.handle.state();
      if (signal.aborted || turn.pending.length === 0 || isDoomLoop(turn)) return;
      noise(world);
      await Promise.resolve();
      if (world.dice.chance(0.03)) interrupt(world);
      else advance(world, turn.pending);
    }
  },
  cancel(toolUseId) {
    const payload = { toolUseId, reason: "interrupted" as const, modelText: "[cancelled]" };
    world.session.handle.publish({ type: "tool.cancelled", payload });
  },
  async askAboutLoop(toolUseId) {
    const call = world.session.handle.state().turn.pending.find((entry) => entry.toolUseId === toolUseId);
    if (!call) return askAboutCompactions(world);
    ask(world, call, "loop.continue");
    if (!answerQuestion(world, call)) fail(world, call);
  },
});

/** It may be open from an earlier run. */
function askAboutCompactions({ agent, count, dice, session: { handle } }: World): void {
  const isIt = ({ toolUseId, capability }: { readonly toolUseId?: string; readonly capability: string }) =>
    toolUseId === undefined && capability === "loop.continue";
  const open = handle.state().turn.permissions.find(isIt)?.permissionRequestId;
  const requestId = open ?? `p${count()}`;
  const payload = { permissionRequestId: requestId, capability: "loop.continue", descriptor: "may it?" };
  if (open === undefined) handle.publish({ type: "permission.requested", payload });
  agent.dispatch({ kind: "permission-response", requestId, decision: dice.chance(0.7) ? "once" : "deny" });
}

/** Mostly the first call moves on; now and then one behind it, as read-only calls may. */
function advance(world: World, pending: readonly PendingCall[]): void {
  const { dice } = world;
  const [first] = pending;
  const call = dice.chance(0.3) ? dice.some(pending) : first;
  if (!call) return;
  const { handle } = world.session;
  const { toolUseId, toolName } = call;
  switch (call.stage) {
    case "requested":
      if (dice.chance(0.08)) fail(world, call);
      else if (dice.chance(0.2)) ask(world, call, "process.execute");
      else handle.publish({ type: "tool.approved", payload: { toolUseId, via: "rule" } });
      break;
    case "waiting":
      if (!answerQuestion(world, call)) fail(world, call);
      break;
    case "granted":
      handle.publish({ type: "tool.approved", payload: { toolUseId, via: "user-once" } });
      break;
    case "approved":
      handle.publish({ type: "tool.started", payload: { toolUseId, toolName } });
      break;
    case "started":
      if (dice.chance(0.1)) fail(world, call);
      else end(world, call);
      break;
  }
}

function ask(world: World, { toolUseId }: PendingCall, capability: string): void {
  const payload = { permissionRequestId: `p${world.count()}`, toolUseId, capability, descriptor: "may it?" };
  world.session.handle.publish({ type: "permission.requested", payload });
  // Nobody is there, and the terminal is closed: the question waits for the next run.
  if (world.dice.chance(0.2)) world.session.dieAfter(0);
}

/** The user answers, unless a question from an earlier run is gone: then it counts as refused. */
function answerQuestion(world: World, { toolUseId }: PendingCall): boolean {
  const open = world.session.handle.state().turn.permissions.find((entry) => entry.toolUseId === toolUseId);
  if (!open) return false;
  const granted = world.dice.chance(0.7);
  const decision = granted ? "once" : "deny";
  world.agent.dispatch({ kind: "permission-response", requestId: open.permissionRequestId, decision });
  return granted;
}

function fail(world: World, { toolUseId }: PendingCall): void {
  const payload = { toolUseId, modelText: `no ${world.count()}`, errorKind: "invalid-input" as const, durationMs: 0 };
  world.session.handle.publish({ type: "tool.failed", payload });
}

function end(world: World, call: PendingCall): void {
  const { dice } = world;
  const { handle } = world.session;
  const { toolUseId } = call;
  if (dice.chance(0.15)) {
    const payload = { path: "src/a.ts", operation: "edit" as const, diffStats: { added: 1, removed: 0 }, toolUseId };
    handle.publish({ type: "file.modified", payload });
  }
  const modelText = dice.pick(["", " ", `result ${world.count()}`, `result ${world.count()}\r\n\ud800`, "same"]);
  const ui = { kind: "read" as const, summary: "" };
  handle.publish({ type: "tool.completed", payload: { toolUseId, modelText, durationMs: 1, ui } });
}
