/**
 * What is worth a word to somebody who looks elsewhere, and what the terminal's title says. Pure: whoever knows whether the
 * terminal has the focus decides whether the word is said.
 */
import { oneLine, oneName } from "../spelling.ts";
import type { Item } from "./items.ts";
import type { ViewState } from "./view-model.ts";

type Seen = Pick<ViewState, "activity" | "questions" | "items" | "isStopped">;

/** What a call for attention is about. */
export interface Attention {
  readonly kind: "question" | "done" | "failed";
  readonly text: string;
}

export interface AttentionWatch {
  /**
   * Takes the state as it is now; gives what has happened since: a turn ended, a question appeared. The first state of a
   * session calls for nothing: it was there before anybody watched.
   */
  update(state: Seen): Attention | undefined;
}

interface Before {
  readonly items: Seen["items"];
  readonly isBusy: boolean;
  /** How many items there were, and while something goes on, before it began: what leaves none behind, as a summary that was stopped, is no end. */
  readonly count: number;
  readonly requestId: string | undefined;
}

export function createAttentionWatch(): AttentionWatch {
  let before: Before | undefined;
  return {
    update({ activity, questions, items, isStopped }) {
      const known = before?.items === items ? before : undefined; // each session has a list of its own
      const isBusy = isWork(activity);
      const [question] = questions;
      const count = isBusy ? (known?.count ?? UNSEEN) : items.length;
      before = { items, isBusy, count, requestId: question?.requestId };
      if (!known) return undefined;
      if (question && question.requestId !== known.requestId) {
        return { kind: "question", text: `khaelor asks: ${oneLine(question.descriptor, MOST)}` };
      }
      const isOver = known.isBusy && !isBusy && !isStopped;
      return isOver && items.length > known.count ? endOf(items) : undefined;
    },
  };
}

/** It began before anybody watched. */
const UNSEEN = -1;

const isWork = ({ kind }: Seen["activity"]): boolean =>
  kind !== "idle" && kind !== "starting" && kind !== "own-command";

/** The most of a text that a notification takes. */
const MOST = 100;

/** Beyond, whatever ended is no news. */
const MOST_LOOKED_AT = 20;

/** By what the turn has left at the end of the transcript. What the user stopped himself, he knows. */
function endOf(items: readonly Item[]): Attention | undefined {
  const newest = items.at(-1);
  if (newest?.kind === "divider") return done(`: ${newest.text}`); // summed up between two turns
  const beginning = items.findLastIndex((item) => item.kind === "user" && !item.isSteering);
  const from = Math.max(beginning + 1, items.length - MOST_LOOKED_AT);
  for (const item of items.slice(from).reverse()) {
    if (item.kind === "notice" && item.isStop) return undefined;
    if (item.kind === "answer") return item.isPartial ? undefined : done(`: ${oneLine(item.text, MOST)}`);
    if (item.kind !== "outcome") continue;
    return item.isDone ? done(" is done") : { kind: "failed", text: `khaelor stopped: ${oneLine(item.detail, MOST)}` };
  }
  return done(" is done");
}

const done = (words: string): Attention => ({ kind: "done", text: `khaelor${words}` });

/** The terminal's title: what the session is about, and whether it works or waits. */
export function terminalTitle(title: string, { activity }: Pick<ViewState, "activity">): string {
  const name = oneName(title, 60);
  const about = name === "" ? "khaelor" : `${name} · khaelor`;
  if (activity.kind === "asking") return `? ${about}`;
  return activity.kind === "idle" || activity.kind === "starting" ? about : `● ${about}`;
}
