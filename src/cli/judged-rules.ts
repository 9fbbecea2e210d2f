/** The configured rules as the evaluator judges by them. */
import type { KhaelorConfig } from "../config/index.ts";
import type { EvaluatorOptions } from "../permissions/index.ts";

/** What a project's own file asks or denies holds with and without the user's rules behind it: it can only tighten. */
export const judgedRules = ({ permissions }: Pick<KhaelorConfig, "permissions">): EvaluatorOptions["rules"] =>
  permissions.map((rule) =>
    rule.source === "project" && rule.action !== "allow" ? { ...rule, onlyTightens: true } : rule,
  );
