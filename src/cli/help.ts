/** `--help`, printed from the same table that parses. */
import { FLAGS } from "./flags/table.ts";
import { SUBCOMMANDS } from "./subcommands.ts";
import { wrapped } from "./word-wrap.ts";

/** `width`: columns of the terminal, or how wide a file should be. */
export function helpText(version: string, width: number): string {
  const row = (left: string, right: string) => helpRow(left, right, width);
  const flags = FLAGS.map(({ names, value, about }) => row(`${names.join(", ")}${value ? ` ${value}` : ""}`, about));
  const subcommands = SUBCOMMANDS.map(({ usage, about }) => row(usage, about));
  return [
    `khaelor ${version}: an engineering agent for the terminal`,
    "",
    "Usage:",
    row('khaelor -p "what to do"', "work in this folder and print the answer"),
    row('command | khaelor -p "…"', "the same, with the input behind the prompt"),
    row("khaelor SUBCOMMAND", ""),
    "",
    "Subcommands:",
    ...subcommands,
    "",
    "Flags:",
    ...flags,
    "",
    wrapped(ENVIRONMENT, width),
    "",
    wrapped(EXIT_CODES, width),
    "",
  ].join("\n");
}

const ENVIRONMENT =
  "Environment: ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN, ANTHROPIC_BASE_URL; KHAELOR_HOME moves ~/.khaelor.";
const EXIT_CODES =
  "Exit codes: 0 done, 1 internal, 2 usage, 3 no valid key, 4 permission needed and nobody to ask, 6 a check is red, " +
  "7 limit reached, 8 model failed, 9 conversation too large, 10 log damaged or locked, 75 rate limited, 130/143 signals.";

const COLUMN = 34;
/** Below this the explanation goes under the name. */
const TWO_COLUMNS = 72;

function helpRow(left: string, right: string, width: number): string {
  if (right === "") return `  ${left}`;
  const indent = width < TWO_COLUMNS ? 6 : COLUMN;
  const lines = wrapped(right, Math.max(20, width - indent)).split("\n");
  const below = lines.map((line) => `${" ".repeat(indent)}${line}`);
  const fits = indent === COLUMN && left.length < COLUMN - 3;
  return fits
    ? [`  ${left}`.padEnd(COLUMN) + lines[0], ...below.slice(1)].join("\n")
    : [`  ${left}`, ...below].join("\n");
}
