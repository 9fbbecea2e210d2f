/** The few sentences that the program itself says to the model. Each is recorded when said, so a change here alters no log. */
import type { CheckResult, Payload } from "../shared/index.ts";
import type { NextAction } from "./actions.ts";

export const CONTINUATIONS = {
  "max-tokens":
    "Your answer was cut at the output limit. Continue from where it stopped, without repeating what was said.",
  empty: "Your last turn was empty. If the task is finished, say what was done; otherwise go on.",
  paused: "Continue.",
  resumed: "Continue with the task from where it stopped.",
} as const;

/** The message that goes with a continuation. */
export function continuation(next: Extract<NextAction, { kind: "continue" }>): Payload<"user.message-created"> {
  const said = { mentions: [], by: "kernel" as const };
  if (next.because !== "misfit") return { text: CONTINUATIONS[next.because], ...said };
  const text = `Your answer does not fit the JSON schema that was asked for: ${next.problem}. Give the whole answer again, as JSON that fits, and nothing else.`;
  return { text, ...said, answerRepair: true };
}

export const CANCELLED = {
  interrupted: {
    running: "[Cancelled by the user while it was running. It may have had effects; look before repeating it.]",
    pending: "[Cancelled by the user. It was not run.]",
  },
  budget: {
    running: "[Stopped at the time limit while it was running. It may have had effects; look before repeating it.]",
    pending: "[The time limit was reached. It was not run.]",
  },
  unknown: {
    running: "[Stopped while it was running. It may have had effects; look before repeating it.]",
    pending: "[The answer that asked for this ended for a reason that this program does not know. It was not run.]",
  },
} as const;

export const NOBODY_TO_ASK =
  "This needs the user's approval, and nobody is there to give it. Do not try to reach the same end in another way; " +
  "go on with what is allowed, or finish and say what could not be done.";

export const LOOP_REFUSED =
  "This is the third identical call in a row, and the last two gave the same result. It was not run. Try something else, " +
  "or finish and say what is in the way.";

/** What a withheld answer comes back with: the recorded result, and the end of what the check printed. */
export function nudgeText({ command, exitCode, summary }: CheckResult, excerpt: string): string {
  const shown = excerpt.trim() === "" ? summary : excerpt.trimEnd();
  return [
    `The check \`${command}\` fails with exit code ${exitCode} after your changes. Its output ends with:`,
    "```",
    shown,
    "```",
    "Fix the cause, or, if the failure has nothing to do with your changes, explain why.",
  ].join("\n");
}
