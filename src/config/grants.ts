/** Keeps what the user consented to for good: single rules, and trust in a project's own allow rules. */
import { err, type PermissionRule, type Result } from "../shared/index.ts";
import { type GrantFile, grantFile, projectGrantFile, renderGrants } from "./grant-file.ts";
import { readGrants } from "./load.ts";
import { alone, replacePrivateFile } from "./loader.ts";
import { problemText } from "./types.ts";

export interface GrantPlace {
  readonly home: string;
  readonly projectRoot: string;
}

export type GrantScope = "always-project" | "always-user";

/**
 * Adds the rule behind all others of its scope. A rule that is there already is not written again. The error is for a person:
 * the grant then holds for this session only.
 */
export function persistPermissionGrant(
  place: GrantPlace,
  scope: GrantScope,
  { capability, pattern, action }: PermissionRule,
): Promise<Result<undefined, string>> {
  return change(place, scope, ({ rules, ...file }) => {
    const known = rules.some((r) => r.capability === capability && r.pattern === pattern && r.action === action);
    return { ...file, rules: known ? rules : [...rules, { capability, pattern, action }] };
  });
}

/** From now on the allow rules of this project's own file count. */
export const trustProject = (place: GrantPlace): Promise<Result<undefined, string>> =>
  change(place, "always-project", (file) => ({ ...file, trusted: true }));

/** One change at a time, so that two answers in a row cannot undo each other. */
let last: Promise<unknown> = Promise.resolve();

function change(
  { home, projectRoot }: GrantPlace,
  scope: GrantScope,
  edit: (file: GrantFile) => GrantFile,
): Promise<Result<undefined, string>> {
  const project = scope === "always-project" ? projectRoot : undefined;
  const path = project === undefined ? grantFile(home) : projectGrantFile(home, project);
  const write = async (): Promise<Result<undefined, string>> => {
    const before = await readGrants(path, project);
    const [problem] = before.problems;
    if (problem) return err(`not saved, because the file must be repaired first: ${problemText(problem)}`);
    const { rules, trusted } = edit(before);
    return replacePrivateFile(path, renderGrants(rules, trusted, project));
  };
  const result = last.then(() => alone(path, write));
  last = result;
  return result;
}
