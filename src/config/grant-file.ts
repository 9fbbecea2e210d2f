/**
 * The files that hold what the user answered "always" to, in khaelor's own folder: one for every project and one for each.
 * They are not part of the config file, whose comments stay untouched, and not part of the project, whose maker must not be
 * able to write them. Read as JSON with comments; written whole.
 */
import { join } from "node:path";
import { misfit, type PermissionRule, sha256 } from "../shared/index.ts";
import { parseJson } from "./parse.ts";
import { keyText } from "./shown.ts";
import { CONFIG_FILE, type ConfigProblem } from "./types.ts";

export interface GrantFile {
  readonly rules: readonly PermissionRule[];
  /** The allow rules of the project's own file count. */
  readonly trusted: boolean;
  readonly problems: readonly ConfigProblem[];
}

export const grantFile = (home: string): string => join(home, "permissions.json");

export const projectGrantFile = (home: string, projectRoot: string): string =>
  join(home, "projects", sha256(projectRoot).slice(0, 16), "permissions.json");

const FORMAT = {
  /** The project's root, for people, and as a guard against a file in the wrong place. */
  "project?": "string",
  "trusted?": "boolean",
  rules: CONFIG_FILE["permissions?"],
} as const;

/** A missing text is an empty file. What does not fit is a problem, never an empty list: a deny rule may stand there. */
export function parseGrants(path: string, text: string | undefined, project?: string): GrantFile {
  const refused = (line: number, key: string, expected: string, got: string): GrantFile => ({
    rules: [],
    trusted: false,
    problems: [{ file: path, line, key, expected, got }],
  });
  if (text === undefined) return { rules: [], trusted: false, problems: [] };
  const parsed = parseJson(text);
  if (!parsed.ok) return refused(parsed.error.line, "", parsed.error.expected, parsed.error.got);
  const { value, lineOf, duplicates } = parsed.value;
  const [twice] = duplicates;
  if (twice) return refused(twice.line, keyText(twice.path), "this key only once", "a second one");
  const wrong = misfit(FORMAT, value);
  if (wrong) return refused(lineOf(wrong.path), keyText(wrong.path), wrong.expected, "something else");
  // as: just checked against the definition.
  const {
    rules,
    trusted = false,
    project: owner,
  } = value as {
    readonly rules: readonly PermissionRule[];
    readonly trusted?: boolean;
    readonly project?: string;
  };
  if (owner !== project) return refused(lineOf(["project"]), "project", project ?? "nothing", owner ?? "nothing");
  return { rules, trusted, problems: [] };
}

export function renderGrants(rules: readonly PermissionRule[], trusted: boolean, project?: string): string {
  const lines = rules.map(
    ({ capability, pattern, action }) => `    ${JSON.stringify({ capability, pattern, action })}`,
  );
  const head = project === undefined ? "" : `  "project": ${JSON.stringify(project)},\n`;
  const trust = trusted ? '  "trusted": true,\n' : "";
  return `// What you answered "always" to. Remove a line to be asked again. Comments are not kept.
{
${head}${trust}  "rules": [
${lines.join(",\n")}
  ]
}
`;
}
