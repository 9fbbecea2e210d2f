/** Cuts a stream of bytes into records, however its pieces lie. A record that is too long comes cut, and the rest of it is dropped. */

const MAX_RECORD_BYTES = 1024 * 1024;

/** `cut`: the record was longer, and this is its beginning. False: nothing more is wanted. */
export type TakeRecord = (record: string, cut: boolean) => boolean;

export interface Splitter {
  push(chunk: Uint8Array): void;
  totalBytes(): number;
}

export function createSplitter(separator: "\n" | "\0", take: TakeRecord): Splitter {
  const mark = separator.charCodeAt(0);
  const decoder = new TextDecoder();
  let open: Uint8Array[] = [];
  let openBytes = 0;
  let total = 0;
  let wanted = true;

  const keep = (part: Uint8Array) => {
    const room = part.subarray(0, Math.max(0, MAX_RECORD_BYTES - openBytes));
    if (room.length > 0) open.push(room.slice()); // the chunk's memory may be used again
    openBytes += part.length;
  };
  const close = () => {
    const record = decoder.decode(Buffer.concat(open));
    wanted = take(record, openBytes > MAX_RECORD_BYTES);
    open = [];
    openBytes = 0;
  };
  return {
    push(chunk) {
      total += chunk.length;
      for (let start = 0; wanted && start < chunk.length; ) {
        const end = chunk.indexOf(mark, start);
        keep(chunk.subarray(start, end < 0 ? chunk.length : end));
        if (end < 0) return;
        close();
        start = end + 1;
      }
    },
    totalBytes: () => total,
  };
}
