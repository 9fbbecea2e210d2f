/** What a list of sessions shows of each: who, where, how much, and how it ended. */
import { type LogEvent, type Projection, projection } from "../../shared/index.ts";
import type { OpenPermission, SessionMeta } from "../types.ts";
import { openPermissions } from "./consent.ts";
import { noUsage, type Price, type UsageFold, usageTotals } from "./usage-totals.ts";

/** The fold's own state; readers see it as SessionMeta, and `metaOf` gives exactly that. */
export interface MetaFold extends SessionMeta {
  /** From what the title was taken; a rename is final. */
  readonly titledBy: "start" | "message" | "rename";
  /** Permission requests without an answer. */
  readonly asked: readonly OpenPermission[];
  readonly tally: UsageFold;
}

const TITLE_CHARACTERS = 80;

const initial = (): MetaFold => {
  const tally = noUsage();
  return {
    id: "",
    title: "",
    projectHash: "",
    workingDirectory: "",
    gitBranch: null,
    model: "",
    createdAt: 0,
    updatedAt: 0,
    events: 0,
    userMessages: 0,
    usage: tally.total,
    costUsd: tally.costUsd,
    pendingApprovals: 0,
    lastOutcome: "none",
    titledBy: "start",
    asked: [],
    tally,
  };
};

/** Every line counts, also one whose type is unknown; the named ones change more. */
export function sessionMeta(price: Price): Projection<MetaFold> {
  const usage = usageTotals(price);
  const apply = (state: MetaFold, event: LogEvent): MetaFold => {
    const tally = usage.apply(state.tally, event);
    const asked = openPermissions.apply(state.asked, event);
    return {
      ...named.apply(state, event),
      id: event.sessionId,
      updatedAt: event.ts,
      events: state.events + 1,
      asked,
      pendingApprovals: asked.length,
      tally,
      usage: tally.total,
      costUsd: tally.costUsd,
    };
  };
  return { ...named, apply };
}

const named = projection<MetaFold>("session-meta", initial, {
  "session.started": (state, { payload, ts }) => ({
    ...state,
    title: oneLine(payload.title),
    projectHash: payload.projectHash,
    workingDirectory: payload.workingDirectory,
    gitBranch: payload.gitBranch,
    model: payload.model,
    createdAt: ts,
  }),
  "session.resumed": (state, { payload: { model, fork }, ts }) => {
    if (!fork) return { ...state, model };
    const { sessionId, seq } = fork;
    const { usage, costUsd } = state;
    return { ...state, model, createdAt: ts, forkedFrom: { sessionId, seq, usage, costUsd } };
  },
  "session.renamed": (state, { payload }) => ({ ...state, title: oneLine(payload.title), titledBy: "rename" }),
  "session.model-changed": (state, { payload }) => ({ ...state, model: payload.to }),
  "user.message-created": (state, { payload }) => {
    if (payload.by === "kernel" || payload.shell) return state;
    // A turn has begun: until it ends in one of the three ways below, there is no outcome to tell of.
    return { ...titled(state, payload.text), userMessages: state.userMessages + 1, lastOutcome: "none" };
  },
  "user.interrupted": (state) => ({ ...state, lastOutcome: "interrupted" }),
  "task.completed": (state) => ({ ...state, lastOutcome: "completed" }),
  "task.failed": (state) => ({ ...state, lastOutcome: "failed" }),
});

function titled(state: MetaFold, text: string): MetaFold {
  const title = titleOf(text);
  return state.titledBy === "start" && title !== "" ? { ...state, title, titledBy: "message" } : state;
}

const GIVEN_CHARACTERS = 200;

/** Of a title that was given, all of it, but never more than one line of a list. */
const oneLine = (title: string): string =>
  [
    ...title
      .slice(0, 2 * GIVEN_CHARACTERS)
      .replace(/\s+/g, " ")
      .trim(),
  ]
    .slice(0, GIVEN_CHARACTERS)
    .join("");

/** The first line that says something. Counted in code points, so that no character is cut in two. */
function titleOf(text: string): string {
  const start = text.trimStart().slice(0, 2 * TITLE_CHARACTERS + 2); // a character has at most two code units
  const characters = [...(start.split(/[\r\n]/, 1)[0] ?? "").trimEnd()];
  if (characters.length <= TITLE_CHARACTERS) return characters.join("");
  return `${characters.slice(0, TITLE_CHARACTERS - 1).join("")}…`;
}

export const metaOf = ({ titledBy: _by, asked: _asked, tally: _tally, ...meta }: MetaFold): SessionMeta => meta;
