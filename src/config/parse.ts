/**
 * JSON with comments and trailing commas, with the place of every value. Depends on nothing, for it runs before the first
 * paint. A key that is given twice is named: which of the two counts would be a guess, so nobody may use such a text.
 */
import { err, ok, type Result } from "../shared/index.ts";

export interface ParsedJson {
  readonly value: unknown;
  /** The line, from 1, of the value at this path, or of the deepest part of the path that exists. */
  readonly lineOf: (path: readonly (string | number)[]) => number;
  /** Every key that stands in its object already, in the order of the text. */
  readonly duplicates: readonly Duplicate[];
  readonly root: JsonNode;
}

export interface Duplicate {
  readonly path: readonly (string | number)[];
  /** Of the second one. */
  readonly line: number;
  readonly firstLine: number;
}

/** One value and where it stands in the text: from `at` up to, but without, `end`. */
export interface JsonNode {
  readonly at: number;
  readonly end: number;
  readonly value: unknown;
  /** Where its key begins, in an object. */
  readonly keyAt?: number;
  readonly children?: ReadonlyMap<string | number, JsonNode>;
}

export interface SyntaxProblem {
  readonly line: number;
  readonly expected: string;
  readonly got: string;
}

export function parseJson(text: string): Result<ParsedJson, SyntaxProblem> {
  const source = createReader(text);
  try {
    const root = parseValue(source, []);
    if (!source.ended()) source.fail("nothing after the closing bracket");
    const line = lineFinder(text);
    const duplicates = source.duplicates.map(({ path, at, firstAt }) => ({
      path,
      line: line(at),
      firstLine: line(firstAt),
    }));
    return ok({ value: root.value, duplicates, root, lineOf: (path) => line(deepest(root, path).at) });
  } catch (stop) {
    if (!(stop instanceof Stop)) throw stop;
    const { at, expected, got } = stop.place;
    return err({ line: lineFinder(text)(at), expected, got });
  }
}

/** Ends the descent at the first problem; never leaves this file. */
class Stop extends Error {
  readonly place: { readonly at: number; readonly expected: string; readonly got: string };
  constructor(place: Stop["place"]) {
    super(place.expected);
    this.place = place;
  }
}

const TOKEN = /"(?:[^"\\\n]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true\b|false\b|null\b|[{}[\],:]/y;
const BLANK = /(?:[\s\uFEFF]+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;

type Path = readonly (string | number)[];

interface Reader {
  /** The next token without taking it; "" at the end of the text and before what is no token. */
  readonly peek: () => string;
  readonly take: () => { readonly at: number; readonly text: string };
  /** Takes the token if it is the next one. */
  readonly skip: (token: string) => boolean;
  readonly ended: () => boolean;
  /** Just behind what was taken last. */
  readonly behind: () => number;
  readonly duplicates: { readonly path: Path; readonly at: number; readonly firstAt: number }[];
  readonly fail: (expected: string) => never;
}

function createReader(text: string): Reader {
  const scan = (from: number) => {
    const at = endOf(BLANK, text, from);
    return { at, text: text.slice(at, endOf(TOKEN, text, at)) };
  };
  let next = scan(0);
  let behind = 0;
  const take = () => {
    const taken = next;
    behind = taken.at + taken.text.length;
    next = scan(behind);
    return taken;
  };
  const ended = () => next.at >= text.length;
  return {
    peek: () => next.text,
    take,
    skip: (token) => next.text === token && take() !== undefined,
    ended,
    behind: () => behind,
    duplicates: [],
    // One character: enough to find the place, too little to repeat a key that stands in the wrong file.
    fail: (expected) => {
      const got = ended() ? "the end of the file" : JSON.stringify(text.charAt(next.at));
      throw new Stop({ at: next.at, expected, got });
    },
  };
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

const MAX_DEPTH = 32;

function parseValue(source: Reader, path: Path): JsonNode {
  const next = source.peek();
  if (path.length > MAX_DEPTH) source.fail(`at most ${MAX_DEPTH} levels`);
  if (next === "{") return parseObject(source, path);
  if (next === "[") return parseList(source, path);
  if (next === "" || /^[}\],:]$/.test(next)) source.fail("a value");
  const value = scalar(source);
  return { at: source.take().at, end: source.behind(), value };
}

function scalar(source: Reader): unknown {
  const value = parsedToken(source);
  return typeof value === "number" && !Number.isFinite(value) ? source.fail("a smaller number") : value;
}

function parsedToken(source: Reader): unknown {
  try {
    return JSON.parse(source.peek());
  } catch {
    return source.fail("a string with valid escapes"); // the tokens let only strings through that JSON may refuse
  }
}

function parseObject(source: Reader, path: Path): JsonNode {
  const { at } = source.take();
  const children = new Map<string, JsonNode>();
  while (!source.skip("}")) {
    if (!source.peek().startsWith('"')) source.fail('a key in double quotes, or "}"');
    const key = String(scalar(source));
    const keyAt = source.take().at;
    const first = children.get(key);
    if (first) source.duplicates.push({ path: [...path, key], at: keyAt, firstAt: first.keyAt ?? first.at });
    if (!source.skip(":")) source.fail('":" after the key');
    children.set(key, { ...parseValue(source, [...path, key]), keyAt });
    if (!source.skip(",") && source.peek() !== "}") source.fail('"," or "}"');
  }
  const value = Object.fromEntries([...children].map(([key, child]) => [key, child.value]));
  return { at, end: source.behind(), children, value };
}

function parseList(source: Reader, path: Path): JsonNode {
  const { at } = source.take();
  const items: JsonNode[] = [];
  while (!source.skip("]")) {
    items.push(parseValue(source, [...path, items.length]));
    if (!source.skip(",") && source.peek() !== "]") source.fail('"," or "]"');
  }
  return { at, end: source.behind(), children: new Map(items.entries()), value: items.map(({ value }) => value) };
}

function deepest(root: JsonNode, path: readonly (string | number)[]): JsonNode {
  let node = root;
  for (const step of path) {
    const child = node.children?.get(step);
    if (!child) break;
    node = child;
  }
  return node;
}

/** The line of a place in the text. Its beginnings are looked for once, and only when somebody asks. */
function lineFinder(text: string): (at: number) => number {
  let ends: number[] | undefined;
  return (at) => {
    ends ??= [...text.matchAll(/\n/g)].map(({ index }) => index);
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}
