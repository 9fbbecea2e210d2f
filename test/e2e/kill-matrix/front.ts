/**
 * The two programs that drive a run of the task: one over the streams that asks, steers and compacts (`stream`), and a print run
 * that allows everything (`print`). Both go by what the log holds, so they can begin again after a kill at any place.
 */
import { type Line, linesOf } from "../stage.ts";
import { FIRST, SECOND, STEERING } from "./task.ts";

export type FrontName = "stream" | "print";

export interface Front {
  readonly args: readonly string[];
  /** To be sent at once. */
  readonly opening: readonly (object | "end")[];
  /** The task was at its end before: there is nothing to do. */
  readonly isLate: boolean;
  /** What it answers to a line; `end` closes the input. Nothing for a run without an input. */
  answer(line: Line): readonly (object | "end")[];
}

const STREAM = ["-p", "--output-format", "stream-json", "--include-partial-messages"];

/** `log`: its whole lines. */
export const frontFor = (name: FrontName, log: string): Front =>
  name === "print" ? printFront(log) : streamFront(log);

function printFront(log: string): Front {
  const args = ["--yolo", ...STREAM];
  const { first, firstEnded } = progressOf(linesOf(log));
  const what = first ? [] : [FIRST];
  return { args: [...args, ...asResume(log), ...what], opening: [], isLate: firstEnded, answer: () => [] };
}

/** Where nothing was recorded there is nothing to go on with. */
const asResume = (log: string): readonly string[] => (log === "" ? [] : ["--resume"]);

interface Progress {
  readonly first: boolean;
  readonly firstEnded: boolean;
  readonly compacted: boolean;
  readonly second: boolean;
  readonly secondEnded: boolean;
  readonly isAsked: boolean;
  readonly isSteered: boolean;
}

const saysText =
  (text: string) =>
  ({ type, payload }: Line): boolean =>
    (type === "user.message-created" || type === "user.steering-queued") && payload.text === text;

export function progressOf(lines: readonly Line[]): Progress {
  const second = lines.findIndex(saysText(SECOND));
  const before = second === -1 ? lines : lines.slice(0, second);
  const isEnd = ({ type }: Line) => type === "task.completed" || type === "task.failed";
  return {
    first: lines.some(saysText(FIRST)),
    firstEnded: before.some(isEnd),
    compacted: lines.some(isOnDemand),
    second: second !== -1,
    secondEnded: second !== -1 && lines.slice(second).some(isEnd),
    isAsked: hasOpenQuestion(lines),
    isSteered: lines.some(saysText(STEERING)),
  };
}

const isOnDemand = ({ type, payload }: Line): boolean =>
  type === "context.compacted" && payload.trigger === "user-command";

/** A question about a check of the gate's own does not outlive the program: the gate asks anew when the turn goes on. */
function hasOpenQuestion(lines: readonly Line[]): boolean {
  const closed = new Set(
    lines.flatMap(({ type, payload }) =>
      /^(permission\.(granted|denied)|tool\.(completed|failed|cancelled))$/.test(type)
        ? [payload.permissionRequestId ?? payload.toolUseId]
        : [],
    ),
  );
  return lines.some(
    ({ type, payload }) =>
      type === "permission.requested" &&
      payload.toolUseId !== undefined &&
      !closed.has(payload.permissionRequestId) &&
      !closed.has(payload.toolUseId),
  );
}

const say = (text: string) => ({ kind: "submit-message", text });
const SAY_SECOND = say(SECOND);
const COMPACT = { kind: "slash", command: "compact", args: "the counter" };

function streamFront(log: string): Front {
  const known = progressOf(linesOf(log));
  const opening = openingOf(known);
  let { isSteered, firstEnded } = known;
  let second = known.second || opening.some((command) => command === SAY_SECOND);
  let started = 0;
  const answers: Readonly<Record<string, (line: Line) => readonly (object | "end")[]>> = {
    "permission.requested": ({ payload }) => [
      { kind: "permission-response", requestId: payload.permissionRequestId, decision: "once" },
    ],
    "tool.started": () => {
      if (isSteered || ++started < 4) return [];
      isSteered = true;
      return [{ kind: "steer", text: STEERING }];
    },
    "context.compacted": (line) => (isOnDemand(line) ? goOn() : []),
    "input-refused": () => goOn(),
    result: () => {
      if (second) return ["end"];
      if (firstEnded) return [];
      firstEnded = true;
      return [COMPACT];
    },
  };
  const goOn = (): readonly object[] => {
    if (second) return [];
    second = true;
    return [SAY_SECOND];
  };
  return {
    args: ["--permission-mode", "ask", "--input-format", "stream-json", ...STREAM, ...asResume(log)],
    opening,
    isLate: known.secondEnded,
    answer: (line) => answers[line.type]?.(line) ?? [],
  };
}

function openingOf({
  first,
  firstEnded,
  compacted,
  second,
  secondEnded,
  isAsked,
}: Progress): readonly (object | "end")[] {
  if (secondEnded) return ["end"];
  if (second || (first && !firstEnded)) return isAsked ? [] : [say("Go on.")];
  if (!first) return [say(FIRST)];
  return compacted ? [SAY_SECOND] : [COMPACT];
}
