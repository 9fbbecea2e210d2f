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

/** What consent is about: a call, by its id; a file that the user mentioned, by the path as typed; or a check of the gate's own. */
export type Subject = string | { readonly mention: string } | undefined;

export interface PermissionGate {
  /** Resolves with the strictest decision over all accesses. An abort while waiting resolves as not allowed. */
  authorize(accesses: readonly Access[], about: Subject, signal: AbortSignal): Promise<Authorization>;
  /** Whoever could answer has gone: each question that waits, and every later one, is a recorded refusal. */
  leave(): void;
}

export interface PermissionGateDeps {
  readonly session: SessionHandle;
  readonly evaluator: PermissionEvaluator;
  /** Whether somebody can answer; otherwise an ask is a recorded refusal and the run goes on. */
  readonly somebodyToAsk: boolean;
  readonly newId: NewId;
}

const STRICTNESS = { allow: 0, ask: 1, deny: 2 } as const;

export function createPermissionGate({ session, evaluator, newId, ...deps }: PermissionGateDeps): PermissionGate {
  let { somebodyToAsk } = deps;
  /** The questions that somebody waits for here, by id, with what a refusal would name. */
  const waiting = new Map<string, string>();

  function request(verdict: Verdict, about: Subject): string {
    const open = session.state().turn.permissions.find((question) => isSame(question, verdict, about));
    if (open) return open.permissionRequestId;
    const permissionRequestId = newId();
    session.publish({ type: "permission.requested", payload: { permissionRequestId, ...asked(verdict, about) } });
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

  const grant = (permissionRequestId: string): void =>
    void session.publish({ type: "permission.granted", payload: { permissionRequestId, scope: "once" } });

  /** What has no call to hang on has its request recorded, so that the fold can tell what was refused. */
  function refuse(verdict: Verdict, about: Subject): Authorization {
    const id = typeof about === "string" ? newId() : request(verdict, about);
    const source = verdict.tier === "floor" ? "hardline" : "policy";
    return deny(id, source, `Not allowed: ${verdict.descriptor}. ${verdict.because}`);
  }

  async function ask(verdict: Verdict, about: Subject, signal: AbortSignal): Promise<Authorization> {
    const id = request(verdict, about);
    const unanswered = `${typeof about === "object" ? "Not given" : "Not run"}: ${verdict.descriptor}. ${NOBODY_TO_ASK}`;
    if (!somebodyToAsk) return deny(id, "timeout", unanswered);
    waiting.set(id, unanswered);
    const answer = await answerTo(session, id, { signal, onEnd: () => waiting.delete(id) });
    if (answer) return answer;
    // A call's question is closed with the call; any other would stand for ever, although nobody waits for it.
    return typeof about === "string" ? { allowed: false, feedback: ABANDONED } : deny(id, "user", ABANDONED);
  }

  return {
    async authorize(accesses, about, signal) {
      if (signal.aborted) return { allowed: false, feedback: ABANDONED };
      const [first, ...others] = accesses.map((access) => evaluator.evaluate(access));
      if (!first) return { allowed: true, via: "policy-allow" }; // it touches nothing
      const verdict = others.reduce((a, b) => (STRICTNESS[b.action] > STRICTNESS[a.action] ? b : a), first);
      switch (verdict.action) {
        case "allow":
          if (leavesTrace(verdict, about)) grant(request(verdict, about));
          return { allowed: true, via: verdict.tier === "rule" ? "rule" : "policy-allow" };
        case "deny":
          return refuse(verdict, about);
        case "ask":
          return ask(verdict, about, signal);
      }
    },
    leave() {
      somebodyToAsk = false;
      for (const [id, feedback] of waiting) deny(id, "timeout", feedback);
    },
  };
}

function asked(
  { capability, descriptor, suggestion, because, tier }: Verdict,
  about: Subject,
): Omit<Payload<"permission.requested">, "permissionRequestId"> {
  return {
    ...(typeof about === "string" && { toolUseId: about }),
    capability,
    descriptor,
    ...(suggestion && { suggestion }),
    ...((tier === "rule" || tier === "guarded" || tier === "default") && { tier }),
    because,
    ...(typeof about === "object" && about),
  };
}

/** Asked before a restart, a question is not asked again. Whether a call may repeat itself is another than whether it may run. */
function isSame(question: OpenPermission, { capability, descriptor }: Verdict, about: Subject): boolean {
  if (typeof about !== "string") {
    return (
      question.toolUseId === undefined && question.mention === about?.mention && question.descriptor === descriptor
    );
  }
  if (question.toolUseId !== about) return false;
  return (question.capability === "loop.continue") === (capability === "loop.continue");
}

/** Compactions that may go on are counted from the consent: also where a policy gives it, the fold has to see it. */
const leavesTrace = ({ capability }: Verdict, about: Subject): boolean =>
  capability === "loop.continue" && about === undefined;

const ABANDONED = "The turn was interrupted before an answer came.";

/** Waits until the log answers this request. Undefined when the turn is aborted first. */
function answerTo(
  session: SessionHandle,
  permissionRequestId: string,
  { signal, onEnd }: { readonly signal: AbortSignal; readonly onEnd: () => void },
): Promise<Authorization | undefined> {
  return new Promise((resolve) => {
    const finish = (authorization?: Authorization) => {
      onEnd();
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
