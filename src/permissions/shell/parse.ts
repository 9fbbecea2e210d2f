/** Shell text to syntax tree, by the real grammar. Collects the errors of every nested script; refuses what is too large to judge. */
import { forEachChild, type ParsedScript, parse, type SyntaxNode } from "unbash";

const MAX_TEXT = 256 * 1024;
const MAX_NODES = 60_000;
/** Nested scripts are scanned once more at each level. Text that people and models write stays far below this many times its length. */
const MAX_SCANS = 48;
const FREE_CHARS = 64 * 1024;

const TOO_LONG = "it is too long to judge";

export interface ParsedShell {
  /** Undefined: the text cannot be looked at at all. */
  readonly script?: ParsedScript;
  readonly errors: readonly string[];
}

let last: { readonly text: string; readonly parsed: ParsedShell } | undefined;

/** Never throws. The newest tree is kept: consent, and the question what a command was, ask about one text. */
export function parseShell(text: string): ParsedShell {
  if (last?.text !== text) last = { text, parsed: parsedAnew(text) };
  return last.parsed;
}

function parsedAnew(text: string): ParsedShell {
  if (text.length > MAX_TEXT) return { errors: [TOO_LONG] };
  if (text.includes("\0")) return { errors: ["it holds a NUL character"] };
  try {
    const script = parse(text);
    const errors = errorsBelow(script, MAX_SCANS * text.length + FREE_CHARS);
    return errors === undefined ? { errors: [TOO_LONG] } : { script, errors };
  } catch (error) {
    // The parser recurses; hostile nesting can exhaust the stack. That is one more text that cannot be parsed.
    return { errors: [`it cannot be parsed (${error instanceof Error ? error.message : String(error)})`] };
  }
}

/** A substitution is parsed when it is visited and carries its own errors. Undefined: it would take too long. */
function errorsBelow(script: ParsedScript, maxChars: number): readonly string[] | undefined {
  const found: string[] = [];
  const open: SyntaxNode[] = [script];
  let visited = 0;
  let chars = 0;
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    chars += node.end - node.pos;
    if (++visited > MAX_NODES || chars > maxChars) return undefined;
    if (isScript(node)) for (const error of node.errors ?? []) found.push(error.message);
    forEachChild(node, (child) => open.push(child));
  }
  return found;
}

const isScript = (node: SyntaxNode): node is ParsedScript => node.type === "Script";

/** Every node of the type below this one, itself included. */
export function nodesOfType<type extends SyntaxNode["type"]>(
  root: SyntaxNode,
  type: type,
): readonly Extract<SyntaxNode, { type: type }>[] {
  const found: Extract<SyntaxNode, { type: type }>[] = [];
  const open: SyntaxNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === type) found.push(node as Extract<SyntaxNode, { type: type }>); // narrowed by its tag
    forEachChild(node, (child) => open.push(child));
  }
  return found.reverse();
}
