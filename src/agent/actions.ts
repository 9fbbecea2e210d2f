/** The closed list of what the kernel can do next, and what it may spend. */
import type { QueuedSteering, SessionState } from "../session/index.ts";
import type { Payload } from "../shared/index.ts";
import type { GateStep } from "./evidence.ts";

export type Seam = Payload<"user.steering-injected">["seam"];
export type Trigger = Payload<"context.compacted">["trigger"];

export type NextAction =
  | { readonly kind: "idle" | "interrupted" | "execute-tools" | "complete" | "call-model" }
  /** A call repeats itself without effect: ask whether it may go on. */
  | { readonly kind: "ask-user"; readonly toolUseId: string }
  | { readonly kind: "inject-steering"; readonly item: QueuedSteering; readonly seam: Seam }
  | { readonly kind: "prune"; readonly decision: Payload<"context.pruned"> }
  | { readonly kind: "compact"; readonly trigger: Trigger }
  /** Record a message of the program's own and ask again. */
  | { readonly kind: "continue"; readonly because: "max-tokens" | "empty" | "paused" }
  | { readonly kind: "verify"; readonly step: Exclude<GateStep, { kind: "complete" }> }
  | { readonly kind: "give-up"; readonly failure: Payload<"task.failed"> };

/** Limits, and two pure questions to the context engine. */
export interface TurnPolicy {
  readonly maxIterations: number;
  readonly prune: (state: SessionState) => Payload<"context.pruned"> | undefined;
  readonly needsCompaction: (state: SessionState) => boolean;
}
