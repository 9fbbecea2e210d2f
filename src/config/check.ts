/** Holds a value against a definition and finds everything in it that does not fit, not only the first. */
import { explain, misfit } from "../shared/index.ts";
import { anyOf, fieldNames, fieldOf, isFields } from "./key-path.ts";

export type Path = readonly (string | number)[];

export interface Finding {
  readonly path: Path;
  /** The keys that this object may have, when the finding is a key that is none of them. */
  readonly known?: readonly string[];
  /** Such a key where the definition does not forbid other keys: a later version may know it. */
  readonly isTolerable?: true;
  readonly expected: string;
  readonly value: unknown;
  /** In full, by the means that take their time. */
  readonly explain?: () => Promise<string>;
}

export interface Checked {
  readonly findings: readonly Finding[];
  /** The value without its unknown keys. */
  readonly kept: unknown;
}

/** A rule beyond the definition: what was expected of the text at this path, or undefined when it will do. */
export type TextRule = (path: Path, text: string) => string | undefined;

export function check(definition: unknown, value: unknown, textRule: TextRule): Checked {
  const findings: Finding[] = [];
  const kept = walk({ definition, value, path: [] }, { findings, textRule });
  return { findings, kept };
}

interface Step {
  readonly definition: unknown;
  readonly value: unknown;
  readonly path: Path;
}

interface Walk {
  readonly findings: Finding[];
  readonly textRule: TextRule;
}

function walk(step: Step, to: Walk): unknown {
  const { definition, value, path } = step;
  if (isFields(definition)) return walkObject(definition, step, to);
  const item = listItem(definition);
  if (item !== undefined && Array.isArray(value)) {
    return value.map((one, at) => walk({ definition: item, value: one, path: [...path, at] }, to));
  }
  const wrong = misfit(definition, value);
  if (wrong) to.findings.push({ ...found(step, wrong.expected), explain: () => explain(definition, value) });
  const forbidden = !wrong && typeof value === "string" ? to.textRule(path, value) : undefined;
  if (forbidden !== undefined) to.findings.push(found(step, forbidden));
  return value;
}

const found = ({ path, value }: Step, expected: string): Finding => ({ path, value, expected });

/** Of a list its items' definition, whether it is written as a tuple or as a word. */
function listItem(definition: unknown): unknown {
  if (Array.isArray(definition)) return definition[1] === "[]" ? definition[0] : undefined;
  return typeof definition === "string" && /^\w+\[\]$/.test(definition) ? definition.slice(0, -2) : undefined;
}

function walkObject(definition: object, { value, path }: Step, to: Walk): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    to.findings.push(found({ definition, value, path }, "an object"));
    return value;
  }
  const known = fieldNames(definition);
  for (const name of known) {
    if (Object.hasOwn(definition, name) && !Object.hasOwn(value, name)) {
      to.findings.push(found({ definition, value: undefined, path: [...path, name] }, "to be present"));
    }
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]): readonly [string, unknown][] => {
      const field = fieldOf(definition, key) ?? anyOf(definition);
      if (field !== undefined) return [[key, walk({ definition: field, value: inner, path: [...path, key] }, to)]];
      const stranger = { ...found({ definition, value: inner, path: [...path, key] }, "a known key"), known };
      to.findings.push(Object.hasOwn(definition, "+") ? stranger : { ...stranger, isTolerable: true });
      return [];
    }),
  );
}
