/** YAML's nodes as a plain tree of texts, lists and maps, no deeper than a checkpoint is: what lies below is text as it stands. */
import type { Node, Pair, Scalar } from "yaml";

export interface TextTree {
  readonly kind: "text";
  readonly text: string;
  /** Written without quotes and on no block: what stands for nothing may stand there. */
  readonly isPlain: boolean;
}
export interface ListTree {
  readonly kind: "list";
  readonly items: readonly (Tree | undefined)[];
  /** As it stands in the source. */
  readonly source: string;
}
export interface MapTree {
  readonly kind: "map";
  readonly pairs: readonly PairTree[];
  readonly source: string;
}
export interface PairTree {
  readonly key: string;
  /** Of the source, from 0. */
  readonly line: number;
  /** Undefined for nothing, or null. */
  readonly value: Tree | undefined;
}
export type Tree = TextTree | ListTree | MapTree;

type Yaml = Pick<typeof import("yaml"), "isMap" | "isScalar" | "isSeq" | "isNode">;

/** A map of lists of maps of texts, and one level more for a map around it all. */
const MAX_DEPTH = 4;

export const treeOf = (root: unknown, source: string, yaml: Yaml): Tree | undefined => {
  const lineAt = lineFinder(source);
  const slice = ({ range }: Node): string => source.slice(range?.[0] ?? 0, range?.[1] ?? 0).trim();
  const tree = (node: unknown, depth: number): Tree | undefined => {
    if (!yaml.isNode(node)) return undefined;
    if (yaml.isScalar(node)) return textOf(node);
    if (depth < MAX_DEPTH && yaml.isMap(node)) {
      return { kind: "map", pairs: node.items.map((pair) => pairOf(pair, depth)), source: slice(node) };
    }
    if (depth < MAX_DEPTH && yaml.isSeq(node)) {
      return { kind: "list", items: node.items.map((item) => tree(item, depth + 1)), source: slice(node) };
    }
    return { kind: "text", text: slice(node), isPlain: true };
  };
  const pairOf = ({ key, value }: Pair, depth: number): PairTree => ({
    key: yaml.isScalar(key) ? String(key.value) : yaml.isNode(key) ? slice(key) : "",
    line: lineAt(yaml.isNode(key) ? (key.range?.[0] ?? 0) : 0),
    value: tree(value, depth + 1),
  });
  return tree(root, 0);
};

/** Offsets must come in rising order, which is how nodes are walked. */
function lineFinder(source: string): (offset: number) => number {
  let [at, line] = [0, 0];
  return (offset) => {
    for (; at < offset; at++) if (source[at] === "\n") line++;
    return line;
  };
}

const NOTHING = /^(|~|null|Null|NULL)$/;

/** What YAML takes for an anchor, a tag or a comment was meant as text: `&str`, `!important`, `#12`. */
function textOf({ value, type, anchor, tag, comment }: Scalar): TextTree | undefined {
  const text = String(value ?? "");
  if (type !== "PLAIN") return { kind: "text", text, isPlain: false };
  const before = [anchor && `&${anchor}`, tag?.startsWith("!") && tag].filter(Boolean);
  const behind = comment && /^\S/.test(comment) ? [`#${comment}`] : [];
  const whole = [...before, ...(text === "" ? [] : [text]), ...behind].join(" ");
  return NOTHING.test(whole) ? undefined : { kind: "text", text: whole, isPlain: true };
}
