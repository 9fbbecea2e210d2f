/** What a list of sessions shows of each: who, where, how much, and how it ended. */
import { type LogEvent, type Payload, type Projection, projection } from "../../shared/index.ts";
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
      told: ended(named.apply(state, event).told, event),
      asked: openPermissions.apply(state.asked, event),
      tally: usage.apply(state.tally, event),
    }),
  };
}

function ended(told: Told, event: LogEvent): Told {
  const lastOutcome = outcomeIn(event) ?? told.lastOutcome;
  return lastOutcome === told.lastOutcome ? told : { ...told, lastOutcome };
}

/** What this event says of how the newest turn ended. Where one begins there is no outcome to tell of yet. */
export function outcomeIn(event: LogEvent): SessionMeta["lastOutcome"] | undefined {
  if ("opaque" in event) return undefined;
  switch (event.type) {
    case "user.message-created":
      return isTurn(event.payload) ? "none" : undefined;
    case "user.interrupted":
      return "interrupted";
    case "task.completed":
      return "completed";
    case "task.failed":
      return "failed";
    default:
      return undefined;
  }
}

/** Whether a person's message begins a turn with it. */
const isTurn = ({ by, shell }: Payload<"user.message-created">): boolean => by !== "kernel" && !shell;

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
    if (!isTurn(payload)) return state;
    return tell(state, { ...titled(state.told, payload.text), userMessages: state.told.userMessages + 1 });
  },
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
