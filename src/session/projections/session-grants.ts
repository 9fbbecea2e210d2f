/** What the user allowed for the rest of a session: rules and caps hold again when it is resumed, for the log is all that knows them. */
import { type Payload, type Projection, projection } from "../../shared/index.ts";
import type { SessionGrants } from "../types.ts";

type Suggestion = NonNullable<Payload<"permission.requested">["suggestion"]>;
type Answer = Pick<Payload<"permission.granted">, "permissionRequestId">;

const NONE: SessionGrants = { mode: undefined, rules: [], asked: {} };

export const sessionGrants: Projection<SessionGrants> = projection<SessionGrants>("session-grants", () => NONE, {
  "permission.requested": (state, { payload: { permissionRequestId, suggestion } }) =>
    suggestion ? { ...state, asked: { ...state.asked, [permissionRequestId]: suggestion } } : state,
  // Another mode than the chosen one was asked for when it was opened again.
  "session.resumed": (state, { payload: { permissionMode } }) =>
    permissionMode === undefined || permissionMode === state.mode ? state : { ...state, mode: undefined },
  "permission.granted": (state, { payload }) => {
    const { mode, budget } = payload;
    if (mode !== undefined || budget !== undefined)
      return { ...state, ...(mode && { mode }), ...chosen(state, budget) };
    const rule = state.asked[payload.permissionRequestId];
    const answered = without(state, payload);
    return rule && payload.scope === "session" ? { ...answered, rules: added(answered.rules, rule) } : answered;
  },
  "permission.denied": (state, { payload }) => without(state, payload),
  // A question that its turn has left behind can still be answered after a resume; a new message of the user's ends it.
  "user.message-created": (state, { payload }) =>
    payload.by === "kernel" || Object.keys(state.asked).length === 0 ? state : { ...state, asked: {} },
});

/** Each scope keeps what was said of it last. */
const chosen = ({ budget: before }: SessionGrants, budget: Payload<"permission.granted">["budget"]) =>
  budget && { budget: { ...before, ...budget } };

function without(state: SessionGrants, { permissionRequestId }: Answer): SessionGrants {
  if (!Object.hasOwn(state.asked, permissionRequestId)) return state;
  const { [permissionRequestId]: _answered, ...asked } = state.asked;
  return { ...state, asked };
}

const added = (rules: SessionGrants["rules"], rule: Suggestion): SessionGrants["rules"] =>
  rules.some(({ capability, pattern }) => capability === rule.capability && pattern === rule.pattern)
    ? rules
    : [...rules, rule];
