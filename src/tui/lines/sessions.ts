/** Which session is open: opens one, and finds a way on where that fails, in words and by asking. */
import { asError, errorMessage } from "../../shared/index.ts";
import type { SessionFeed } from "../app/session-feed.ts";
import type { ChoiceRow, Outside, Queries, SessionChoice, SessionRow } from "../ports.ts";
import { sessionFacts } from "../view/session-picker.ts";
import type { Dialog } from "./dialog.ts";
import type { Paper } from "./paper.ts";

export interface LineSessionParts {
  readonly paper: Paper;
  readonly dialog: Dialog;
  readonly feed: Pick<SessionFeed, "open" | "session">;
  readonly queries: Pick<Queries, "sessions">;
  readonly storeKey: Outside["storeKey"];
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly quit: () => void;
}

/** Resolves when something is open, or the user wants to leave. Rejects when nothing can be opened. */
export function createLineSessions({ paper, dialog, feed, queries, storeKey, now, quit }: LineSessionParts) {
  async function open(choice: SessionChoice, before = feed.session()?.id): Promise<void> {
    try {
      await feed.open(choice);
    } catch (thrown) {
      const error = asError(thrown);
      if (error.name === "MissingKey") return askForKey(error, choice);
      if (error.name === "Choose") return choose(choice, error.message, before);
      if (before === undefined) throw error;
      paper.words(error.message, "error");
      // Of one in which nothing was said nothing was kept.
      await feed.open({ resume: before }).catch(() => feed.open({}));
    }
  }

  async function askForKey(error: Error, choice: SessionChoice): Promise<void> {
    if (!dialog.canHide) throw error;
    paper.words(error.message, "warn");
    const key = await dialog.ask("API key (it is not shown; nothing quits)", { isSecret: true });
    if (key === undefined) return quit();
    await storeKey(key).catch((problem: unknown) => paper.words(errorMessage(problem), "error"));
    await open(choice);
  }

  async function choose({ pick, name }: SessionChoice, title: string, before: string | undefined): Promise<void> {
    const rows = await queries.sessions(pick?.text ?? "", new AbortController().signal);
    if (rows.length === 0) paper.words("There is no session of this project yet: this is a new one.");
    const id =
      rows.length === 0 ? undefined : await dialog.choose({ title, rows: rows.map((row) => choiceRow(row, now())) });
    const instead = before === undefined ? {} : { resume: before };
    if (id === undefined && rows.length > 0 && before === undefined) return quit();
    await open(id === undefined ? instead : { resume: id, ...(name !== undefined && { name }) }, before);
  }
  return (choice: SessionChoice) => open(choice);
}

const choiceRow = (session: SessionRow, now: number): ChoiceRow => ({
  value: session.id,
  label: session.title === "" ? "(no title)" : session.title,
  detail: sessionFacts(session, now).join(" · "),
});
