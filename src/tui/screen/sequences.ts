/** What is written to the terminal beside frames: clipboard, title, bell. Each is whole and bounded, and holds no foreign control. */
import { sanitize } from "../../shared/index.ts";

export const BELL = "\x07";

/** The cursor in the terminal's own colour; the library always gives it one. */
export const CURSOR_COLOR_RESET = "\x1b]112\x07";

/** Of the text as UTF-8. Several terminals drop a longer sequence as a whole, without a word. */
export const MAX_COPIED_BYTES = 75_000;

/**
 * Asks the terminal to take the text. tmux takes the plain sequence when its `set-clipboard` is on, and hands the wrapped one
 * to the terminal around it when `allow-passthrough` is on; so it gets both. Undefined: it is too long.
 */
export function clipboardSequence(text: string, isInTmux: boolean): string | undefined {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length > MAX_COPIED_BYTES) return;
  const plain = `\x1b]52;c;${bytes.toString("base64")}\x07`;
  return isInTmux ? plain + passedThrough(plain) : plain;
}

const passedThrough = (sequence: string): string => `\x1bPtmux;${sequence.replaceAll("\x1b", "\x1b\x1b")}\x1b\\`;

const MAX_TITLE = 200;

/** One line, and not longer than a tab of a terminal shows. */
export const titleSequence = (title: string): string =>
  `\x1b]0;${oneLine(title).slice(0, MAX_TITLE).toWellFormed()}\x07`;

const MAX_NOTICE = 500;

export const noticeText = (text: string): string => oneLine(text).slice(0, MAX_NOTICE).toWellFormed();

const oneLine = (text: string): string => sanitize(text).replaceAll(/\s+/g, " ").trim();
