/**
 * The loop: read recorded state, derive one step, do it, again. It coordinates five services and holds nothing that a
 * restart would miss. Retries, permissions, budgets, rendering and persistence live behind those services.
 */
import { type ModelClient, ModelError } from "../anthropic/index.ts";
import type { ContextEngine } from "../context/index.ts";
import { openCalls, type SessionHandle, type SessionState } from "../session/index.ts";
import { type NewId, unreachable } from "../shared/index.ts";
import type { TurnPolicy } from "./actions.ts";
import { compacted } from "./compaction-outcome.ts";
import { completionEvidence } from "./evidence.ts";
import { deriveNext } from "./next-action.ts";
import { beforeStream, recordFailure, recordStream } from "./record-stream.ts";
import { publishAll, syncInBackground } from "./recording.ts";
import { continuation } from "./texts.ts";
import type { ToolRuntime } from "./tool-runtime.ts";
import { uniqueToolUseId } from "./tool-use-ids.ts";
import type { VerificationGate } from "./verification.ts";

export interface KernelDeps {
  readonly session: SessionHandle;
  readonly context: ContextEngine;
  readonly model: ModelClient;
  readonly tools: ToolRuntime;
  readonly verifier: VerificationGate;
  readonly policy: TurnPolicy;
  readonly newId: NewId;
}

/** Runs until no turn is open. Throws only what ends the program: a StoreError, or a bug. How it went is in the log. */
export async function runTurn(deps: KernelDeps, signal: AbortSignal): Promise<void> {
  const { session, context, tools, verifier } = deps;
  for (;;) {
    let state = session.state();
    const next = deriveNext(state, deps.policy);
    switch (next.kind) {
      case "idle":
        return session.sync();
      case "interrupted":
        closeCalls(tools, state);
        return session.sync();
      case "execute-tools":
        await tools.executeBatch(signal);
        syncInBackground(session);
        break;
      case "ask-user":
        await tools.askAboutLoop(next.toolUseId, signal);
        break;
      case "inject-steering": {
        const payload = { queuedEventId: next.item.eventId, seam: next.seam, afterSeq: state.lastSeq };
        session.publish({ type: "user.steering-injected", payload });
        break;
      }
      case "prune":
        session.publish({ type: "context.pruned", payload: next.decision });
        break;
      case "compact":
        publishAll(session, compacted(await context.compress(state, next, signal), signal));
        await session.sync();
        break;
      case "continue":
        session.publish({ type: "user.message-created", payload: continuation(next) });
        break;
      case "fall-back":
        publishAll(session, next.events);
        break;
      case "verify":
        await verifier.take(next.step, signal);
        break;
      case "complete":
        state = await verifier.lookAgain(state);
        await session.sync(); // what the claim rests on is safe before the claim is made
        if (session.state() !== state) break; // and nothing was said or stopped meanwhile
        session.publish({ type: "task.completed", payload: { evidence: completionEvidence(state.turn) } });
        break;
      case "give-up":
        closeCalls(tools, state);
        session.publish({ type: "task.failed", payload: next.failure });
        break;
      case "call-model":
        await callModel(deps, signal);
        syncInBackground(session);
        break;
      default:
        unreachable(next);
    }
  }
}

const closeCalls = (tools: ToolRuntime, { turn }: SessionState): void => {
  for (const { toolUseId } of openCalls(turn)) tools.cancel(toolUseId);
};

/** One request with its attempts. Whatever happens to it is recorded; the next derivation looks at that. */
async function callModel({ session, context, model, newId, policy }: KernelDeps, signal: AbortSignal): Promise<void> {
  const before = session.state();
  const { request, record } = context.selectContext(before);
  const purpose = before.turn.verification.nudged ? "verification-nudge" : "main";
  const started = { model: request.model, purpose, ...record } as const;
  const stream = { newRequestId: newId, started, uniqueToolUseId: uniqueToolUseId(before.conversation) };
  let recording = beforeStream;
  try {
    for await (const event of model.stream(request, signal)) {
      const [after, durable, ephemeral] = recordStream(recording, event, stream);
      recording = after;
      if (ephemeral) session.publishEphemeral(ephemeral);
      publishAll(session, durable);
      if (event.type === "attempt-failed" && policy.outOfMoney?.(session.state())) return;
    }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const interrupted = session.state().turn.phase === "interrupted";
    publishAll(session, recordFailure(recording, error.failure, interrupted, stream));
  }
}
