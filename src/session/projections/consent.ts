/**
 * Consent as the folds see it: which questions wait for an answer, and what an answer means for the call it was about. A
 * question ends with its answer, or with what it was about: the call has its result, the turn goes on without it.
 */
import { type DurableEvent, type Payload, type Projection, projection } from "../../shared/index.ts";
import type { OpenPermission, PendingCall, TurnState } from "../types.ts";

type Questions = readonly OpenPermission[];

/** The open questions. One authority, asked by every fold that tells of them. */
export const openPermissions: Projection<Questions> = projection<Questions>("open-permissions", () => [], {
  "permission.requested": (open, { payload }) => [...open, payload],
  "permission.granted": (open, { payload }) => without(open, payload),
  "permission.denied": (open, { payload }) => without(open, payload),
  "tool.completed": (open, { payload }) => withoutCall(open, payload),
  "tool.failed": (open, { payload }) => withoutCall(open, payload),
  "tool.cancelled": (open, { payload }) => withoutCall(open, payload),
  "session.resumed": (open, { payload }) => (payload.fork ? [] : ofCalls(open)),
  "user.interrupted": (open) => withoutChecks(open),
  "user.message-created": (open) => withoutChecks(open),
  "user.steering-injected": (open, { payload }) => (payload.seam === "withdrawn" ? open : withoutChecks(open)),
  "verify.result": (open) => withoutChecks(open),
  "task.completed": (open) => withoutChecks(open),
  "task.failed": (open) => withoutChecks(open),
});

type Answer = Pick<Payload<"permission.granted">, "permissionRequestId">;

const without = (open: Questions, { permissionRequestId }: Answer): Questions =>
  keep(open, (question) => question.permissionRequestId !== permissionRequestId);

const withoutCall = (open: Questions, { toolUseId }: Pick<Payload<"tool.failed">, "toolUseId">): Questions =>
  keep(open, (question) => question.toolUseId !== toolUseId);

/** A check of the gate's own hangs on no call: whoever asked for it is gone, and asks again if it is still needed. */
const withoutChecks = (open: Questions): Questions => keep(open, (question) => !isAboutCheck(question));

const isAboutCheck = ({ toolUseId, mention }: OpenPermission): boolean =>
  toolUseId === undefined && mention === undefined;

/** What was being captured when the program ended is not recorded as said. */
const ofCalls = (open: Questions): Questions => keep(open, (question) => question.toolUseId !== undefined);

/** The same list when nothing goes. */
function keep(open: Questions, stays: (question: OpenPermission) => boolean): Questions {
  if (open.length === 0) return open;
  const left = open.filter(stays);
  return left.length === open.length ? open : left;
}

/** They see the questions as they were before the event. */
export const consentHandlers = {
  "permission.requested": (state: TurnState, { payload }: DurableEvent<"permission.requested">): TurnState =>
    atStage(state, payload.toolUseId, { stage: "waiting" }),
  "permission.granted": (state: TurnState, { payload }: DurableEvent<"permission.granted">): TurnState => {
    const asked = questionOf(state, payload);
    if (asked?.capability !== "loop.continue") return atStage(state, asked?.toolUseId, { stage: "granted" });
    if (asked.toolUseId === undefined) return { ...state, compactedAt: [] }; // it was about compactions, and they may go on
    const rest = atStage(state, asked.toolUseId, { stage: "requested" });
    return { ...rest, loopGrants: [...state.loopGrants, asked.toolUseId] };
  },
  "permission.denied": (state: TurnState, { payload }: DurableEvent<"permission.denied">): TurnState => {
    const asked = questionOf(state, payload);
    if (asked?.toolUseId !== undefined) {
      return atStage(state, asked.toolUseId, { stage: "denied", feedback: payload.feedback });
    }
    if (!asked || !isAboutCheck(asked)) return state;
    if (asked.capability === "loop.continue") return { ...state, thrashRefused: true };
    return { ...state, verification: { ...state.verification, refused: true } };
  },
  "tool.approved": (state: TurnState, { payload }: DurableEvent<"tool.approved">): TurnState =>
    atStage(state, payload.toolUseId, { stage: "approved" }),
  "tool.started": (state: TurnState, { payload }: DurableEvent<"tool.started">): TurnState =>
    atStage(state, payload.toolUseId, {
      stage: "started",
      ...(payload.picture !== undefined && { picture: payload.picture }),
    }),
};

const questionOf = ({ permissions }: TurnState, { permissionRequestId }: Answer): OpenPermission | undefined =>
  permissions.find((question) => question.permissionRequestId === permissionRequestId);

function atStage(
  state: TurnState,
  toolUseId: string | undefined,
  reached: Pick<PendingCall, "stage" | "feedback" | "picture">,
): TurnState {
  const at = state.pending.findIndex((call) => call.toolUseId === toolUseId);
  const call = state.pending[at];
  return call ? { ...state, pending: state.pending.with(at, { ...call, ...reached }) } : state;
}
