/**
 * A terminal that a test holds in its hand: a program runs in a pseudo-terminal, what it writes is emulated by xterm.js, and
 * the emulation's answers to queries go back to it. `openTmux` in tmux.ts gives the same interface over a real tmux.
 */
import xterm from "@xterm/headless";
import { type CellColors, colorsOfCell } from "./terminal-colors.ts";
import { keyBytes } from "./terminal-keys.ts";
import { type ModeName, trackModes } from "./terminal-modes.ts";

export interface TerminalOptions {
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly cols?: number;
  readonly rows?: number;
  readonly cwd: string;
  /** All of it; TERM and COLORTERM are added unless they are here. Undefined takes one away. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called with each piece as it arrives, before anything else looks at it. */
  readonly onOutput?: (bytes: Uint8Array) => void;
  /** False: `bytes` has none, for a program that runs for long. */
  readonly keepsBytes?: false;
  /** Queries are answered unless this is false: some terminals know none of them. */
  readonly answers?: boolean;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
}

export type Wanted = string | RegExp | ((screen: string) => boolean);

/** What all terminals of tests have. */
export interface Terminal {
  /** Of the program that was started. */
  readonly pid: number;
  /** As if typed; no key names. */
  type(text: string): void;
  /** `enter`, `ctrl+c`, `alt+up`, `shift+tab`, …; several are pressed one after the other. */
  key(...names: readonly string[]): void;
  /** As a terminal pastes: in brackets when the program asked for them. */
  paste(text: string): void;
  resize(cols: number, rows: number): void;
  /** The rows without spaces at their ends, and without empty rows at the bottom. */
  screen(): string;
  /** Counted from 0; negative from the bottom. */
  row(index: number): string;
  cursor(): { readonly x: number; readonly y: number };
  /** Of the cell in this column and row. */
  colors(x: number, y: number): CellColors;
  /** Resolves as soon as the screen holds it; rejects with the screen when the time is up. */
  waitFor(wanted: Wanted, boundMs?: number): Promise<void>;
  /** Of the program that was started. */
  readonly exited: Promise<Ended>;
  kill(signal: NodeJS.Signals): void;
  /** Ends the program, if it still runs, and frees everything. */
  close(): Promise<void>;
}

export interface Pty extends Terminal {
  /** All that was written so far, decoded as UTF-8. */
  bytes(): string;
  /** The modes that the written bytes leave on. */
  modes(): readonly ModeName[];
  /** Whether the terminal echoes, cuts lines and turns Ctrl+C into a signal: what a shell's child expects. */
  isCooked(): boolean;
  /** Resolves as soon as it does; rejects when the time is up. */
  waitForCooked(boundMs?: number): Promise<void>;
  /** Raw bytes, such as of a mouse. */
  send(bytes: string | Uint8Array): void;
  /** Rows that have left the top of the main screen, and those that are on it. */
  history(): string;
}

/** A wait that takes longer hangs. */
export const WAIT_MS = 15_000;

const SIZE = { cols: 100, rows: 30 } as const;

export const terminalEnv = (env: TerminalOptions["env"]): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ TERM: "xterm-256color", COLORTERM: "truecolor", ...env }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );

export function openTerminal(options: TerminalOptions): Pty {
  const { cols = SIZE.cols, rows = SIZE.rows } = options;
  const emulation = new xterm.Terminal({ cols, rows, allowProposedApi: true, scrollback: 10_000 });
  const modes = trackModes();
  const watchers = new Set<() => void>();
  const decoder = new TextDecoder();
  const written: string[] = [];
  const changed = () => {
    for (const watch of watchers) watch();
  };
  const child = Bun.spawn([...options.command], {
    cwd: options.cwd,
    env: terminalEnv(options.env),
    terminal: {
      cols,
      rows,
      data(_terminal, bytes) {
        options.onOutput?.(bytes);
        const text = decoder.decode(bytes, { stream: true });
        if (options.keepsBytes !== false) written.push(text);
        modes.write(text);
        emulation.write(text, changed);
      },
    },
  });
  const { terminal } = child;
  if (!terminal) throw new Error("the runtime gave no pseudo-terminal");
  const send = (bytes: string | Uint8Array) => void (terminal.closed || terminal.write(bytes));
  if (options.answers !== false) emulation.onData(send);
  const { buffer } = emulation;
  const line = (index: number) =>
    buffer.active.getLine(index)?.translateToString(true, 0, emulation.cols).trimEnd() ?? "";
  const rowsOf = (from: number) => Array.from({ length: buffer.active.length - from }, (_, at) => line(from + at));
  const screen = () => rowsOf(buffer.active.baseY).join("\n").trimEnd();
  const isCooked = () => (terminal.localFlags & COOKED) === COOKED;
  const exited = child.exited.then(
    (): Ended => ({
      code: child.exitCode,
      signal: child.signalCode === null ? null : String(child.signalCode),
    }),
  );
  return {
    pid: child.pid,
    send,
    type: send,
    key: (...names) => names.forEach((name) => void send(keyBytes(name))),
    paste(text) {
      const sent = text.replaceAll("\n", "\r");
      send(modes.on().includes("bracketed-paste") ? `\u001b[200~${sent}\u001b[201~` : sent);
    },
    resize(width, height) {
      emulation.resize(width, height);
      terminal.resize(width, height);
    },
    screen,
    row: (index) => line(buffer.active.baseY + (index < 0 ? emulation.rows + index : index)),
    cursor: () => ({ x: buffer.active.cursorX, y: buffer.active.cursorY }),
    colors: (x, y) => colorsOfCell(buffer.active.getLine(buffer.active.baseY + y)?.getCell(x)),
    waitFor: (wanted, boundMs = WAIT_MS) => waitForScreen({ screen, watchers, wanted, boundMs }),
    bytes: () => written.join(""),
    modes: modes.on,
    isCooked,
    async waitForCooked(boundMs = WAIT_MS) {
      for (const until = Date.now() + boundMs; !isCooked(); await Bun.sleep(5)) {
        if (Date.now() > until) throw new Error(`the terminal stayed raw:\n${screen()}`);
      }
    },
    history: () => rowsOf(0).join("\n").trimEnd(),
    exited,
    kill: (signal) => child.kill(signal),
    async close() {
      child.kill("SIGKILL");
      await exited;
      terminal.close();
      emulation.dispose();
    },
  };
}

/** ISIG, ICANON and ECHO. */
const COOKED = process.platform === "darwin" ? 0x80 | 0x100 | 0x8 : 0x1 | 0x2 | 0x8;

export const matches = (screen: string, wanted: Wanted): boolean => {
  if (typeof wanted === "string") return screen.includes(wanted);
  return wanted instanceof RegExp ? wanted.test(screen) : wanted(screen);
};

export const tooLate = (wanted: Wanted, screen: string): Error =>
  new Error(`the screen never showed ${wanted}:\n${screen.replace(/^/gm, "  | ")}`);

interface Wait {
  readonly screen: () => string;
  readonly watchers: Set<() => void>;
  readonly wanted: Wanted;
  readonly boundMs: number;
}

function waitForScreen({ screen, watchers, wanted, boundMs }: Wait): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const look = () => {
    if (matches(screen(), wanted)) resolve();
  };
  const timer = setTimeout(() => reject(tooLate(wanted, screen())), boundMs);
  watchers.add(look);
  look();
  return promise.finally(() => {
    clearTimeout(timer);
    watchers.delete(look);
  });
}
