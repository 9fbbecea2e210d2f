/**
 * The developer log: one line a record in `<home>/logs/khaelor.log`, never on the screen. It must not be able to fail a
 * run: what cannot be written is dropped, and counted. Secrets do not belong here; callers pass no headers and no keys.
 */
import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { wellFormed } from "./text.ts";

export interface Logger {
  warn(message: string, details?: Readonly<Record<string, unknown>>): void;
  debug(message: string, details?: Readonly<Record<string, unknown>>): void;
}

const MAX_LOG_BYTES = 4 * 1024 * 1024;

export const silentLogger: Logger = { warn: () => undefined, debug: () => undefined };

export interface LogOptions {
  /** Keeps what helps to find a fault, too. */
  readonly verbose: boolean;
  /** Of that only what names this, in whatever case. Warnings are always kept. */
  readonly filter?: string;
  /** Is given each line that is kept, with its newline. */
  readonly show?: (line: string) => void;
}

export function fileLogger(home: string, now: () => number, options: LogOptions): Logger {
  const { verbose, filter = "", show } = options;
  const folder = join(home, "logs");
  const file = join(folder, "khaelor.log");
  let dropped = 0;

  function write(level: string, message: string, details: Readonly<Record<string, unknown>> = {}): void {
    const record = { ts: now(), level, message, ...details, ...(dropped > 0 ? { dropped } : {}) };
    try {
      const line = `${wellFormed(JSON.stringify(record))}\n`;
      if (level === "debug" && !line.toLowerCase().includes(filter.toLowerCase())) return;
      show?.(line);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES) renameSync(file, `${file}.1`);
      appendFileSync(file, line, { mode: 0o600 });
      dropped = 0;
    } catch {
      dropped++;
    }
  }
  return {
    warn: (message, details) => write("warn", message, details),
    debug: (message, details) => (verbose ? write("debug", message, details) : undefined),
  };
}
