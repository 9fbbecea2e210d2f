/** What goes on in a few words, and when these words change by themselves. */
import { shortDuration } from "../duration.ts";
import type { Tone } from "../line.ts";
import type { Activity } from "../model/items.ts";
import { oneLine } from "../spelling.ts";

export interface ActivityWords {
  readonly sign: string;
  readonly tone: Tone;
  readonly verb: string;
  /** What it is about: may be cut. */
  readonly what: string;
}

export function activityWords(activity: Activity, now: number): ActivityWords {
  switch (activity.kind) {
    case "idle":
      return { sign: "○", tone: "faint", verb: "ready", what: "" };
    case "starting":
      return { sign: "◌", tone: "faint", verb: "starting", what: "" };
    case "asking":
      return { sign: "◌", tone: "warn", verb: "waiting for you", what: "" };
    case "waiting-for-model":
      return running("Waiting for the model");
    case "summing":
      return summing(activity.characters);
    case "thinking":
      return running("Thinking");
    case "writing":
      return running("Writing");
    case "verifying":
      return running("Checking the changes");
    case "calling":
      return running(verbOf(activity.name), oneLine(activity.what));
    case "own-command":
      return running(verbOf("bash"), oneLine(activity.what));
    case "retrying":
      return { sign: "●", tone: "warn", verb: retryVerb(activity.until - now), what: oneLine(activity.message) };
    default:
      return activity satisfies never;
  }
}

const running = (verb: string, what = ""): ActivityWords => ({ sign: "●", tone: "accent", verb, what });

/** How much of the summary there is, once there is something. */
const summing = (characters: number): ActivityWords =>
  characters === 0
    ? running("Summing up the conversation")
    : running("Summing up", `(${characters.toLocaleString("en")} characters)`);

function retryVerb(leftMs: number): string {
  return leftMs > 0 ? `Trying again in ${shortDuration(Math.ceil(leftMs / 1000) * 1000)}:` : "Trying again:";
}

const VERBS: Readonly<Record<string, string>> = {
  bash: "Running",
  read: "Reading",
  write: "Writing",
  edit: "Editing",
  grep: "Searching",
  glob: "Looking for",
  process: "Process",
};

const verbOf = (name: string): string => VERBS[name] ?? oneLine(name, 24);

/** How long it has been going on; undefined where that says nothing. */
export const elapsedMs = (activity: Activity, now: number): number | undefined =>
  "since" in activity ? Math.max(0, now - activity.since) : undefined;

/** The second that the words tell: as long as it and the activity are the same, so are they. */
export const toldSecond = (activity: Activity, now: number): number =>
  activity.kind === "retrying"
    ? Math.ceil(Math.max(0, activity.until - now) / 1000)
    : Math.floor((elapsedMs(activity, now) ?? 0) / 1000);

/** In how many milliseconds the words change although nothing happens; undefined: never, so that no timer is needed. */
export function nextTick(activity: Activity, now: number): number | undefined {
  if (activity.kind === "retrying") {
    const left = activity.until - now;
    return left > 0 ? ((left - 1) % 1000) + 1 : undefined;
  }
  const elapsed = elapsedMs(activity, now);
  return elapsed === undefined ? undefined : 1000 - (elapsed % 1000);
}
