/** The closed list of what the kernel can do next, and what it may spend. */
import type { QueuedSteering, SessionState } from "../session/index.ts";
import type { DurableInput, Payload } from "../shared/index.ts";
import type { GateStep } from "./evidence.ts";

export type Seam = Payload<"user.steering-injected">["seam"];
export type Trigger = Payload<"context.compacted">["trigger"];

export type NextAction =
  | { readonly kind: "idle" | "interrupted" | "execute-tools" | "complete" | "call-model" }
  /** A call repeats itself without effect, or, without one, compactions do: ask whether it may go on. */
  | { readonly kind: "ask-user"; readonly toolUseId?: string }
  | { readonly kind: "inject-steering"; readonly item: QueuedSteering; readonly seam: Seam }
  | { readonly kind: "prune"; readonly decision: Payload<"context.pruned"> }
  | { readonly kind: "compact"; readonly trigger: Trigger }
  /** Record a message of the program's own and ask again. */
  | { readonly kind: "continue"; readonly because: "max-tokens" | "empty" | "paused" }
  | { readonly kind: "continue"; readonly because: "misfit"; readonly problem: string }
  /** Another model takes over: these events say so. */
  | { readonly kind: "fall-back"; readonly events: readonly DurableInput[] }
  | { readonly kind: "verify"; readonly step: Exclude<GateStep, { kind: "complete" }> }
  | { readonly kind: "give-up"; readonly failure: Payload<"task.failed"> };

/** Limits, and questions about the state; each is pure but for the time. */
export interface TurnPolicy {
  /** Why no further request may go out: asked before each one, compactions included. */
  readonly exceeded: (state: SessionState) => Payload<"task.failed"> | undefined;
  /** Why not even the request that just failed may be tried again, nor a summary asked for: the money is used up. */
  readonly outOfMoney?: (state: SessionState) => Payload<"task.failed"> | undefined;
  /** Why the turn ends now, whatever is open. Absent: there is no hurry. */
  readonly overdue?: () => Payload<"task.failed"> | undefined;
  readonly prune: (state: SessionState) => Payload<"context.pruned"> | undefined;
  readonly needsCompaction: (state: SessionState) => boolean;
  /** What makes another model take over after the last failure, in the order of publishing; undefined where none can help. */
  readonly fallback?: (state: SessionState) => readonly DurableInput[] | undefined;
  /** What is wrong with the form of an answer. Absent: any form will do. */
  readonly answerProblem?: (answer: string) => string | undefined;
}
