/** What goes wrong beside the work, on its way to whoever shows it. What is told before anybody listens waits for them. */

export interface NoticeBoard {
  tell(text: string): void;
  /** One listener at a time: the newest. Returns the end of listening. */
  listen(onText: (text: string) => void): () => void;
}

/** The newest that wait; a flood says nothing more than its end. */
const MAX_WAITING = 20;

export function createNoticeBoard(): NoticeBoard {
  let waiting: string[] = [];
  let listener: ((text: string) => void) | undefined;
  return {
    tell(text) {
      if (listener) listener(text);
      else waiting = [...waiting, text].slice(-MAX_WAITING);
    },
    listen(onText) {
      listener = onText;
      for (const text of waiting) onText(text);
      waiting = [];
      return () => {
        if (listener === onText) listener = undefined;
      };
    },
  };
}
