/** The lines that are typed, one after the other, to whoever asks for the next: the conversation, or a question of a command. */
import type { TypedLine } from "./port.ts";

export interface Reader {
  /** Undefined when the input has ended. */
  next(): Promise<TypedLine | undefined>;
  /** The same, given up when `cancelled` resolves; the line that comes then is the next one's. */
  nextUnless(cancelled: Promise<void>): Promise<TypedLine | undefined>;
}

export function createReader(lines: AsyncIterable<TypedLine>): Reader {
  const iterator = lines[Symbol.asyncIterator]();
  let coming: Promise<TypedLine | undefined> | undefined;
  function peek(): Promise<TypedLine | undefined> {
    coming ??= iterator.next().then(({ done, value }) => (done ? undefined : value));
    return coming;
  }
  async function next(): Promise<TypedLine | undefined> {
    const line = await peek();
    if (line) coming = undefined; // the end stays the end
    return line;
  }
  return {
    next,
    async nextUnless(cancelled) {
      const CANCELLED = {};
      const first = await Promise.race([peek(), cancelled.then(() => CANCELLED)]);
      return first === CANCELLED ? undefined : next();
    },
  };
}
