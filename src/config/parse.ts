/**
 * JSON with comments and trailing commas, with the line of every value. Depends on nothing, for it runs before the first
 * paint. Refuses a key that is given twice: which of the two counts would be a guess.
 */
import { err, ok, type Result } from "../shared/index.ts";

export interface ParsedJson {
  readonly value: unknown;
  /** The line, from 1, of the value at this path, or of the deepest part of the path that exists. */
  readonly lineOf: (path: readonly (string | number)[]) => number;
}

export interface SyntaxProblem {
  readonly line: number;
  readonly expected: string;
  readonly got: string;
}

export function parseJson(text: string): Result<ParsedJson, SyntaxProblem> {
  const source = createReader(text);
  try {
    const root = parseValue(source, 0);
    if (!source.ended()) source.fail("nothing after the closing bracket");
    return ok({ value: root.value, lineOf: (path) => lineAt(text, deepest(root, path).at) });
  } catch (stop) {
    if (!(stop instanceof Stop)) throw stop;
    const { at, expected, got } = stop.place;
    return err({ line: lineAt(text, at), expected, got });
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

interface Node {
  readonly at: number;
  readonly value: unknown;
  readonly children?: ReadonlyMap<string | number, Node>;
}

const TOKEN = /"(?:[^"\\\n]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true\b|false\b|null\b|[{}[\],:]/y;
const BLANK = /(?:[\s\uFEFF]+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;

interface Reader {
  /** The next token without taking it; "" at the end of the text and before what is no token. */
  readonly peek: () => string;
  readonly take: () => { readonly at: number; readonly text: string };
  /** Takes the token if it is the next one. */
  readonly skip: (token: string) => boolean;
  readonly ended: () => boolean;
  readonly fail: (expected: string) => never;
}

function createReader(text: string): Reader {
  const scan = (from: number) => {
    const at = endOf(BLANK, text, from);
    return { at, text: text.slice(at, endOf(TOKEN, text, at)) };
  };
  let next = scan(0);
  const take = () => {
    const taken = next;
    next = scan(taken.at + taken.text.length);
    return taken;
  };
  const ended = () => next.at >= text.length;
  return {
    peek: () => next.text,
    take,
    skip: (token) => next.text === token && take() !== undefined,
    ended,
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

function parseValue(source: Reader, depth: number): Node {
  const next = source.peek();
  if (depth > MAX_DEPTH) source.fail(`at most ${MAX_DEPTH} levels`);
  if (next === "{") return parseObject(source, depth);
  if (next === "[") return parseList(source, depth);
  if (next === "" || /^[}\],:]$/.test(next)) source.fail("a value");
  const value = scalar(source);
  return { at: source.take().at, value };
}

function scalar(source: Reader): unknown {
  try {
    return JSON.parse(source.peek());
  } catch {
    return source.fail("a string with valid escapes"); // the tokens let only strings through that JSON may refuse
  }
}

function parseObject(source: Reader, depth: number): Node {
  const { at } = source.take();
  const children = new Map<string, Node>();
  while (!source.skip("}")) {
    if (!source.peek().startsWith('"')) source.fail('a key in double quotes, or "}"');
    const key = String(scalar(source));
    if (children.has(key)) source.fail(`the key ${JSON.stringify(key)} only once`);
    source.take();
    if (!source.skip(":")) source.fail('":" after the key');
    children.set(key, parseValue(source, depth + 1));
    if (!source.skip(",") && source.peek() !== "}") source.fail('"," or "}"');
  }
  return { at, children, value: Object.fromEntries([...children].map(([key, { value }]) => [key, value])) };
}

function parseList(source: Reader, depth: number): Node {
  const { at } = source.take();
  const items: Node[] = [];
  while (!source.skip("]")) {
    items.push(parseValue(source, depth + 1));
    if (!source.skip(",") && source.peek() !== "]") source.fail('"," or "]"');
  }
  return { at, children: new Map(items.entries()), value: items.map(({ value }) => value) };
}

function deepest(root: Node, path: readonly (string | number)[]): Node {
  let node = root;
  for (const step of path) {
    const child = node.children?.get(step);
    if (!child) break;
    node = child;
  }
  return node;
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split("\n").length;
