/** From a word of the syntax tree to the words that a program would get, as far as they follow from the text. */
import { forEachChild, type ParsedScript, type SyntaxNode, type Word as WordNode, type WordPart } from "unbash";
import { forgetAssigned, mayRun, namesForeign, WOULD_RUN } from "./arithmetic.ts";
import { expandBraces, type Item } from "./braces.ts";
import { elementOf, type ParameterSource, parameterValue } from "./parameters.ts";
import { assign, lookUp, type Scope, separators } from "./scope.ts";
import type { Flow, ShellSurroundings, Word } from "./types.ts";
import {
  type FieldBuilder,
  fieldBuilder,
  joinWords,
  literal,
  matching,
  type Piece,
  plain,
  unknown,
  type Value,
} from "./word.ts";

export interface Expander {
  readonly scope: Scope;
  readonly surroundings: ShellSurroundings;
  /** Runs a substitution's script in a subshell and tells what it prints. */
  readonly substitute: (script: ParsedScript) => Flow;
  /** The command that this word belongs to cannot be resolved. */
  readonly complain: (why: string) => void;
}

/** With braces, splitting and all: no word, one or several. */
export function expandWord(node: WordNode, expander: Expander): readonly Word[] {
  const variants = expandBraces(itemsOf(node));
  if (variants === undefined) {
    expander.complain("its braces make too many words");
    return [{ ...unknown(node.text), split: true }];
  }
  return variants.flatMap((items) => {
    const builder = fieldBuilder(separators(expander.scope, expander.surroundings));
    build(variants.length > 1 ? withLongerNames(items) : items, expander, builder);
    return builder.finish();
  });
}

/** Braces come first and are mere text: `$X{1,2}` is `$X1 $X2`. */
function withLongerNames(items: readonly Item[]): readonly Item[] {
  const joined: Item[] = [];
  for (const item of items) {
    const before = joined.at(-1);
    const isName =
      before?.kind === "part" && before.part.type === "SimpleExpansion" && /^\$[A-Za-z_]/.test(before.part.text);
    const more = isName && item.kind === "text" && !item.quoted ? /^\w+/.exec(item.text)?.[0] : undefined;
    if (more === undefined || before?.kind !== "part" || item.kind !== "text") joined.push(item);
    else {
      const part: WordPart = { type: "SimpleExpansion", pos: 0, end: 0, text: before.part.text + more };
      const rest = { ...item, text: item.text.slice(more.length) };
      joined.splice(-1, 1, { ...before, part }, ...(rest.text === "" ? [] : [rest]));
    }
  }
  return joined;
}

/** As in an assignment, a redirection or a heredoc: exactly one word, neither split nor braced. */
export function expandUnsplit(node: WordNode, expander: Expander): Word {
  const builder = fieldBuilder("");
  build(itemsOf(node), expander, builder);
  return soleWord(builder.finish());
}

/** A heredoc's body, or any run of parts that is not a word. */
export function expandParts(parts: readonly WordPart[], expander: Expander): Word {
  const builder = fieldBuilder("");
  for (const part of parts) expandPart(part, true, expander, builder);
  return soleWord(builder.finish());
}

const soleWord = (words: readonly Word[]): Word => ({ ...joinWords(words), split: false });

function itemsOf(node: WordNode): readonly Item[] {
  if (node.parts === undefined) return unescaped(node.text);
  return node.parts.flatMap(itemsOfPart);
}

function itemsOfPart(part: WordPart): readonly Item[] {
  switch (part.type) {
    case "Literal":
      return unescaped(part.text);
    case "BraceExpansion":
      if (part.parts === undefined) return unescaped(part.text);
      // Its parts are what stands between the braces.
      return [...unescaped("{"), ...part.parts.flatMap(itemsOfPart), ...unescaped("}")];
    case "SingleQuoted":
    case "AnsiCQuoted":
      return [{ kind: "text", text: part.value, quoted: true }];
    default:
      return [{ kind: "part", part, quoted: false }];
  }
}

