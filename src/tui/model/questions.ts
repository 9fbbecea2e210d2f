/**
 * The questions that wait for the user's consent. One ends with its answer, or with what it was about: the call has its
 * result, the turn goes on without it.
 */
import { type DurableEvent, type Projection, projection } from "../../shared/index.ts";
import type { OpenQuestion } from "./items.ts";

type Questions = readonly OpenQuestion[];

/** A question enters without what it is about; the timeline knows the call. */
export const openQuestions: Projection<Questions> = projection<Questions>("open-questions", () => [], {
  "permission.requested": (open, event) => [...open, questionOf(event)],
  "permission.granted": (open, { payload }) => keep(open, (one) => one.requestId !== payload.permissionRequestId),
  "permission.denied": (open, { payload }) => keep(open, (one) => one.requestId !== payload.permissionRequestId),
  "tool.completed": (open, { payload }) => keep(open, (one) => one.toolUseId !== payload.toolUseId),
  "tool.failed": (open, { payload }) => keep(open, (one) => one.toolUseId !== payload.toolUseId),
  "tool.cancelled": (open, { payload }) => keep(open, (one) => one.toolUseId !== payload.toolUseId),
  "session.resumed": (open, { payload }) => (payload.fork ? [] : keep(open, (one) => one.toolUseId !== undefined)),
  "user.interrupted": (open) => keep(open, hangsOnSomething),
  "user.message-created": (open) => keep(open, hangsOnSomething),
  "user.steering-injected": (open, { payload }) => (payload.seam === "withdrawn" ? open : keep(open, hangsOnSomething)),
  "verify.result": (open) => keep(open, hangsOnSomething),
  "task.completed": (open) => keep(open, hangsOnSomething),
  "task.failed": (open) => keep(open, hangsOnSomething),
});

/** Else it is about a check that the turn's end wanted, and is asked again when that is still so. */
const hangsOnSomething = ({ toolUseId, mention }: OpenQuestion): boolean =>
  toolUseId !== undefined || mention !== undefined;

function questionOf({ payload }: DurableEvent<"permission.requested">): OpenQuestion {
  const { permissionRequestId: requestId, toolUseId, capability, descriptor } = payload;
  const { suggestion, because, tier, mention } = payload;
  return { requestId, toolUseId, call: undefined, capability, descriptor, suggestion, because, tier, mention };
}

/** The same list when nothing goes. */
function keep(open: Questions, stays: (question: OpenQuestion) => boolean): Questions {
  if (open.length === 0) return open;
  const left = open.filter(stays);
  return left.length === open.length ? open : left;
}
