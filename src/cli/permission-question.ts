/**
 * A question to the permission evaluator, asked from outside a session: what would happen, and why. Nothing is executed, and
 * nothing but paths and config files is looked at.
 */

import { join, resolve } from "node:path";
import { createEvaluator } from "../permissions/index.ts";
import {
  type Access,
  CAPABILITIES,
  EXIT,
  misfit,
  type PermissionMode,
  type PermissionRule,
  UserError,
  type Verdict,
} from "../shared/index.ts";
import { addedFolders } from "./added-folders.ts";
import { configurationFor } from "./configuration.ts";
import { settingThatRuns } from "./git-settings.ts";
import { judgedRules } from "./judged-rules.ts";
import { projectRootAt } from "./project-root.ts";
import { isSpecialFile, resolveRealPath } from "./real-path.ts";
import type { Environment, Flags, Places } from "./settings.ts";

export interface Question {
  readonly command?: string;
  readonly path?: string;
  readonly op?: "read" | "write";
  /** Where it would run; need not exist. Default: the working directory. */
  readonly cwd?: string;
  /** The user's home; its `.khaelor` is then the state folder. */
  readonly home?: string;
  /** In place of the configured ones. */
  readonly rules?: readonly PermissionRule[];
  readonly mode?: PermissionMode;
}

const RULE = {
  capability: CAPABILITIES.map((name) => `'${name}'`).join(" | "),
  pattern: "string >= 1",
  action: "'allow' | 'ask' | 'deny'",
  "+": "reject",
};

const RULES = [RULE, "[]"];

/** Of a line of `--batch`; `id` is the asker's own. */
const QUESTION = {
  "id?": "unknown",
  "command?": "string",
  "path?": "string",
  "op?": "'read' | 'write'",
  "cwd?": "string >= 1",
  "home?": "string >= 1",
  "rules?": RULES,
  "mode?": "'ask' | 'accept-edits' | 'plan' | 'bypass'",
};

/** Checks foreign data; the error says what was expected where. */
export function asQuestion(value: unknown): (Question & { readonly id?: unknown }) | string {
  const wrong = misfit(QUESTION, value);
  if (wrong) return `${wrong.path.length > 0 ? `${wrong.path.join(".")}: ` : ""}expected ${wrong.expected}`;
  const question = value as Question; // as: just checked
  if ((question.command === undefined) === (question.path === undefined)) return "expected a command or a path";
  return question;
}

export function asRules(value: unknown, place: string): readonly PermissionRule[] {
  const wrong = misfit(RULES, value);
  if (!wrong) return value as readonly PermissionRule[]; // as: just checked
  throw new UserError(`${place}: ${wrong.path.join(".") || "rules"}: expected ${wrong.expected}`, EXIT.usage);
}

export interface Asker {
  answer(question: Question): Promise<Verdict>;
}

interface Surroundings {
  readonly places: Places;
  readonly env: Environment;
  readonly flags: Flags;
}

/** Reads the configuration of each place once, and only for questions that bring no rules and mode of their own. */
export function createAsker(surroundings: Surroundings): Asker {
  const { places, env, flags } = surroundings;
  const configured = new Map<string, ReturnType<typeof configurationFor>>();
  const configurationOf = (home: string, root: string) => {
    const key = `${home}\n${root}`;
    const known = configured.get(key) ?? configurationFor({ places: { ...places, home }, env, flags }, root);
    configured.set(key, known);
    return known;
  };
  return {
    async answer(question) {
      const cwd = real(resolve(places.cwd, question.cwd ?? "."));
      const userHome = real(resolve(question.home ?? places.userHome));
      const stateFolder = question.home === undefined ? real(places.home) : join(userHome, ".khaelor");
      const projectRoot = await projectRootAt(cwd);
      const config =
        question.rules && question.mode ? undefined : (await configurationOf(stateFolder, projectRoot)).config;
      const evaluator = createEvaluator({
        home: userHome,
        stateFolder,
        projectRoot,
        additionalRoots: config ? addedFolders(config, userHome) : [],
        cwd,
        mode: question.mode ?? config?.permissionMode ?? "ask",
        rules: question.rules ?? (config ? judgedRules(config) : []),
        resolvePath: resolveRealPath,
        isSpecialFile,
        settingThatRuns,
      });
      return evaluator.evaluate(accessOf(question, cwd));
    },
  };
}

const real = (path: string): string => resolveRealPath(path) ?? path;

const accessOf = ({ command, path = "", op = "read" }: Question, cwd: string): Access =>
  command === undefined ? { kind: "path", op, path } : { kind: "command", command, cwd };