/** Bare source text: a backslash quotes the next character, and a continued line joins. */
function unescaped(text: string): readonly Item[] {
  if (!text.includes("\\")) return [{ kind: "text", text, quoted: false }];
  const items: Item[] = [];
  let bare = "";
  for (let index = 0; index < text.length; index++) {
    if (text[index] !== "\\") {
      bare += text[index];
      continue;
    }
    const next = text[++index];
    if (next === "\n") continue;
    if (bare !== "") items.push({ kind: "text", text: bare, quoted: false });
    bare = "";
    items.push({ kind: "text", text: next ?? "\\", quoted: true });
  }
  if (bare !== "") items.push({ kind: "text", text: bare, quoted: false });
  return items;
}

function build(items: readonly Item[], expander: Expander, builder: FieldBuilder): void {
  for (const [index, item] of withTilde(items, expander).entries()) {
    if (item.kind === "part") expandPart(item.part, item.quoted, expander, builder);
    else if (item.quoted) builder.quoted(literal(item.text));
    else if (item.text !== "" || index > 0) builder.bare(item.text);
  }
}

/** `~`, `~/x` and `~+` at the start of a word, also behind `name=`; another user's home stays unknown. */
function withTilde(items: readonly Item[], expander: Expander): readonly Item[] {
  let head = "";
  let count = 0;
  for (const item of items) {
    if (item.kind !== "text" || item.quoted) break;
    head += item.text;
    count++;
  }
  const tilde = /^([A-Za-z_]\w*(?:\[\w*\])?\+?=)?~([A-Za-z0-9_.+-]*)(\/|$)/.exec(head);
  if (tilde === null || (tilde[3] === "" && count < items.length)) return items;
  const [matched, name = "", user = "", slash = ""] = tilde;
  const before: readonly Item[] = name === "" ? [] : [{ kind: "text", text: name, quoted: false }];
  const [folder] = folderOfTilde(user, expander) ?? [];
  const rest: Item = { kind: "text", text: slash + head.slice(matched.length), quoted: false };
  if (folder?.known === true) {
    return [...before, { kind: "text", text: folder.text, quoted: true }, rest, ...items.slice(count)];
  }
  const part: WordPart = { type: "SimpleExpansion", pos: 0, end: 0, text: `~${user}` };
  return [...before, { kind: "part", part, quoted: true }, rest, ...items.slice(count)];
}

function folderOfTilde(user: string, expander: Expander): Value | undefined {
  if (user === "") return lookUp("HOME", expander.scope, expander.surroundings);
  if (user === "+") return lookUp("PWD", expander.scope, expander.surroundings);
  if (/^[-+\d]/.test(user)) return undefined; // `~-` and `~2`: where the shell was before
  const { home } = expander.surroundings;
  if (user === home.slice(home.lastIndexOf("/") + 1)) return [literal(home)];
  return user === "root" ? [literal("/root")] : undefined;
}

function expandPart(part: WordPart, quoted: boolean, expander: Expander, builder: FieldBuilder): void {
  switch (part.type) {
    case "Literal":
      builder.quoted(literal(part.value));
      return;
    case "SingleQuoted":
    case "AnsiCQuoted":
      builder.quoted(literal(part.value));
      return;
    case "DoubleQuoted":
    case "LocaleString":
      if (part.parts.length === 0) builder.quoted(literal(""));
      for (const child of part.parts) expandPart(child, true, expander, builder);
      return;
    case "Glob":
    case "ExtendedGlob":
      runWithin(part, expander);
      builder.quoted({ ...matching(part.text), pattern: true });
      return;
    case "ProcessSubstitution": {
      const flow = part.script === undefined ? undefined : expander.substitute(part.script);
      builder.quoted({ ...literal(part.text), shape: "/dev/fd/63", ...(flow === undefined ? {} : { flow }) });
      return;
    }
    case "BraceExpansion":
      runWithin(part, expander);
      builder.expanded(unknown(part.text));
      return;
    default:
      place(part, quoted, partValue(part, expander), builder);
  }
}

