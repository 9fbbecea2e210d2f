/**
 * The transcript's items as a fold over the log: the same function for live events and for replay. Total, so that a new
 * event type cannot be forgotten. How its lists grow in place is in `timeline-state.ts`; an item that changes is a new object.
 */
import { type DurableEvent, type Payload, type Projection, total } from "../../shared/index.ts";
import { oneLine, oneName } from "../spelling.ts";
import { keepTail } from "./bounded-text.ts";
import { answered, askAbout, cancelCall, completeCall, failCall, modifyFile, startCall } from "./call-items.ts";
import { compactionWords, type PriceOf, pruneWords, summaryCost } from "./compactions.ts";
import {
  checkWords,
  denialWords,
  grantWords,
  memoryWords,
  modelWords,
  muted,
  notice,
  nudgeWords,
  phaseWords,
  processExitWords,
  processStartWords,
  resumeWords,
  subtaskEndWords,
  subtaskStartWords,
  verificationWords,
} from "./notices.ts";
import { beginAnswer, endAnswer, failAnswer, settleBlock, settleStopped, stopAnswer } from "./open-answer.ts";
import { completeTask, failTask } from "./outcomes.ts";
import { openQuestions } from "./questions.ts";
import { queuedChips } from "./queued.ts";
import { callOf, initialTimeline, push, type Timeline } from "./timeline-state.ts";

const items = total<Timeline>("timeline", initialTimeline, {
  "git.baseline-recorded": "ignored",
  "session.started": "ignored",
  "session.resumed": (state, event) => {
    const isCutOff = state.inTurn && state.questions.length === 0;
    const told = notice((payload: Payload<"session.resumed">) => resumeWords(payload, isCutOff))(
      withFailure(state),
      event,
    );
    return { ...told, inTurn: false, processes: new Map() };
  },
  "session.renamed": notice(({ title }: Payload<"session.renamed">) => muted(`Renamed: ${oneName(title)}`)),
  "session.model-changed": (state, event) =>
    notice((payload: Payload<"session.model-changed">) => modelWords(payload, state.failure?.message))(
      { ...state, failure: undefined },
      event,
    ),

  "user.message-created": (state, event) => say(settleStopped(withFailure(state)), event),
  "user.steering-queued": "ignored",
  "user.steering-injected": (state, event) =>
    event.payload.seam === "withdrawn" ? state : inject(settleStopped(state), event),
  "user.interrupted": stopAnswer,

  "model.request-started": beginAnswer,
  "model.text-block-completed": settleBlock,
  "model.thinking-block-completed": settleBlock,
  "model.response-completed": endAnswer,
  "model.request-failed": failAnswer,

  "permission.requested": askAbout,
  "permission.granted": (state, event) => {
    const asked = askedBy(state, event);
    return notice((payload: Payload<"permission.granted">) => grantWords(payload, asked))(
      answered(state, event),
      event,
    );
  },
  "permission.denied": (state, event) => {
    const asked = askedBy(state, event);
    return notice((payload: Payload<"permission.denied">) => denialWords(payload, asked))(
      answered(state, event),
      event,
    );
  },

  "tool.requested": settleBlock,
  "tool.approved": "ignored",
  "tool.started": startCall,
  "tool.completed": completeCall,
  "tool.failed": failCall,
  "tool.cancelled": cancelCall,

  "file.read": "ignored",
  "file.modified": modifyFile,

  "process.started": (state, event) => {
    const { processId, name, command } = event.payload;
    const processes = new Map(state.processes).set(processId, oneLine(name ?? command));
    return notice(processStartWords)({ ...state, processes }, event);
  },
  "process.exited": (state, event) => {
    const name = state.processes.get(event.payload.processId) ?? oneName(event.payload.processId);
    const processes = new Map(state.processes);
    processes.delete(event.payload.processId);
    return notice((payload: Payload<"process.exited">) => processExitWords(payload, name))(
      { ...state, processes },
      event,
    );
  },

  "context.compacted": (state, { id, seq, payload }) =>
    push(state, { id, seq, kind: "divider", ...compactionWords(payload, state.summaries.usd) }),
  "context.pruned": (state, { id, seq, payload }) => push(state, { id, seq, kind: "divider", ...pruneWords(payload) }),

  "task.completed": completeTask,
  "task.failed": failTask,
  "task.verification-requested": notice(verificationWords),
  "verify.result": notice(checkWords),

  "memory.written": notice(memoryWords),
  "phase.approved": notice(phaseWords.approved),
  "phase.artifact": notice(phaseWords.artifact),
  "phase.entered": notice(phaseWords.entered),
  "phase.rejected": notice(phaseWords.rejected),
  "subtask.completed": notice(subtaskEndWords),
  "subtask.created": notice(subtaskStartWords),
});

/**
 * Questions, queue and the cost of summaries go along: what an answer, a seam or a checkpoint means follows from how they stood
 * before it. `price`: of what is reported; without one no cost is told.
 */
export function timelineWith(price?: PriceOf): Projection<Timeline> {
  const costs = summaryCost(price);
  return {
    ...items,
    apply(state, event) {
      const next = items.apply(state, event);
      const questions = openQuestions.apply(state.questions, event);
      const queued = queuedChips.apply(state.queued, event);
      const summaries = costs.apply(state.summaries, event);
      const told = summaries === state.summaries ? next : { ...next, summaries };
      if (questions === state.questions && queued === state.queued) return told;
      return { ...told, queued, questions: questions.map((question) => aboutCall(told, question)) };
    },
  };
}

export const timeline = timelineWith();

function aboutCall(state: Timeline, question: Timeline["questions"][number]): Timeline["questions"][number] {
  if (question.call || question.toolUseId === undefined) return question;
  const call = callOf(state, question.toolUseId);
  return call ? { ...question, call: { name: call.name, input: call.input } } : question;
}

type Answer = DurableEvent<"permission.granted" | "permission.denied">;

const askedBy = ({ questions }: Timeline, { payload }: Answer) =>
  questions.find(({ requestId }) => requestId === payload.permissionRequestId);

function say(state: Timeline, event: DurableEvent<"user.message-created">): Timeline {
  const { id, seq, payload } = event;
  const { text, mentions, shell, by, attachments = [] } = payload;
  if (shell) {
    const { command, exitCode } = shell;
    return push(state, { id, seq, kind: "shell", command, exitCode, ...keepTail(shell.output) });
  }
  const begun = { ...state, inTurn: true };
  if (by === "kernel") return notice(nudgeWords)(begun, event);
  return push(begun, { id, seq, kind: "user", text, mentions, images: attachments.map(({ name }) => name) });
}

function inject(state: Timeline, { id, seq, payload }: DurableEvent<"user.steering-injected">): Timeline {
  const chip = state.queued.find(({ eventId }) => eventId === payload.queuedEventId);
  if (!chip) return state;
  const { text, mentions, images } = chip;
  const isSteering = chip.deliver === "now" && state.inTurn;
  const said = {
    id,
    seq,
    kind: "user" as const,
    text,
    mentions,
    images,
    ...(isSteering && { isSteering: true as const }),
  };
  return push({ ...state, inTurn: true }, said);
}

/** A failure that neither another model nor the end of the turn has told of. */
function withFailure(state: Timeline): Timeline {
  const { failure } = state;
  if (!failure) return state;
  const { id, seq, message } = failure;
  return push({ ...state, failure: undefined }, { id, seq, kind: "notice", tone: "error", text: oneLine(message) });
}
