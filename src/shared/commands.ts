/** What a front asks of the engine. Commands cause events; they are not events, and are never stored. */
import type { Payload } from "./events/catalog.ts";

export type Mention = Payload<"user.message-created">["mentions"][number];
export type PermissionDecision = "once" | "session" | "always-project" | "always-user" | "deny";

export type KernelCommand =
  | { readonly kind: "submit-message"; readonly text: string; readonly mentions: readonly Mention[] }
  | {
      readonly kind: "steer";
      readonly text: string;
      readonly deliver?: "now" | "next-turn";
      readonly mentions?: readonly Mention[];
    }
  /** Takes back what is queued, unless it has been delivered already. */
  | { readonly kind: "withdraw"; readonly queuedEventId: string }
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

const TYPED_MENTIONS = [
  {
    path: "string >= 1",
    "range?": { start: "number.integer >= 1", end: "number.integer >= 1", "+": "reject" },
    "+": "reject",
  },
  "[]",
] as const;

/** The fields of each command as a program writes them, beside `kind`; what the type above demands may be left out here. */
export const COMMAND_FIELDS = {
  "submit-message": { text: "string", "mentions?": TYPED_MENTIONS, "+": "reject" },
  steer: { text: "string", "deliver?": "'now' | 'next-turn'", "mentions?": TYPED_MENTIONS, "+": "reject" },
  withdraw: { queuedEventId: "string >= 1", "+": "reject" },
  interrupt: { "+": "reject" },
  "permission-response": {
    requestId: "string >= 1",
    decision: "'once' | 'session' | 'always-project' | 'always-user' | 'deny'",
    "feedback?": "string",
    "+": "reject",
  },
  slash: { command: "string >= 1", "args?": "string", "+": "reject" },
  shell: { command: "string >= 1", "+": "reject" },
  quit: { "+": "reject" },
} as const satisfies Readonly<Record<KernelCommand["kind"], unknown>>;
