/** The conversation in lines: what is typed goes to a question, into a message, or to a command, one line after the other. */
import { type Clock, steadyNow } from "../../shared/index.ts";
import type { CommandUi, StartChoice, TerminalPorts } from "../ports.ts";
import { createLineActs } from "./acts.ts";
import { createLineUi } from "./command-ui.ts";
import { createDialog, type Dialog } from "./dialog.ts";
import { createPage, type Page } from "./page.ts";
import { createPaper, type Paper } from "./paper.ts";
import type { LineTerminal, TypedLine } from "./port.ts";
import { createReader } from "./reader.ts";
import { createLineSessions } from "./sessions.ts";
import { createLineSubmission, type LineSubmission } from "./submission.ts";

export interface DeskParts {
  readonly ports: TerminalPorts;
  readonly terminal: LineTerminal;
  readonly clock: Clock;
  readonly quit: () => void;
  readonly failed: (error: unknown) => void;
}

export interface Desk {
  /** Resolves when the input has ended and nothing runs any more. */
  converse(start: StartChoice): Promise<void>;
  interrupt(): void;
  /** Nothing is printed any more. Returns which session was open. */
  leave(): string | undefined;
  /** What was said in the session and is not in its log. */
  unrecorded(): readonly string[];
}

/** Within this the second Ctrl+C ends the program. */
const QUIT_MS = 1500;

export function createDesk(parts: DeskParts): Desk {
  const { ports, terminal, clock, quit, failed } = parts;
  const paper = createPaper(terminal);
  const reader = createReader(terminal.lines);
  /** Of a message that goes on. */
  const begun: string[] = [];
  let isReading = false;
  let isOver = false;
  const dialog: Dialog = createDialog({ paper, reader, terminal, settle: () => page.settle() });
  const page: Page = createPage({
    ports,
    clock,
    paper,
    asked: dialog.prompt,
    isReading: () => isReading && !isOver,
    isContinued: () => begun.length > 0,
    onDeath: failed,
  });
  const { open, submission } = createOffice({ ...parts, paper, dialog, page, quit });

  async function take(line: TypedLine): Promise<void> {
    if ("problem" in line) return paper.words(line.problem, "warn");
    paper.typed(line.text);
    if (page.asking.prompt() !== undefined) return page.asking.take(line);
    const isContinued = line.text.endsWith("\\");
    begun.push(isContinued ? line.text.slice(0, -1) : line.text);
    if (!isContinued) await submitBegun();
  }
  const submitBegun = () => submission.submit(begun.splice(0).join("\n"));
  async function read(): Promise<TypedLine | undefined> {
    isReading = true;
    page.refresh();
    const line = await reader.next();
    isReading = false;
    return line;
  }
  const interrupt = createInterrupt({ now: () => steadyNow(clock), paper, dialog, page, begun, quit });
  return {
    async converse({ session, prompt, mentions = [] }) {
      if (prompt !== undefined) page.feed.dispatch({ kind: "submit-message", text: prompt, mentions });
      await open(session);
      for (let line = await read(); line && !isOver; line = await read()) await take(line);
      if (!isOver) await submitBegun(); // its next line never came
      if (isOver) return;
      page.feed.session()?.leave();
      await page.caughtUp();
    },
    interrupt() {
      if (!isOver) interrupt();
    },
    leave() {
      isOver = true;
      page.feed.leave();
      paper.end();
      return page.feed.session()?.id;
    },
    unrecorded: () => page.feed.unrecorded(),
  };
}

interface OfficeParts extends DeskParts {
  readonly paper: Paper;
  readonly dialog: Dialog;
  readonly page: Page;
}

/** Commands, sessions and messages. */
function createOffice({ ports, terminal, clock, quit, paper, dialog, page }: OfficeParts): {
  readonly open: CommandUi["switchTo"];
  readonly submission: LineSubmission;
} {
  const { feed, printer, state, isBusy, refresh } = page;
  const { storeKey } = ports.outside;
  const open = createLineSessions({ paper, dialog, feed, queries: ports.queries, storeKey, now: clock.now, quit });
  const submission = createLineSubmission({ paper, printer, feed, ports, isBusy, ui: () => ui });
  const ui: CommandUi = createLineUi({
    paper,
    dialog,
    model: feed.caughtUp,
    onChange: refresh,
    switchTo: open,
    act: (action) => act(action),
    submit: (text) => void submission.submit(text),
  });
  const act = createLineActs({ paper, printer, terminal, state, commands: ports.commands, note: ui.note, quit });
  return { open, submission };
}

interface InterruptParts {
  readonly now: () => number;
  readonly paper: Paper;
  readonly dialog: Dialog;
  readonly page: Page;
  readonly begun: string[];
  readonly quit: () => void;
}

/** Gives up what is asked, then what is begun, then what runs; twice where there is nothing, the program ends. */
function createInterrupt({ now, paper, dialog, page, begun, quit }: InterruptParts): () => void {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    paper.disturbed();
    if (dialog.cancel()) return;
    if (begun.length > 0) {
      begun.length = 0;
      paper.words("Not sent.");
    } else if (page.feed.session()?.isBusy()) {
      page.feed.dispatch({ kind: "interrupt" });
    } else if (now() - last < QUIT_MS) {
      return quit();
    } else {
      last = now();
      paper.words("Ctrl+C again ends khaelor.");
    }
    page.settle();
  };
}
