/**
 * The question that waits, printed when it is its turn. It is answered by a line that was begun after that, and did not come in
 * the same moment: what was meant for something else answers nothing.
 */
import { EMPTY_LINE } from "../line.ts";
import type { OpenQuestion } from "../model/items.ts";
import { DEAD_MS } from "../view/permission-panel.ts";
import type { Paper } from "./paper.ts";
import type { TypedLine } from "./port.ts";
import { answerOf, answerPrompt, type LineAnswer, questionLines } from "./question.ts";

export interface Asking {
  /** Those that wait, in their order. Prints the first of them that was not printed before. */
  update(questions: readonly OpenQuestion[]): void;
  /** What stands behind the question that is open. */
  prompt(): string | undefined;
  /** Takes whatever is typed while a question is open. */
  take(line: Extract<TypedLine, { readonly text: string }>): void;
}

export interface AskingParts {
  readonly paper: Paper;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly respond: (requestId: string, answer: LineAnswer) => void;
}

interface Asked {
  readonly question: OpenQuestion;
  readonly since: number;
}

export function createAsking({ paper, now, respond }: AskingParts): Asking {
  let open: Asked | undefined;
  let waiting: readonly OpenQuestion[] = [];
  /** Its end has not been told yet. */
  let answered: string | undefined;
  function update(questions: readonly OpenQuestion[]): void {
    waiting = questions.filter(({ requestId }) => requestId !== answered);
    const [question] = waiting;
    if (!question) open = undefined;
    else if (question.requestId !== open?.question.requestId) {
      paper.lines(questionLines(question, waiting.length, paper.context()));
      open = { question, since: now() };
    }
  }
  return {
    update,
    prompt: () => open && answerPrompt(open.question),
    take({ text, begunAt, endedAt }) {
      if (!open || text.trim() === "") return;
      const { question, since } = open;
      if (begunAt < since || endedAt - since < DEAD_MS) return paper.words(TOO_SOON, "warn");
      const answer = answerOf(question, text);
      if (!answer) return paper.words(NO_ANSWER, "warn");
      answered = question.requestId;
      paper.lines([EMPTY_LINE]);
      respond(question.requestId, answer);
      update(waiting);
    },
  };
}

const TOO_SOON = "That line came with the question and answers nothing; it was not sent either.";
const NO_ANSWER = "That is no answer, and it was not sent: the question comes first. Ctrl+C stops the turn.";
