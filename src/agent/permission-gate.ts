/**
 * Where consent is decided, once, between a call's request and its start. It asks the evaluator, records what was asked and
 * answered, and waits for the recorded answer, never for a screen. Silence is not consent.
 */
import type { PermissionEvaluator } from "../permissions/index.ts";
import type { OpenPermission, SessionHandle } from "../session/index.ts";
import type { Access, NewId, Payload, Verdict } from "../shared/index.ts";
import { NOBODY_TO_ASK } from "./texts.ts";

export type Authorization =
  | { readonly allowed: true; readonly via: Payload<"tool.approved">["via"] }
  | { readonly allowed: false; readonly feedback: string };

export interface PermissionGate {
  /** Resolves with the strictest decision over all accesses. An abort while waiting resolves as not allowed. */
  authorize(accesses: readonly Access[], toolUseId: string | undefined, signal: AbortSignal): Promise<Authorization>;
}

export interface PermissionGateDeps {
  readonly session: SessionHandle;
  readonly evaluator: PermissionEvaluator;
  /** Whether somebody can answer; otherwise an ask is a recorded refusal and the run goes on. */
  readonly somebodyToAsk: boolean;
  readonly newId: NewId;
}

const STRICTNESS = { allow: 0, ask: 1, deny: 2 } as const;

export function createPermissionGate({ session, evaluator, somebodyToAsk, newId }: PermissionGateDeps): PermissionGate {
  function request(verdict: Verdict, toolUseId: string | undefined): string {
    const open = session.state().turn.permissions.find((question) => isSame(question, verdict, toolUseId));
    if (open) return open.permissionRequestId;
    const permissionRequestId = newId();
    const { capability, descriptor, suggestion, because, tier } = verdict;
    session.publish({
      type: "permission.requested",
      payload: {
        permissionRequestId,
        ...(toolUseId !== undefined && { toolUseId }),
        capability,
        descriptor,
        ...(suggestion && { suggestion }),
        ...((tier === "rule" || tier === "guarded" || tier === "default") && { tier }),
        because,
      },
    });
    return permissionRequestId;
  }

  function deny(
    permissionRequestId: string,
    source: Payload<"permission.denied">["source"],
    feedback: string,
  ): Authorization {
    session.publish({ type: "permission.denied", payload: { permissionRequestId, source, feedback } });
    return { allowed: false, feedback };
  }

  /** A check of the gate's own has no call to hang on: its request is recorded so that the fold can tell. */
  function refuse(verdict: Verdict, toolUseId: string | undefined): Authorization {
    const id = toolUseId === undefined ? request(verdict, undefined) : newId();
    const source = verdict.tier === "floor" ? "hardline" : "policy";
    return deny(id, source, `Not allowed: ${verdict.descriptor}. ${verdict.because}`);
  }

  async function ask(verdict: Verdict, toolUseId: string | undefined, signal: AbortSignal): Promise<Authorization> {
    const id = request(verdict, toolUseId);
    if (!somebodyToAsk) return deny(id, "timeout", `Not run: ${verdict.descriptor}. ${NOBODY_TO_ASK}`);
    const answer = await answerTo(session, id, signal);
    if (answer) return answer;
    // A call's question is closed with the call; one of the gate's own would stand for ever, although nobody waits for it.
    return toolUseId === undefined ? deny(id, "user", ABANDONED) : { allowed: false, feedback: ABANDONED };
  }

  return {
    async authorize(accesses, toolUseId, signal) {
      if (signal.aborted) return { allowed: false, feedback: ABANDONED };
      const [first, ...others] = accesses.map((access) => evaluator.evaluate(access));
      if (!first) return { allowed: true, via: "policy-allow" }; // it touches nothing
      const verdict = others.reduce((a, b) => (STRICTNESS[b.action] > STRICTNESS[a.action] ? b : a), first);
      switch (verdict.action) {
        case "allow":
          return { allowed: true, via: verdict.tier === "rule" ? "rule" : "policy-allow" };
        case "deny":
          return refuse(verdict, toolUseId);
        case "ask":
          return ask(verdict, toolUseId, signal);
      }
    },
  };
}

/** Asked before a restart, a question is not asked again. Whether a call may repeat itself is another than whether it may run. */
function isSame(question: OpenPermission, { capability, descriptor }: Verdict, toolUseId: string | undefined): boolean {
  if (question.toolUseId !== toolUseId) return false;
  if (toolUseId === undefined) return question.descriptor === descriptor;
  return (question.capability === "loop.continue") === (capability === "loop.continue");
}

const ABANDONED = "The turn was interrupted before an answer came.";

/** Waits until the log answers this request. Undefined when the turn is aborted first. */
function answerTo(
  session: SessionHandle,
  permissionRequestId: string,
  signal: AbortSignal,
): Promise<Authorization | undefined> {
  return new Promise((resolve) => {
    const finish = (authorization?: Authorization) => {
      for (const stop of subscriptions) stop();
      signal.removeEventListener("abort", abandon);
      resolve(authorization);
    };
    const abandon = () => finish();
    const subscriptions = [
      session.bus.on("permission.granted", ({ payload }) => {
        if (payload.permissionRequestId !== permissionRequestId) return;
        finish({ allowed: true, via: payload.scope === "once" ? "user-once" : "user-always" });
      }),
      session.bus.on("permission.denied", ({ payload }) => {
        if (payload.permissionRequestId === permissionRequestId) finish({ allowed: false, feedback: payload.feedback });
      }),
    ];
    if (signal.aborted) abandon();
    else signal.addEventListener("abort", abandon, { once: true });
  });
}
