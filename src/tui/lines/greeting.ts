/** What is said when a session is open: where one is and who answers, how to begin and how to leave; once, and in three lines. */
import { safeRow } from "../layout/plain-text.ts";
import { EMPTY_LINE, type Line } from "../line.ts";
import type { ViewState } from "../model/view-model.ts";
import type { SessionFacts } from "../ports.ts";
import { oneLine } from "../spelling.ts";
import { fittedLine } from "../view/row.ts";
import { isSaid } from "./cards.ts";
import type { Paper } from "./paper.ts";

export interface Greeting {
  /** Once the session is open, before anything of it is printed. */
  opened(facts: SessionFacts, state: ViewState, isWhole: boolean): void;
}

const WAYS = [
  "A line is a message; a \\ at its end goes on in the next. /help lists commands.",
  "Ctrl+C stops a turn; twice while nothing runs, or /exit, ends khaelor.",
];

export function createGreeting(paper: Paper, version: string): Greeting {
  let isFirst = true;
  return {
    opened(facts, { items, queued, moved }, isWhole) {
      const so = soFar(items, moved, isWhole);
      if (isFirst) paper.lines(greetingLines(facts, version, paper));
      paper.lines([EMPTY_LINE]);
      if (so !== undefined) paper.words(titleOf(facts) + so);
      else if (!isFirst) paper.words(facts.title === "" ? "A new session." : `A new session: ${titleOf(facts)}`);
      for (const { text } of queued) paper.words(`Waits to be said: ${text}`);
      isFirst = false;
    },
  };
}

/** What there is of it, and what follows. `moved`: not all of it is held. Undefined: nothing was said. */
function soFar(items: ViewState["items"], moved: number, isWhole: boolean): string | undefined {
  const said = items.filter(isSaid).length;
  if (moved > 0) return ` is long. ${isWhole ? "Its newest part follows." : LAST_OF_PART}`;
  return said === 0 ? undefined : `: ${counted(said)} so far. ${isWhole ? ALL_FOLLOWS : FOLLOWS}`;
}

const ALL_FOLLOWS = "All that can be read follows.";
const FOLLOWS = "The last exchange follows, /raw prints all.";
const LAST_OF_PART = "The last exchange follows, /raw prints the newest part.";
const MAX_TITLE = 60;
const titleOf = ({ title }: SessionFacts): string => (title === "" ? "This session" : oneLine(title, MAX_TITLE));
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
    fittedLine(
      [
        { tone: "fg", bold: true, text: `khaelor ${version}` },
        { tone: "muted", text: ` · ${where.join(" · ")}` },
      ],
      width,
      measure,
    ),
    ...WAYS.map((text) => fittedLine([{ tone: "muted", text }], width, measure)),
  ];
}
