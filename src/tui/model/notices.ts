/** The words for what happens beside the conversation. A fact of the log, and no more than it says; foreign text is spelled out. */
import { budgetText, type Payload } from "../../shared/index.ts";
import { durationWords } from "../duration.ts";
import { oneLine, oneName } from "../spelling.ts";
import type { NoticeItem, OpenQuestion } from "./items.ts";
import { push, type Timeline } from "./timeline-state.ts";

export type Words = Pick<NoticeItem, "tone" | "text">;

/** A handler that tells of the event in a line; undefined says nothing. */
export const notice =
  <P>(words: (payload: P) => Words | undefined) =>
  (
    state: Timeline,
    { id, seq, payload }: { readonly id: string; readonly seq: number; readonly payload: P },
  ): Timeline => {
    const said = words(payload);
    return said ? push(state, { id, seq, kind: "notice", ...said }) : state;
  };

export const muted = (text: string): Words => ({ tone: "muted", text });

export function modelWords(
  { from, to, reason, effort, thinking }: Payload<"session.model-changed">,
  failure: string | undefined,
): Words {
  if (reason === "fallback") {
    const why = failure === undefined ? "" : `: ${oneLine(failure)}`;
    return { tone: "warn", text: `${oneName(from)} did not answer${why}. Going on with ${oneName(to)}.` };
  }
  const settings = [
    ...(from === to ? [] : [`Model: ${oneName(from)} → ${oneName(to)}`]),
    ...(effort === undefined ? [] : [`effort: ${oneName(effort)}`]),
    ...(thinking === undefined ? [] : [`thinking: ${oneName(thinking)}`]),
  ];
  return muted(settings.length > 0 ? settings.join(" · ") : `Model: ${oneName(to)}`);
}

/** `isCutOff`: a turn was under way when the program ended. A torn end is told by the resume that moved it. */
export function resumeWords({ fork }: Payload<"session.resumed">, isCutOff: boolean): Words {
  if (!fork && isCutOff) return muted("Resumed. The turn was cut off before its end.");
  if (!fork) return muted("Resumed.");
  return muted(`${fork.kind === "rewind" ? "Went back to" : "Forked from"} ${oneName(fork.sessionId)} at ${fork.seq}.`);
}

/** What the program itself said to the model. */
export const nudgeWords = ({ text }: Payload<"user.message-created">): Words =>
  muted(`Told the model: ${oneLine(text)}`);

export function grantWords(
  { scope, mode, budget }: Payload<"permission.granted">,
  asked: OpenQuestion | undefined,
): Words | undefined {
  if (budget !== undefined) return muted(`Budget: ${budgetText(budget)}`);
  if (mode !== undefined) return muted(`Permission mode: ${mode}`);
  if (scope === "once") return undefined;
  const { capability, pattern } = asked?.suggestion ?? { capability: asked?.capability ?? "", pattern: "" };
  const what = pattern === "" ? oneLine(asked?.descriptor ?? "") : `${oneName(capability)} “${oneName(pattern)}”`;
  return muted(`Allowed ${SCOPES[scope]}: ${what}`);
}

const SCOPES = {
  session: "for this session",
  "always-project": "always in this project",
  "always-user": "always for you",
} as const;

/** A refusal of a call is told by the call. */
export function denialWords(
  { source, feedback }: Payload<"permission.denied">,
  asked: OpenQuestion | undefined,
): Words | undefined {
  if (!asked || asked.toolUseId !== undefined) return undefined;
  const why = source === "user" ? "" : ` (${oneLine(feedback)})`;
  return { tone: "warn", text: `Not allowed: ${oneLine(asked.descriptor)}${why}` };
}

export const processStartWords = ({ name, command }: Payload<"process.started">): Words =>
  muted(`Process started: ${oneLine(name ?? command)}`);

export function processExitWords(
  { exitCode, signal, cause, durationMs }: Payload<"process.exited">,
  name: string,
): Words {
  const after = ` after ${durationWords(durationMs)}`;
  if (cause === "khaelor-shutdown") return muted(`Process stopped with khaelor: ${name}`);
  if (cause === "stopped-by-tool") return muted(`Process stopped${after}: ${name}`);
  if (exitCode === 0) return muted(`Process done${after}: ${name}`);
  const how = exitCode === null ? `killed${signal === undefined ? "" : ` by ${oneName(signal)}`}` : `exit ${exitCode}`;
  return { tone: "warn", text: `Process ended with ${how}${after}: ${name}` };
}

/** Where no check is known, the summary at the end of the turn says so. */
export function verificationWords({ detectedChecks }: Payload<"task.verification-requested">): Words | undefined {
  const [first] = detectedChecks;
  return first === undefined ? undefined : muted(`Checking the changes: ${oneLine(first)}`);
}

/** What the model ran itself is told by its call. */
export function checkWords({
  command,
  exitCode,
  durationMs,
  observedFrom,
  summary,
}: Payload<"verify.result">): Words | undefined {
  if (observedFrom === "tool") return undefined;
  const told = `${oneLine(command)} · ${summary === "" ? "" : `${oneLine(summary)} · `}${durationWords(durationMs)}`;
  return exitCode === 0
    ? { tone: "ok", text: `Check passed: ${told}` }
    : { tone: "warn", text: `Check failed with exit ${exitCode}: ${told}` };
}

export const memoryWords = ({ op, scope, slug }: Payload<"memory.written">): Words =>
  muted(
    `${op === "delete" ? "Forgot" : "Remembered"} for ${scope === "user" ? "you" : "this project"}: ${oneName(slug)}`,
  );

export const phaseWords = {
  entered: ({ phase, goal }: Payload<"phase.entered">): Words =>
    muted(`Phase: ${oneName(phase)}${goal === undefined ? "" : ` · ${oneLine(goal)}`}`),
  artifact: ({ kind, path }: Payload<"phase.artifact">): Words => muted(`Wrote the ${kind}: ${oneName(path)}`),
  approved: (): Words => ({ tone: "ok", text: "Approved." }),
  rejected: ({ feedback }: Payload<"phase.rejected">): Words => ({
    tone: "warn",
    text: `Sent back${feedback === "" ? "." : `: ${oneLine(feedback)}`}`,
  }),
} as const;

export const subtaskStartWords = ({ title }: Payload<"subtask.created">): Words =>
  muted(`Subtask started: ${oneName(title)}`);

export function subtaskEndWords({ status, changedFiles }: Payload<"subtask.completed">): Words {
  const files =
    changedFiles.length === 0
      ? ""
      : ` · ${changedFiles.length} ${changedFiles.length === 1 ? "file" : "files"} changed`;
  return status === "done" ? muted(`Subtask done${files}`) : { tone: "warn", text: `Subtask ended: ${status}${files}` };
}
