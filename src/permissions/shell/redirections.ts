/** Redirections: which files are opened, and what the command will read. */
import type { HereDoc, HereString, Redirect, Redirection } from "unbash";
import { type Expander, expandParts, expandUnsplit } from "./expand.ts";
import { assign } from "./scope.ts";
import type { FileUse, Flow, Word } from "./types.ts";

const UNKNOWN: Flow = { kind: "unknown", remote: false };

export interface Redirections {
  readonly redirections: readonly FileUse[];
  readonly input: Flow;
}

export function readRedirections(nodes: readonly Redirection[], expander: Expander, inherited: Flow): Redirections {
  const redirections: FileUse[] = [];
  let input = inherited;
  for (const node of nodes) {
    input = (node.type === "Redirect" ? readFile(node, expander, redirections) : readText(node, expander)) ?? input;
    if (node.descriptor?.type === "FileDescriptorVariable") assign(expander.scope, node.descriptor.name, undefined);
  }
  return { redirections, input };
}

/** The text that a heredoc or here-string hands over. */
function readText(node: HereDoc | HereString, expander: Expander): Flow {
  if (node.type === "HereDoc") {
    if (node.body.parts === undefined) return { kind: "text", text: node.body.text };
    return textFlow(expandParts(node.body.parts, expander));
  }
  if (node.target === undefined) return UNKNOWN;
  const word = expandUnsplit(node.target, expander);
  return textFlow({ ...word, text: `${word.text}\n` });
}

const textFlow = (word: Word): Flow => (word.known ? { kind: "text", text: word.text } : (word.flow ?? UNKNOWN));

/** Adds the files; answers what standard input becomes, if it changes. */
function readFile(node: Redirect, expander: Expander, files: FileUse[]): Flow | undefined {
  if (node.target === undefined) return undefined;
  const target = expandUnsplit(node.target, expander);
  const copiesDescriptor = /^[<>]&$/.test(node.operator) && /^\d*-?$/.test(target.text);
  if (copiesDescriptor) return node.operator === "<&" ? UNKNOWN : undefined;
  const reads = node.operator.startsWith("<");
  const writes = node.operator !== "<" && node.operator !== "<&";
  if (writes) files.push({ op: "write", target });
  if (reads) files.push({ op: "read", target });
  if (!reads) return undefined;
  if (/^\/dev\/(?:tcp|udp)\//.test(target.shape)) return { kind: "unknown", remote: true };
  return target.flow ?? { kind: "file" };
}