/** Quoted, `"$*"` is one word, `"$@"` as many as there are, and anything else exactly one. */
function place(part: ExpansionPart, quoted: boolean, value: Value, builder: FieldBuilder): void {
  const list = quoted ? listKind(part) : undefined;
  const pieces = quoted && list !== "@" ? [joinWords(value.map((piece) => ({ ...piece, split: false })))] : value;
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) builder.cut();
    if (quoted) builder.quoted(piece);
    else builder.expanded(piece);
  }
}

function listKind(part: ExpansionPart): string | undefined {
  if (part.type === "SimpleExpansion") return /^\$([@*])$/.exec(part.text)?.[1];
  if (part.type === "CommandExpansion") return part.script === undefined ? undefined : "@";
  if (part.type !== "ParameterExpansion") return undefined;
  const index = part.index?.text ?? part.parameter;
  return /^[@*]$/.test(index) ? index : undefined;
}

type ExpansionPart = Extract<
  WordPart,
  { type: "SimpleExpansion" | "ParameterExpansion" | "CommandExpansion" | "ArithmeticExpansion" }
>;

function partValue(part: ExpansionPart, expander: Expander): Value {
  const { scope, surroundings } = expander;
  switch (part.type) {
    case "SimpleExpansion": {
      if (!part.text.startsWith("$")) return [unknown(part.text)]; // a tilde that leads nobody knows where
      const name = part.text.slice(1);
      return elementOf(name, lookUp(name, scope, surroundings)) ?? [unknown(part.text)];
    }
    case "ParameterExpansion":
      return parameterValue(part, parameterSource(expander));
    case "CommandExpansion":
      if (part.script === undefined) return [unknown(part.text)];
      return printed(expander.substitute(part.script), part.text);
    case "ArithmeticExpansion":
      calculate(part, expander);
      return [plain(part.text)];
  }
}

const parameterSource = (expander: Expander): ParameterSource => ({
  lookUp: (name) => lookUp(name, expander.scope, expander.surroundings),
  assign: (name, value) => assign(expander.scope, name, value),
  expand: (operand) => expandUnsplit(operand, expander),
  calculate: (piece) => {
    if (mayRun(piece, expander.scope)) expander.complain(WOULD_RUN);
  },
  complain: expander.complain,
});

/** What a substitution puts into the word. */
function printed(flow: Flow, source: string): Value {
  switch (flow.kind) {
    case "text":
      return [literal(flow.text.replace(/\n+$/, ""))];
    case "paths":
      return flow.roots.map((root): Piece => matching(root.endsWith("/") ? `${root}*` : `${root}/*`));
    case "plain":
      return [plain(source)];
    case "file":
    case "unknown":
      return [unknown(source, flow)];
    default:
      return [unknown(source)];
  }
}

/** Runs the substitutions inside a part whose value is not followed. */
export function runWithin(node: SyntaxNode, expander: Expander): void {
  forEachChild(node, (child) => {
    if (child.type === "Script") expander.substitute(child);
    else runWithin(child, expander);
  });
}

/** Arithmetic as far as it reaches: what it runs, what it sets, and whether it takes a text for a number. */
export function calculate(node: SyntaxNode, expander: Expander): void {
  runWithin(node, { ...expander, substitute: (script) => counted(expander.substitute(script), expander) });
  if (takesForeign(node, expander.scope)) expander.complain(WOULD_RUN);
  forgetAssigned(node, expander.scope, expander.complain);
}

function counted(flow: Flow, { complain }: Expander): Flow {
  if (flow.kind !== "plain" && !(flow.kind === "text" && /^[-\w\s]*$/.test(flow.text))) complain(WOULD_RUN);
  return flow;
}

function takesForeign(node: SyntaxNode, scope: Scope): boolean {
  if (node.type === "ArithmeticWord") return namesForeign(node.value, scope);
  const isUnread = node.type === "ArithmeticExpansion" && node.expression === undefined;
  let found = isUnread && namesForeign(node.text, scope);
  forEachChild(node, (child) => {
    found ||= child.type !== "Script" && takesForeign(child, scope);
  });
  return found;
}
