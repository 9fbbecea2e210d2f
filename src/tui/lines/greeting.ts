/** What is said when a session is open: where one is and who answers, how to begin and how to leave; once, and in three lines. */
import { safeRow } from "../layout/plain-text.ts";
import type { Line } from "../line.ts";
import type { ViewState } from "../model/view-model.ts";
import type { SessionFacts } from "../ports.ts";
import { lineOf } from "../view/row.ts";
import type { Paper } from "./paper.ts";

export interface Greeting {
  /** Once the session is open, before anything of it is printed. */
  opened(facts: SessionFacts, state: ViewState): void;
}

const WAYS = [
  "A line is a message; a \\ at its end goes on in the next. /help lists commands.",
  "Ctrl+C stops a turn; twice while nothing runs, or /exit, ends khaelor.",
];

export function createGreeting(paper: Paper, version: string): Greeting {
  let isFirst = true;
  return {
    opened(facts, { items, queued }) {
      const said = items.filter(({ kind }) => kind === "user" || kind === "shell").length;
      if (isFirst) paper.lines(greetingLines(facts, version, paper));
      if (said > 0) paper.words(`${titleOf(facts)}: ${counted(said)} so far. The last one follows, /raw prints all.`);
      else if (!isFirst) paper.words(facts.title === "" ? "A new session." : `A new session: ${safeRow(facts.title)}`);
      for (const { text } of queued) paper.words(`Waits to be said: ${text}`);
      isFirst = false;
    },
  };
}

const titleOf = ({ title }: SessionFacts): string => (title === "" ? "This session" : safeRow(title));
const counted = (count: number): string => `${count} ${count === 1 ? "message" : "messages"}`;

function greetingLines(facts: SessionFacts, version: string, paper: Paper): readonly Line[] {
  const { width, measure } = paper.context();
  const { folder, branch, model, effort, permissionMode } = facts;
  const where = [
    safeRow(folder),
    ...(branch === undefined ? [] : [safeRow(branch)]),
    safeRow(model) + (effort === undefined ? "" : `, effort ${safeRow(effort)}`),
    `permission mode ${safeRow(permissionMode)}`,
  ];
  return [
    lineOf(
      [
        { tone: "fg", bold: true, text: `khaelor ${version}` },
        { tone: "muted", text: ` · ${where.join(" · ")}` },
      ],
      width,
      measure,
    ),
    ...WAYS.map((text) => lineOf([{ tone: "muted", text }], width, measure)),
  ];
}
