/**
 * What is typed or piped in, cut into lines as it comes, each with the time at which it was begun. It is read ahead, so that this
 * time is right whoever is busy; when too much waits, no more is read.
 */
import type { Readable } from "node:stream";
import { errorMessage } from "../../shared/index.ts";
import type { TypedLine } from "../../tui/index.ts";
import { createLine } from "../stream/input-lines.ts";

export interface TypedLines extends AsyncIterable<TypedLine> {
  /** No more is read. */
  end(): void;
}

/** No message is longer; what is, goes into a file. */
const MAX_LINE_BYTES = 256 * 1024;
const MAX_WAITING = 1024;
const NEWLINE = 0x0a;

export function typedLines(input: Readable, now: () => number): TypedLines {
  const waiting: TypedLine[] = [];
  const line = createLine(MAX_LINE_BYTES);
  let begunAt = 0;
  let isOver = false;
  let wake = Promise.withResolvers<void>();
  function tell(): void {
    wake.resolve();
    wake = Promise.withResolvers();
  }
  function add(bytes: Uint8Array): void {
    if (line.isEmpty()) begunAt = now();
    line.add(bytes);
  }
  function finish(): void {
    const taken = line.take();
    waiting.push("problem" in taken ? taken : { text: taken.text.replace(/\r$/, ""), begunAt, endedAt: now() });
    if (waiting.length >= MAX_WAITING) input.pause();
  }
  function onData(chunk: Uint8Array): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end));
      finish();
      start = end + 1;
    }
    if (start < chunk.length) add(chunk.subarray(start));
    tell();
  }
  function onEnd(): void {
    if (isOver) return;
    isOver = true;
    if (!line.isEmpty()) finish();
    tell();
  }
  function onError(error: unknown): void {
    waiting.push({ problem: `The input could not be read on: ${errorMessage(error)}` });
    onEnd();
  }
  input.on("data", onData).on("end", onEnd).on("close", onEnd).on("error", onError);
  return {
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const next = waiting.shift();
        if (next) yield next;
        else if (isOver) return;
        else {
          input.resume();
          await wake.promise;
        }
      }
    },
    end() {
      input.off("data", onData).off("end", onEnd).off("close", onEnd);
      isOver = true;
      input.pause();
      tell();
    },
  };
}
