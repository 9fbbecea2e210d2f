/** Evaluators for tests, and a file system that is only names and links. */
import {
  createEvaluator,
  type EvaluatorOptions,
  followLinks,
  type PermissionEvaluator,
} from "../../src/permissions/index.ts";

export const linkedResolver =
  (links: Readonly<Record<string, string>>) =>
  (path: string): string | undefined =>
    followLinks(path, (name) => links[name]);

export const HOME = "/home/dev";
export const PROJECT = "/home/dev/proj";

export const evaluatorFor = (options: Partial<EvaluatorOptions> = {}): PermissionEvaluator =>
  createEvaluator({
    home: HOME,
    projectRoot: PROJECT,
    mode: "ask",
    rules: [],
    stateFolder: `${HOME}/.khaelor`,
    resolvePath: linkedResolver({}),
    ...options,
  });

export const verdictOn = (command: string, options: Partial<EvaluatorOptions> = {}) =>
  evaluatorFor(options).evaluate({ kind: "command", command, cwd: PROJECT });
