/** What a list of sessions shows of each: who, where, how much, and how it ended. */
import { type Projection, projection } from "../../shared/index.ts";
import type { OpenPermission, SessionMeta } from "../types.ts";
import { openPermissions } from "./consent.ts";
import { noUsage, type Price, type UsageFold, usageTotals } from "./usage-totals.ts";

/** What only a few lines tell of. */
interface Told
  extends Pick<SessionMeta, "title" | "projectHash" | "workingDirectory" | "gitBranch" | "model" | "createdAt">,
    Pick<SessionMeta, "userMessages" | "lastOutcome"> {
  readonly forkedFrom?: SessionMeta["forkedFrom"] | undefined;
  /** From what the title was taken; a rename is final. */
  readonly titledBy: "start" | "message" | "rename";
}

/** The fold's own state, apart by what changes together, for every line changes some of it; `metaOf` gives what readers want. */
export interface MetaFold extends Pick<SessionMeta, "id" | "updatedAt" | "events"> {
  readonly told: Told;
  /** Permission requests without an answer. */
  readonly asked: readonly OpenPermission[];
  readonly tally: UsageFold;
}

const TITLE_CHARACTERS = 80;

const initial = (): MetaFold => ({
  id: "",
  updatedAt: 0,
  events: 0,
  told: {
    title: "",
    projectHash: "",
    workingDirectory: "",
    gitBranch: null,
    model: "",
    createdAt: 0,
    userMessages: 0,
    lastOutcome: "none",
    forkedFrom: undefined,
    titledBy: "start",
  },
  asked: [],
  tally: noUsage(),
});

/** Every line counts, also one whose type is unknown; the named ones change more. */
export function sessionMeta(price: Price): Projection<MetaFold> {
  const usage = usageTotals(price);
  return {
    ...named,
    apply: (state, event) => ({
      id: event.sessionId,
      updatedAt: event.ts,
      events: state.events + 1,
      told: named.apply(state, event).told,
      asked: openPermissions.apply(state.asked, event),
      tally: usage.apply(state.tally, event),
    }),
  };
}

const tell = (state: MetaFold, news: Partial<Told>): MetaFold => ({ ...state, told: { ...state.told, ...news } });

const named = projection<MetaFold>("session-meta", initial, {
  "session.started": (state, { payload, ts }) => {
    const { title, projectHash, workingDirectory, gitBranch, model } = payload;
    return tell(state, { title: oneLine(title), projectHash, workingDirectory, gitBranch, model, createdAt: ts });
  },
  "session.resumed": (state, { payload: { model, fork }, ts }) => {
    if (!fork) return tell(state, { model });
    const { total: usage, costUsd, spentUsd, unpriced } = state.tally;
    return tell(state, {
      model,
      createdAt: ts,
      forkedFrom: { sessionId: fork.sessionId, seq: fork.seq, usage, costUsd, spentUsd, unpriced },
    });
  },
  "session.renamed": (state, { payload }) => tell(state, { title: oneLine(payload.title), titledBy: "rename" }),
  "session.model-changed": (state, { payload }) => tell(state, { model: payload.to }),
  "user.message-created": (state, { payload }) => {
    if (payload.by === "kernel" || payload.shell) return state;
    // A turn has begun: until it ends in one of the three ways below, there is no outcome to tell of.
    const userMessages = state.told.userMessages + 1;
    return tell(state, { ...titled(state.told, payload.text), userMessages, lastOutcome: "none" });
  },
  "user.interrupted": (state) => tell(state, { lastOutcome: "interrupted" }),
  "task.completed": (state) => tell(state, { lastOutcome: "completed" }),
  "task.failed": (state) => tell(state, { lastOutcome: "failed" }),
});

function titled({ titledBy }: Told, text: string): Partial<Told> {
  const title = titleOf(text);
  return titledBy === "start" && title !== "" ? { title, titledBy: "message" } : {};
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

export function metaOf({ id, updatedAt, events, told, asked, tally }: MetaFold): SessionMeta {
  const { title, projectHash, workingDirectory, gitBranch, model, createdAt, userMessages, lastOutcome } = told;
  return {
    id,
    title,
    projectHash,
    workingDirectory,
    gitBranch,
    model,
    createdAt,
    updatedAt,
    events,
    userMessages,
    usage: tally.total,
    costUsd: tally.costUsd,
    recentUsd: tally.recentUsd,
    pendingApprovals: asked.length,
    lastOutcome,
    ...(told.forkedFrom && { forkedFrom: told.forkedFrom }),
  };
}
