/** A few colours for plain lines, when the output is a terminal that wants them. */

export interface Paint {
  dim(text: string): string;
  bold(text: string): string;
  red(text: string): string;
  green(text: string): string;
}

/** `NO_COLOR` as in no-color.org: set and not empty means none. What was typed as `--color` wins over everything. */
export function createPaint(
  isTerminal: boolean,
  env: Readonly<Record<string, string | undefined>>,
  typed = "auto",
): Paint {
  const fits = isTerminal && !env.NO_COLOR && env.TERM !== "dumb";
  const colourful = typed === "auto" ? fits : typed === "always";
  const sgr = (on: number, off: number) => (text: string) =>
    colourful && text !== "" ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return { dim: sgr(2, 22), bold: sgr(1, 22), red: sgr(31, 39), green: sgr(32, 39) };
}
