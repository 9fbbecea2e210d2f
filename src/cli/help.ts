/** `--help`, printed from the same table that parses. */
import type { Flag } from "./flags/define.ts";
import { FAMILIES, FLAGS } from "./flags/table.ts";
import { SUBCOMMANDS, type Subcommand } from "./subcommands.ts";
import { wrapped } from "./word-wrap.ts";

/** `width`: columns of the terminal, or how wide a file should be. */
export function helpText(version: string, width: number): string {
  const row = (left: string, right: string) => helpRow(left, right, width);
  return [
    `khaelor ${version}: an engineering agent for the terminal`,
    "",
    "Usage:",
    row('khaelor ["what to do"]', "work in this folder, on the terminal"),
    row('khaelor -p "what to do"', "work in this folder and print the answer"),
    row('command | khaelor -p "…"', "the same, with the input behind the prompt"),
    row("khaelor SUBCOMMAND", ""),
    "",
    "Subcommands (khaelor help SUBCOMMAND says more):",
    ...SUBCOMMANDS.map(({ usage, about }) => row(usage, about)),
    ...FAMILIES.flatMap(({ title, flags }) => ["", `${title}:`, ...flags.map((flag) => flagRow(flag, width))]),
    "",
    wrapped(ENVIRONMENT, width),
    "",
    wrapped(EXIT_CODES, width),
    "",
  ].join("\n");
}

/** All about one subcommand. */
export function subcommandHelp(name: Subcommand, width: number): string {
  const { usage, about, isRun } = SUBCOMMANDS.find((one) => one.name === name) ?? { usage: name, about: "" };
  const own = FLAGS.filter(({ of }) => of?.some((command) => command === name));
  const everywhere = FLAGS.filter(({ key }) => key === "cwd" || key === "help");
  return [
    `khaelor ${usage}`,
    "",
    wrapped(about, width),
    "",
    "Flags:",
    ...[...own, ...everywhere].map((flag) => flagRow(flag, width)),
    ...(isRun ? ["", wrapped("Beside them the flags of a run: khaelor --help.", width)] : []),
    "",
  ].join("\n");
}

const flagRow = ({ names, value, about }: Flag, width: number): string =>
  helpRow(`${names.join(", ")}${value ? ` ${value}` : ""}`, about, width);

const ENVIRONMENT =
  "Environment: ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN, ANTHROPIC_BASE_URL; KHAELOR_MODEL, KHAELOR_AUX_MODEL, " +
  "KHAELOR_FALLBACK_MODEL, KHAELOR_EFFORT, KHAELOR_THINKING, KHAELOR_THEME; KHAELOR_HOME moves ~/.khaelor.";
const EXIT_CODES =
  "Exit codes: 0 done, 1 internal, 2 usage, 3 no valid key, 4 permission needed and nobody to ask, 6 a check is red, " +
  "7 limit reached, 8 model failed, 9 conversation too large, 10 log damaged or locked, 75 rate limited, 129/130/143 signals.";

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
