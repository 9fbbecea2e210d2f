/**
 * Bytes as they come, cut into lines: however they were split on the way, however long they are. A line that cannot be used
 * is told as such, and the next one is read all the same. Never holds more than one line.
 */

import { errorMessage } from "../../shared/index.ts";

export type InputLine =
  | { readonly number: number; readonly text: string }
  | { readonly number: number; readonly problem: string };

const NEWLINE = 0x0a;

export async function* inputLines(input: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<InputLine> {
  const line = createLine(maxBytes);
  let number = 1;
  try {
    for await (const chunk of input) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        line.add(chunk.subarray(start, end));
        yield { number: number++, ...line.take() };
        start = end + 1;
      }
      line.add(chunk.subarray(start));
    }
  } catch (error) {
    yield { number, problem: `the input could not be read on: ${errorMessage(error)}` };
    return;
  }
  if (!line.isEmpty()) yield { number, problem: "the input ended in the middle of this line; end each with a newline" };
}

/** Gathers one line after the other, each within the bound. */
export function createLine(maxBytes: number) {
  let parts: Uint8Array[] = [];
  let size = 0;
  return {
    add(part: Uint8Array): void {
      size += part.length;
      if (size > maxBytes) parts = [];
      else if (part.length > 0) parts.push(part.slice()); // the stream may use its buffer again
    },
    isEmpty: () => size === 0,
    take(): { readonly text: string } | { readonly problem: string } {
      const [bytes, length] = [Buffer.concat(parts), size];
      [parts, size] = [[], 0];
      if (length > maxBytes) return { problem: `the line has ${length} bytes; at most ${maxBytes} are taken` };
      try {
        return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
      } catch {
        return { problem: "the line is not UTF-8" }; // the decoder's one way to say so
      }
    },
  };
}
