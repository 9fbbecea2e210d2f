/** Shell text to syntax tree, by the real grammar. Collects the errors of every nested script; refuses what is too large to judge. */
import { forEachChild, type ParsedScript, parse, type SyntaxNode } from "unbash";

export const MAX_TEXT = 256 * 1024;
const MAX_NODES = 60_000;

export interface ParsedShell {
  readonly script: ParsedScript;
  readonly errors: readonly string[];
}

/** Never throws. Undefined: the text cannot be looked at at all; the errors say why. */
export function parseShell(text: string): { readonly script?: ParsedScript; readonly errors: readonly string[] } {
  if (text.length > MAX_TEXT) return { errors: ["it is too long to judge"] };
  if (text.includes("\0")) return { errors: ["it holds a NUL character"] };
  try {
    const script = parse(text);
    return { script, errors: errorsBelow(script) };
  } catch (error) {
    // The parser recurses; hostile nesting can exhaust the stack. That is one more text that cannot be parsed.
    return { errors: [`it cannot be parsed (${error instanceof Error ? error.message : String(error)})`] };
  }
}

/** A substitution is parsed when it is visited and carries its own errors. */
function errorsBelow(script: ParsedScript): readonly string[] {
  const found: string[] = [];
  const open: SyntaxNode[] = [script];
  let visited = 0;
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (++visited > MAX_NODES) return [...found, "it is too long to judge"];
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
