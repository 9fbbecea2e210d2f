/** What a front asks of the engine. Commands cause events; they are not events, and are never stored. */
import type { Payload } from "./events/catalog.ts";

export type Mention = Payload<"user.message-created">["mentions"][number];
export type PermissionDecision = "once" | "session" | "always-project" | "always-user" | "deny";

export type KernelCommand =
  | { readonly kind: "submit-message"; readonly text: string; readonly mentions: readonly Mention[] }
  | { readonly kind: "steer"; readonly text: string; readonly deliver?: "now" | "next-turn" }
  | { readonly kind: "interrupt" }
  | {
      readonly kind: "permission-response";
      readonly requestId: string;
      readonly decision: PermissionDecision;
      readonly feedback?: string;
    }
  | { readonly kind: "slash"; readonly command: string; readonly args: string }
  | { readonly kind: "shell"; readonly command: string }
  | { readonly kind: "quit" };
