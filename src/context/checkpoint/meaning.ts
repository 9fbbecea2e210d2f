/** What a tree means as a checkpoint, key by key, also where something else stands than was asked for. */
import { err, isBlank, ok, type Result } from "../../shared/index.ts";
import type { MapTree, PairTree, Tree } from "./tree.ts";
import { CHECKPOINT_KEYS, type Checkpoint } from "./types.ts";

type Key = keyof Checkpoint;

/** Lines in errors count from the beginning of the answer. What an unknown key says is kept as evidence under its name. */
export function meaningOf(root: Tree | undefined, linesBefore: number): Result<Checkpoint, string> {
  const map = unwrapped(root);
  if (!map) return err(`The checkpoint has to be a YAML map with the keys ${CHECKPOINT_KEYS.join(", ")}.`);
  const twice = repeated(map);
  if (twice) return err(`Line ${linesBefore + twice.line + 1}: the key \`${twice.key}\` stands there a second time.`);
  const values = new Map(map.pairs.map(({ key, value }) => [keyNamed(key), value]));
  const of = (key: Key): Tree | undefined => values.get(key);
  const objective = textOf(of("objective"));
  if (isBlank(objective)) return err("The checkpoint has no objective: say in it what the user wants now.");
  const unknown = map.pairs.filter(({ key, value }) => value && keyNamed(key) === undefined);
  return ok({
    objective,
    completed: textsOf(of("completed")),
    current_state: textOf(of("current_state")),
    important_files: recordsOf(of("important_files"), FILE),
    changes: textsOf(of("changes")),
    failed_attempts: textsOf(of("failed_attempts")),
    decisions: textsOf(of("decisions")),
    running_processes: recordsOf(of("running_processes"), PROCESS),
    next_steps: textsOf(of("next_steps")),
    raw_evidence: [
      ...recordsOf(of("raw_evidence"), EVIDENCE),
      ...unknown.map(({ key, value }) => ({ label: key, content: textOf(value) })),
    ],
  });
}

/** `Next steps`, `next-steps` and `nextSteps` are `next_steps`. */
function keyNamed(name: string): Key | undefined {
  const plain = (word: string): string => word.replace(/[\s_-]/g, "").toLowerCase();
  return CHECKPOINT_KEYS.find((key) => plain(key) === plain(name));
}

/** The map itself, or the one that is all there is in it. */
function unwrapped(root: Tree | undefined): MapTree | undefined {
  if (root?.kind !== "map") return undefined;
  const [only, ...others] = root.pairs;
  const inner = others.length === 0 && only && keyNamed(only.key) === undefined ? only.value : undefined;
  return inner?.kind === "map" ? inner : root;
}

function repeated({ pairs }: MapTree): PairTree | undefined {
  const seen = new Set<string>();
  for (const pair of pairs) {
    const name = keyNamed(pair.key) ?? pair.key;
    if (seen.has(name)) return pair;
    seen.add(name);
  }
  return pairs.flatMap(({ value }) => repeatedBelow(value) ?? [])[0];
}

function repeatedBelow(tree: Tree | undefined): PairTree | undefined {
  if (tree?.kind === "map") return repeated(tree);
  return tree?.kind === "list" ? tree.items.flatMap((item) => repeatedBelow(item) ?? [])[0] : undefined;
}

/** An unquoted `key: words` is a text with a colon in it. */
function textOf(tree: Tree | undefined): string {
  if (!tree) return "";
  if (tree.kind === "text") return tree.text;
  const [only, ...others] = tree.kind === "map" ? tree.pairs : [];
  return only && others.length === 0 ? pairText(only) : tree.source;
}

const pairText = ({ key, value }: PairTree): string => (value ? `${key}: ${textOf(value)}` : `${key}:`);

const NONE = /^[([]?(none|n\/a|nothing|-)( so far| yet)?[)\]]?\.?$/i;
const BULLET = /^\s*[-*] +/;

function textsOf(tree: Tree | undefined): readonly string[] {
  if (!tree) return [];
  if (tree.kind === "list") return tree.items.flatMap((item) => (item ? [textOf(item)] : []));
  if (tree.kind === "map") return tree.pairs.map(pairText);
  if (tree.isPlain && NONE.test(tree.text)) return [];
  const lines = tree.text.split("\n").filter((line) => !isBlank(line));
  const isList = lines.length > 0 && lines.every((line) => BULLET.test(line));
  return isList ? lines.map((line) => line.replace(BULLET, "")) : [tree.text];
}

/** The fields of a record, each with the names that models give it; what a text alone is; and how a text names the first field. */
interface Shape<Field extends string> {
  readonly names: Readonly<Record<Field, readonly string[]>>;
  readonly lone: Field;
  readonly first: Field;
  readonly second: Field;
  readonly parts?: RegExp;
}

const FILE: Shape<"path" | "reason"> = {
  names: { path: ["path", "file"], reason: ["reason", "why"] },
  lone: "path",
  first: "path",
  second: "reason",
  parts: /^(\S+) (?:—|–|-) (.*)$/s,
};
const PROCESS: Shape<"id" | "command" | "status"> = {
  names: { id: ["id", "process_id"], command: ["command", "cmd"], status: ["status", "state"] },
  lone: "command",
  first: "id",
  second: "command",
};
const EVIDENCE: Shape<"label" | "content"> = {
  names: { label: ["label", "name", "title"], content: ["content", "text", "output"] },
  lone: "content",
  first: "label",
  second: "content",
};

type Fields<Field extends string> = Readonly<Record<Field, string>>;

function recordsOf<Field extends string>(tree: Tree | undefined, shape: Shape<Field>): readonly Fields<Field>[] {
  if (!tree) return [];
  if (tree.kind === "list") return tree.items.flatMap((item) => (item ? recordsIn(item, shape) : []));
  return tree.kind === "text" && tree.isPlain && NONE.test(tree.text) ? [] : recordsIn(tree, shape);
}

/** A map with none of the fields has what is first as its keys. */
function recordsIn<Field extends string>(tree: Tree, shape: Shape<Field>): readonly Fields<Field>[] {
  const { first, second, lone, parts } = shape;
  if (tree.kind === "map") {
    const fields = Object.fromEntries(
      Object.entries<readonly string[]>(shape.names).map(([field, names]) => [field, fieldText(tree, names)]),
    );
    const known = Object.values(fields).some((text) => text !== undefined);
    if (known) return [record(shape, fields as Partial<Fields<Field>>)]; // as: its keys are those of `names`
    return tree.pairs.map(({ key, value }) =>
      record(shape, { [first]: key, [second]: textOf(value) } as Partial<Fields<Field>>),
    );
  }
  const text = textOf(tree);
  const [, head, tail] = (tree.kind === "text" && tree.isPlain && parts?.exec(text)) || [];
  const found = head !== undefined && tail !== undefined ? { [first]: head, [second]: tail } : { [lone]: text };
  return [record(shape, found as Partial<Fields<Field>>)]; // as: computed keys of this very shape
}

/** Undefined when the map has no such key. */
function fieldText({ pairs }: MapTree, names: readonly string[]): string | undefined {
  const pair = pairs.find(({ key }) => names.includes(key.trim().toLowerCase()));
  return pair && textOf(pair.value);
}

function record<Field extends string>({ names }: Shape<Field>, given: Partial<Fields<Field>>): Fields<Field> {
  const fields = Object.keys(names) as Field[]; // as: the keys of a closed table
  return Object.fromEntries(fields.map((field) => [field, given[field] ?? ""])) as Fields<Field>;
}
