/**
 * What the user changes about permissions while a session runs: the mode, and rules that hold until it ends. Each change is
 * recorded before it counts. The mode without questions cannot be reached from here, so that no slip of a key reaches it.
 */
import type { KhaelorConfig } from "../config/index.ts";
import type { SessionHandle } from "../session/index.ts";
import type { NewId, PermissionMode, PermissionRule } from "../shared/index.ts";
import type { EvaluatorWithPasted } from "./pasted-files.ts";

/** In the order in which one key goes through them. */
export const MODES_AT_HAND = ["ask", "accept-edits", "plan"] as const satisfies readonly PermissionMode[];
export type ModeAtHand = (typeof MODES_AT_HAND)[number];

export type RuleInForce = PermissionRule & { readonly source: string };

export interface PermissionControl {
  mode(): PermissionMode;
  /** What was asked already stays asked. Throws StoreError. */
  setMode(mode: ModeAtHand): void;
  /** Goes to the next of the modes at hand, and returns it. Throws StoreError. */
  nextMode(): ModeAtHand;
  /** In the order of judgement: the last that matches wins. What was pasted stands behind them. */
  rules(): readonly RuleInForce[];
  /** An allowance is recorded and holds again when the session is resumed; a refusal holds while it is open. */
  addRule(rule: PermissionRule): void;
  /** What the user has just answered "always" to is in force already, and is listed from here on. */
  noteGrant(rule: PermissionRule): void;
  /** It may be read from now on, as long as the session is open. */
  notePasted(path: string): void;
}

interface ControlParts {
  readonly session: SessionHandle;
  readonly evaluator: EvaluatorWithPasted;
  readonly config: KhaelorConfig;
  readonly newId: NewId;
}

export function createPermissionControl({ session, evaluator, config, newId }: ControlParts): PermissionControl {
  /** Of rules that came while the session ran: who said them, when it was not an answer to a question of this session. */
  const sources = new Map<PermissionRule, string>();

  function setMode(mode: ModeAtHand): void {
    if (mode === evaluator.mode()) return;
    const payload = { permissionRequestId: newId(), scope: "session", mode } as const;
    session.publish({ type: "permission.granted", payload });
    evaluator.setMode(mode);
  }

  return {
    mode: evaluator.mode,
    setMode,
    nextMode() {
      const modes: readonly PermissionMode[] = MODES_AT_HAND;
      const at = modes.indexOf(evaluator.mode()); // -1, of the mode without questions, leads to the first
      const next = MODES_AT_HAND[(at + 1) % MODES_AT_HAND.length] ?? "ask";
      setMode(next);
      return next;
    },
    rules: () => [
      ...evaluator.rules().map((rule, at) => {
        const { capability, pattern, action } = rule;
        // The configured ones come first there, each in its place.
        return {
          capability,
          pattern,
          action,
          source: config.permissions[at]?.source ?? sources.get(rule) ?? "session",
        };
      }),
      ...evaluator
        .pasted()
        .map((pattern) => ({ capability: "file.read", pattern, action: "allow", source: "pasted" }) as const),
    ],
    addRule(rule) {
      if (rule.action === "allow") recordAllowance(session, newId(), rule);
      else sources.set(rule, "this run");
      evaluator.addRule(rule);
    },
    notePasted: evaluator.notePasted,
    noteGrant: (rule) => void sources.set(rule, "grant"),
  };
}

/** Why a question was asked that the user put and answered in one: nobody was interrupted by it. */
export const OWN_RULE = "You asked for this rule.";

/** The user asks and answers at once, in the words of any other question, so that every reader of the log understands it. */
function recordAllowance(session: SessionHandle, permissionRequestId: string, rule: PermissionRule): void {
  const { capability, pattern } = rule;
  const descriptor = `${capability} ${pattern}`;
  session.publish({
    type: "permission.requested",
    payload: { permissionRequestId, capability, descriptor, because: OWN_RULE, suggestion: { capability, pattern } },
  });
  session.publish({ type: "permission.granted", payload: { permissionRequestId, scope: "session" } });
}

/**
 * The mode that a session goes on in: what was typed now, else what the user chose in it, else what is configured. That
 * nothing is asked has to be said anew each time.
 */
export function modeOnResume(typed: PermissionMode | undefined, chosen: string | undefined, usual: PermissionMode) {
  return typed ?? MODES_AT_HAND.find((mode) => mode === chosen) ?? usual;
}
