/**
 * Output for a screen while a command runs: decoded, and at most so much in so much time. A flood shows as its newest part,
 * because nobody can read more and the loop must not spend itself on it.
 */
const INTERVAL_MS = 50;
const MAX_CHARS = 16 * 1024;

export interface LiveOutput {
  push(chunk: Uint8Array): void;
  /** Shows what is left and stops the timer. */
  end(): void;
}

export function createLiveOutput(emit: (chunk: string) => void): LiveOutput {
  const decoder = new TextDecoder();
  let waiting = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    if (waiting === "") return;
    const text = waiting;
    waiting = "";
    emit(text);
  };
  return {
    push(chunk) {
      const text = decoder.decode(chunk, { stream: true });
      waiting = (waiting + text).slice(-MAX_CHARS);
      timer ??= setTimeout(flush, INTERVAL_MS);
    },
    end() {
      clearTimeout(timer);
      waiting += decoder.decode();
      flush();
    },
  };
}
