/** The session on paper: what is new of it is printed, its questions are put, and the prompt that is due stands at the end. */
import { type Clock, steadyNow } from "../../shared/index.ts";
import { isBusyIn } from "../app/core.ts";
import { createSessionFeed, type SessionFeed } from "../app/session-feed.ts";
import type { ViewState } from "../model/view-model.ts";
import type { OpenSession, TerminalPorts } from "../ports.ts";
import { type Asking, createAsking } from "./asking.ts";
import { createGreeting } from "./greeting.ts";
import type { Paper } from "./paper.ts";
import { createPrinter, type Printer } from "./printer.ts";

export interface Page {
  readonly feed: SessionFeed;
  readonly printer: Printer;
  readonly asking: Asking;
  readonly state: () => ViewState;
  readonly isBusy: () => boolean;
  /** Prints what is new, whatever it came from. */
  refresh(): void;
  /** Puts the prompt there that is due. */
  settle(): void;
  /** Resolves when nothing runs any more and all that has happened is printed. */
  caughtUp(): Promise<void>;
}

export interface PageParts {
  readonly ports: Pick<TerminalPorts, "host" | "settings">;
  readonly clock: Clock;
  readonly paper: Paper;
  /** What a command asks for; it comes before everything else. */
  readonly asked: () => string | undefined;
  /** What is typed is read, and by nobody else. */
  readonly isReading: () => boolean;
  /** A message that has more than one line is begun. */
  readonly isContinued: () => boolean;
  readonly onDeath: (error: Error) => void;
}

/** What streams is printed this often at most, and what begins and ends within it is told once. */
const WINDOW_MS = 50;
/** Of one text in that time: lines are not left out as frames may be. */
const CAP_BYTES = 4 * 1024 * 1024;

const promptOf = (session: OpenSession | undefined): string => (session?.readOnly ? "(read-only) > " : "> ");

export function createPage(parts: PageParts): Page {
  const { ports, clock, paper, asked } = parts;
  const printer = createPrinter({ paper, now: clock.now });
  const greeting = createGreeting(paper, ports.settings.version);
  const state = () => feed.model().state();
  const asking = createAsking({
    paper,
    now: () => steadyNow(clock),
    respond: (requestId, answer) => feed.dispatch({ kind: "permission-response", requestId, ...answer }),
  });
  let isDue = false;
  let shown: ReturnType<SessionFeed["model"]> | undefined;
  function refresh(): void {
    const session = feed.session();
    const model = feed.model();
    if (session && model !== shown) {
      shown = model;
      const isWhole = session.readOnly !== undefined;
      greeting.opened(session.facts(), state(), isWhole);
      printer.begin(state(), isWhole);
    }
    printer.update(state());
    asking.update(asked() === undefined ? state().questions : []);
    settle();
  }
  function settle(): void {
    const question = asked() ?? (parts.isReading() ? asking.prompt() : undefined);
    if (question !== undefined) paper.prompt(question);
    else if (!parts.isReading() || !feed.session()) return;
    else if (parts.isContinued()) paper.prompt("… ");
    else if (feed.session()?.isBusy()) settleLater();
    else if (!isBusyIn(state())) paper.prompt(promptOf(feed.session()), { isApart: true });
  }
  /** A turn that was stopped is over before its calls are: the prompt would stand before what they still say. */
  function settleLater(): void {
    if (isDue || isBusyIn(state())) return;
    isDue = true;
    void caughtUp().then(() => {
      isDue = false;
      settle();
    });
  }
  async function caughtUp(): Promise<void> {
    await feed.session()?.settled();
    await new Promise<void>((resolve) => void clock.after(WINDOW_MS, resolve));
  }
  const feed = createSessionFeed({
    host: ports.host,
    clock,
    windowMs: WINDOW_MS,
    capBytes: CAP_BYTES,
    onChange: refresh,
    onEvent: () => undefined,
    onNotice(text) {
      refresh(); // what was there before it comes first
      feed.model().addNote({ kind: "note", text, tone: "warn" });
      refresh();
    },
    onDeath: parts.onDeath,
  });
  return {
    feed,
    printer,
    asking,
    state,
    isBusy: () => isBusyIn(state()) || feed.session()?.isBusy() === true,
    refresh,
    settle,
    caughtUp,
  };
}
