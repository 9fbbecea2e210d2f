/** One background process as the tool sees it: its name, its state, what it has printed and nobody has read. */
import { toBytes } from "../../shared/index.ts";
import type { BackgroundProcess } from "../../workspace/index.ts";
import { createOutputReader, type NewOutput } from "./output-reader.ts";
import { createRollingBuffer } from "./rolling-buffer.ts";

export const BUFFER_BYTES = 200 * 1024;

export type Cause = "exited" | "stopped-by-tool" | "khaelor-shutdown" | "crashed";

export interface Ending {
  readonly cause: Cause;
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export interface ManagedProcess {
  /** p1, p2, …: never given twice in a session. */
  readonly id: string;
  readonly command: string;
  /** Undefined while it runs. */
  ending(): Ending | undefined;
  /** Whole seconds since it was started. */
  ageSeconds(): number;
  /** Output that is new since the last call. */
  read(): NewOutput;
  unreadBytes(): number;
  /** All that it ever printed. */
  printedBytes(): number;
  /** How many bytes it took. */
  write(text: string): number | "closed";
  endInput(): void;
  /** What was typed since the last line end: with what comes next it becomes one line. */
  openLine(): string;
  /** Called at each piece of output and at the end, until the returned function is. */
  onNews(listener: () => void): () => void;
}

/** What only its manager may do with it. */
export interface ProcessSlot {
  readonly process: ManagedProcess;
  printed(chunk: Uint8Array): void;
  /** It has been started. */
  attach(running: BackgroundProcess): void;
  end(ending: Ending): void;
}

const OPEN_LINE_CHARACTERS = 32 * 1024;

export function createProcessSlot(id: string, command: string, now: () => number): ProcessSlot {
  const buffer = createRollingBuffer(BUFFER_BYTES);
  const reader = createOutputReader(buffer);
  const listeners = new Set<() => void>();
  const startedAt = now();
  let running: BackgroundProcess | undefined;
  let ending: Ending | undefined;
  let openLine = "";
  const tell = () => {
    for (const listener of [...listeners]) listener();
  };

  function write(text: string): number | "closed" {
    const written = running?.write(toBytes(text));
    if (!written?.ok) return "closed";
    const [last = ""] = (openLine + text).split(/[\r\n]/).slice(-1);
    openLine = last.slice(-OPEN_LINE_CHARACTERS);
    return written.value;
  }

  return {
    process: {
      id,
      command,
      ending: () => ending,
      ageSeconds: () => Math.max(0, Math.floor((now() - startedAt) / 1000)),
      read: () => reader.read(ending !== undefined),
      unreadBytes: buffer.unreadBytes,
      printedBytes: buffer.totalBytes,
      write,
      endInput: () => running?.endInput(),
      openLine: () => openLine,
      onNews(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    printed(chunk) {
      buffer.write(chunk);
      tell();
    },
    attach(started) {
      running = started;
    },
    end(how) {
      ending = how;
      running = undefined;
      tell();
    },
  };
}
