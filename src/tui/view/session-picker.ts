/**
 * The sessions of the project over the whole screen, newest first. Typing looks through the titles at once, and through what
 * was said as soon as that has been read; an answer to what is no longer typed is dropped.
 */
import { errorMessage } from "../../shared/index.ts";
import { shortDuration } from "../duration.ts";
import type { Measure } from "../layout/width.ts";
import type { Queries, SessionRow } from "../ports.ts";
import { createFilterList, type FilterList } from "./filter-list.ts";
import { type ListState, listOf } from "./list.ts";
import type { ListRow } from "./list-row.ts";
import { costWords } from "./status-bar.ts";
import { holdsAll, wordsOf } from "./typed-words.ts";

export interface SessionPickerParts {
  readonly queries: Pick<Queries, "sessions">;
  readonly measure: () => Measure;
  /** Epoch milliseconds, for the ages. */
  readonly now: () => number;
  /** What is looked for at first. */
  readonly text?: string;
  readonly onOpen: (id: string) => void;
  readonly onClose: () => void;
  readonly onChange: () => void;
  /** The sessions cannot be read, in words for people. */
  readonly onTrouble: (message: string) => void;
}

export interface SessionPicker extends FilterList {
  /** Cancels what is still being read. */
  dispose(): void;
}

interface Known {
  /** Undefined until they have been read. */
  all: readonly SessionRow[] | undefined;
  /** Those that hold what is typed. */
  holding: readonly SessionRow[];
}

export function createSessionPicker(parts: SessionPickerParts): SessionPicker {
  const { measure, now, text = "", onOpen, onClose, onChange } = parts;
  const known: Known = { all: undefined, holding: [] };
  const reading = createReading(parts, () => list.refresh());
  function search(typed: string): void {
    known.holding = [];
    if (typed.trim() !== "") reading.ask("search", typed.trim(), (rows) => (known.holding = rows));
    else reading.stop("search");
  }
  const list = createFilterList({
    name: "session-picker",
    place: "full",
    title: "Sessions",
    measure,
    isFiltered: true,
    placeholder: "type to search titles and what was said",
    text,
    hint: "Enter open · Esc back",
    none: () => (reading.isUnderWay() ? "reading" : noneText(known.all)),
    rowsFor: (typed) => rowsFor(typed, known, now()),
    onChoose: ({ value }) => {
      reading.stopAll();
      onOpen(value);
    },
    onClose: () => {
      reading.stopAll();
      onClose();
    },
    onChange,
    onText: search,
  });
  reading.ask("list", "", (rows) => (known.all = rows));
  search(text);
  return { ...list, dispose: reading.stopAll };
}

/** The list is read once and whole; a search beside it is ended by the next one. */
type Asked = "list" | "search";

interface Reading {
  ask(what: Asked, text: string, take: (rows: readonly SessionRow[]) => void): void;
  stop(what: Asked): void;
  stopAll(): void;
  isUnderWay(): boolean;
}

function createReading(
  { queries, onTrouble }: Pick<SessionPickerParts, "queries" | "onTrouble">,
  onEnd: () => void,
): Reading {
  const running = new Map<Asked, AbortController>();
  function stop(what: Asked): void {
    running.get(what)?.abort();
    running.delete(what);
  }
  return {
    stop,
    stopAll: () => [...running.keys()].forEach(stop),
    isUnderWay: () => running.size > 0,
    ask(what, text, take) {
      stop(what);
      const own = new AbortController();
      running.set(what, own);
      const end = (use: () => void): void => {
        if (own.signal.aborted) return;
        running.delete(what);
        use();
        onEnd();
      };
      queries.sessions(text, own.signal).then(
        (rows) => end(() => take(rows)),
        (error: unknown) => end(() => onTrouble(errorMessage(error))),
      );
    },
  };
}

const noneText = (all: Known["all"]): string =>
  all?.length === 0 ? "no session of this project yet" : "no session has these words";

/** Those whose title fits, then those that hold the words; each in the order of time. */
function rowsFor(typed: string, { all = [], holding }: Known, now: number): ListState {
  const words = wordsOf(typed);
  if (words.length === 0) return listOf(all.map((session) => rowOf(session, [], now)));
  const titled = all.filter(({ title }) => holdsAll(title, words));
  const excerpts = new Map(holding.map(({ id, excerpt }) => [id, excerpt]));
  const ids = new Set(titled.map(({ id }) => id));
  const others = holding.filter(({ id }) => !ids.has(id));
  const row = (session: SessionRow, group: string): ListRow => {
    const excerpt = session.excerpt ?? excerpts.get(session.id);
    const below = excerpt !== undefined && { below: { text: excerpt, matched: placesOf(excerpt, words) } };
    return { ...rowOf(session, words, now), group, ...below };
  };
  return listOf([
    ...titled.map((session) => row(session, "By title")),
    ...others.map((session) => row(session, "By what was said")),
  ]);
}

function rowOf(session: SessionRow, words: readonly string[], now: number): ListRow {
  const { id, title, pendingApprovals } = session;
  const label = `${pendingApprovals > 0 ? "◌ " : ""}${title === "" ? "(no title)" : title}`;
  return {
    value: id,
    label,
    matched: placesOf(label, words),
    detail: sessionFacts(session, now).join(" · "),
  };
}

/** What is worth knowing of a session beside its title. */
export function sessionFacts(
  { updatedAt, userMessages, pendingApprovals, costUsd }: SessionRow,
  now: number,
): readonly string[] {
  return [
    ...(pendingApprovals > 0 ? [`${counted(pendingApprovals, "approval")} waiting`] : []),
    ageText(now - updatedAt),
    userMessages === undefined ? "…" : counted(userMessages, "message"),
    ...(costUsd === null ? [] : [costWords(costUsd)]),
  ];
}

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;

const DAY = 24 * 60 * 60 * 1000;

function ageText(ms: number): string {
  if (ms < 60_000) return "now";
  if (ms < DAY) return shortDuration(ms).split(" ")[0] ?? "";
  const days = Math.floor(ms / DAY);
  return days < 60 ? `${days}d` : `${Math.floor(days / 30)}mo`;
}

/** Every place where one of the words stands. */
function placesOf(text: string, words: readonly string[]): readonly number[] {
  const lower = text.toLowerCase();
  if (lower.length !== text.length) return []; // offsets would not fit
  const found = new Set<number>();
  for (const word of words) {
    for (let at = lower.indexOf(word); at !== -1; at = lower.indexOf(word, at + word.length)) {
      for (let offset = 0; offset < word.length; offset++) found.add(at + offset);
    }
  }
  return [...found].sort((a, b) => a - b);
}
