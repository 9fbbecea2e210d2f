/** `--help`, printed from the same table that parses. */
import { FLAGS, SUBCOMMANDS } from "./args.ts";

export function helpText(version: string): string {
  const flags = FLAGS.map(({ names, value, about }) => row(`${names.join(", ")}${value ? ` ${value}` : ""}`, about));
  const subcommands = SUBCOMMANDS.map(({ usage, about }) => row(usage, about));
  return [
    `khaelor ${version}: an engineering agent for the terminal`,
    "",
    'Usage: khaelor -p "what to do"          work in this folder and print the answer',
    '       command | khaelor -p "…"         the same, with the input behind the prompt',
    "       khaelor <subcommand>",
    "",
    "Subcommands:",
    ...subcommands,
    "",
    "Flags:",
    ...flags,
    "",
    "Environment: ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN, ANTHROPIC_BASE_URL; KHAELOR_HOME moves ~/.khaelor.",
    "Exit codes: 0 done, 1 internal, 2 usage, 3 no valid key, 4 permission needed and nobody to ask, 6 a check is red,",
    "  7 limit reached, 8 model failed, 9 conversation too large, 10 log damaged or locked, 75 rate limited, 130/143 signals.",
    "",
  ].join("\n");
}

const row = (left: string, right: string): string =>
  left.length > 36 ? `  ${left}\n${" ".repeat(40)}${right}` : `  ${left.padEnd(38)}${right}`;
