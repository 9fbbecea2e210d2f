/**
 * What gives a terminal back to a shell when nobody knows any more what was switched on. All of it may be written twice, and
 * on a terminal that knows none of it: there it does nothing.
 */

/** What tells the program more than keys: mouse, focus, changes of theme. Also before a start, for a killed one may have left it. */
export const QUIET = ["1000", "1002", "1003", "1005", "1006", "1015", "1016", "1004", "2031"]
  .map((mode) => `\u001b[?${mode}l`)
  .join("");

/** The window's title, to be put back by the terminal itself. */
export const TITLE_KEPT = "\u001b[22;0t";
export const TITLE_BACK = "\u001b[23;0t";

/** From the innermost: each screen of a terminal has a keyboard mode of its own, so that goes before the other screen does. */
export const RESET = [
  "\u001b[?2026l", // show what was held back
  QUIET,
  "\u001b[?2004l\u001b[?1l\u001b>\u001b[<u\u001b[>4;0m", // keys
  "\u001b[?7h\u001b[r\u001b[?6l\u001b(B\u000f", // how text is put
  "\u001b[?1049l",
  "\u001b[?25h\u001b[0 q\u001b[0m\u001b]112\u0007", // cursor, colours
  TITLE_BACK,
].join("");
