/** A conversation with the compiled program over its streams: what a front does that knows nothing but docs/HEADLESS.md. */
import { expect } from "bun:test";
import type { Ran, RunOptions, Served } from "./stage.ts";

export interface Said {
  readonly type: string;
  readonly seq?: number;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

export interface Talk {
  send(command: Readonly<Record<string, unknown>>): void;
  /** Bytes as they stand, for input that is no command. */
  write(bytes: string | Uint8Array): void;
  /** The next line of this type (since the last one that was awaited) that fits. */
  next(type: string, fits?: (line: Said) => boolean): Promise<Said>;
  /** Closes the input and waits for the end. */
  end(): Promise<Ran>;
  readonly pid: number;
  readonly done: Promise<Ran>;
  kill(signal: NodeJS.Signals): void;
  readonly lines: readonly Said[];
}

export const FRONT = ["-p", "--input-format", "stream-json", "--output-format", "stream-json"];

export function talk(served: Served, args: readonly string[] = [], options: RunOptions = {}): Talk {
  const lines: Said[] = [];
  let rest = "";
  let at = 0;
  let wake = (): void => undefined;
  const running = served.begin([...FRONT, ...args], {
    ...options,
    stdin: { silent: true },
    onOutput(text) {
      const parts = (rest + text).split("\n");
      rest = parts.pop() ?? "";
      lines.push(...parts.map((part) => JSON.parse(part) as Said));
      wake();
    },
  });
  let ended = false;
  const done = running.done.then((ran) => {
    ended = true;
    wake();
    return ran;
  });

  async function next(type: string, fits: (line: Said) => boolean = () => true): Promise<Said> {
    for (;;) {
      const found = lines.findIndex((line, index) => index >= at && line.type === type && fits(line));
      if (found !== -1) {
        at = found + 1;
        return lines[found] as Said;
      }
      if (ended)
        throw new Error(
          `no ${type} came; ${JSON.stringify(lines.slice(at).map((line) => line.type))}\n${(await done).stderr}`,
        );
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  return {
    send: (command) => running.write(`${JSON.stringify(command)}\n`),
    write: (bytes) => running.write(bytes),
    next,
    end() {
      running.write(undefined);
      return done;
    },
    pid: running.pid,
    done,
    kill: running.kill,
    lines,
  };
}

/** The lines that tell how turns ended, in short. */
export const results = (lines: readonly Said[]) =>
  lines.filter(({ type }) => type === "result").map(({ status, exit_code, result }) => [status, exit_code, result]);

export const expectEnd = ({ code, stderr }: Ran, expected: number): void =>
  expect([code, stderr]).toEqual([expected, ""]);
