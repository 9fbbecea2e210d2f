/**
 * Sets one value in the text of a config file and leaves every other byte as it is: comments, blank lines, the order of keys,
 * trailing commas. Pure. Refuses to replace a value in which a comment would be lost.
 */
import { err, ok, type Result } from "../shared/index.ts";
import { nested } from "./key-path.ts";
import { type JsonNode, parseJson } from "./parse.ts";

/** Puts `text` in place of what stands from `at` up to `end`. */
interface Splice {
  readonly at: number;
  readonly end: number;
  readonly text: string;
}

/** The new text. `text` must parse and hold an object, or hold no value at all. The error is one sentence. */
export function withValue(text: string, path: readonly string[], value: unknown): Result<string, string> {
  const parsed = parseJson(text);
  const style = styleOf(text, parsed.ok ? parsed.value.root : undefined);
  if (isBlank(text)) return ok(begun(text, rendered(nested(path, value), "", style), style.newline));
  if (!parsed.ok) return err("the file has to be repaired first");
  let node = parsed.value.root;
  for (const [depth, key] of path.entries()) {
    const child = node.children?.get(key);
    if (!child) {
      const isObject = text[node.at] === "{";
      if (!isObject) return err(`${path.slice(0, depth).join(".") || "the file"} is not an object`);
      return ok(inserted(text, node, { key, value: nested(path.slice(depth + 1), value) }, style));
    }
    node = child;
  }
  if (parsed.value.duplicates.length > 0) return err("the file has to be repaired first");
  return replaced(text, node, value, style);
}

interface Style {
  readonly newline: string;
  /** One level. */
  readonly unit: string;
}

function styleOf(text: string, root: JsonNode | undefined): Style {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const [first] = root?.children?.values() ?? [];
  const indent = first?.keyAt === undefined ? "" : indentAt(text, first.keyAt);
  return { newline, unit: indent === undefined || indent === "" ? "  " : indent };
}

/** The blanks in front of this place on its line, or undefined when something else stands there. */
function indentAt(text: string, at: number): string | undefined {
  const before = text.slice(text.lastIndexOf("\n", at - 1) + 1, at).replace(/^\uFEFF/, "");
  return /^[ \t]*$/.test(before) ? before : undefined;
}

/** Nothing but blanks and comments: the file of somebody who has yet to begin. */
export const isBlank = (text: string): boolean => text.replace(/[\s\uFEFF]+|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "") === "";

function begun(text: string, value: string, newline: string): string {
  const head = text === "" || text.endsWith("\n") ? text : `${text}${newline}`;
  return `${head}${value}${newline}`;
}

const rendered = (value: unknown, indent: string, { newline, unit }: Style): string =>
  JSON.stringify(value, null, unit).replaceAll("\n", `${newline}${indent}`);

function replaced(text: string, node: JsonNode, value: unknown, style: Style): Result<string, string> {
  const before = text.slice(node.at, node.end);
  if (hasComment(node, before)) {
    return err(
      "there are comments in the old value, which would be lost: edit the file, or set the keys in it one by one",
    );
  }
  const line = text.slice(text.lastIndexOf("\n", node.at - 1) + 1, node.at);
  const fresh = isOneLine(before) ? oneLine(value) : rendered(value, /^[ \t]*/.exec(line)?.[0] ?? "", style);
  return ok(spliced(text, [{ at: node.at, end: node.end, text: fresh }]));
}

const isOneLine = (text: string): boolean => !text.includes("\n");

/** As a person writes a short value: with blanks inside braces and behind commas. */
function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${oneLine(inner)}`);
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}

/** Outside of its strings JSON has no slash: one that is there begins a comment. */
function hasComment(node: JsonNode, text: string): boolean {
  if (!node.children) return false;
  const withoutStrings = text.replace(/"(?:[^"\\\n]|\\.)*"/g, "");
  return withoutStrings.includes("/");
}

interface Member {
  readonly key: string;
  readonly value: unknown;
}

function inserted(text: string, object: JsonNode, { key, value }: Member, style: Style): string {
  const last = lastMember(object);
  const closing = object.end - 1;
  const body = text.slice(object.at + 1, closing);
  const name = `${JSON.stringify(key)}: `;
  const isBare = body.trim() === "" && indentAt(text, object.at) === "";
  if (isOneLine(body) && !isBare) {
    return spliced(text, besides(text, { last, closing, member: `${name}${oneLine(value)}`, body }));
  }
  const outer = lineIndent(text, object.at);
  const own = last?.keyAt === undefined ? undefined : indentAt(text, last.keyAt);
  const indent = own ?? `${outer}${style.unit}`;
  const member = `${style.newline}${indent}${name}${rendered(value, indent, style)}`;
  // Behind the last thing in the object, which may be a comment.
  const end = closing - (body.length - body.trimEnd().length);
  const tail = isOneLine(body.slice(body.trimEnd().length)) ? `${style.newline}${outer}` : "";
  const commaAt = last && commaBehind(text, last.end, closing);
  const comma = last && commaAt === undefined ? [{ at: last.end, end: last.end, text: "," }] : [];
  const trailing = commaAt === undefined ? "" : ",";
  return spliced(text, [...comma, { at: end, end, text: `${member}${trailing}${tail}` }]);
}

const lineIndent = (text: string, at: number): string =>
  /^\uFEFF?([ \t]*)/.exec(text.slice(text.lastIndexOf("\n", at - 1) + 1, at))?.[1] ?? "";

interface OneLineParts {
  readonly last: JsonNode | undefined;
  readonly closing: number;
  readonly member: string;
  readonly body: string;
}

/** On the line on which the object stands: in front of its closing bracket. */
function besides(text: string, { last, closing, member, body }: OneLineParts): readonly Splice[] {
  const end = closing - (body.length - body.trimEnd().length);
  if (!last) return [{ at: end, end, text: body.trim() === "" ? ` ${member}${body === "" ? " " : ""}` : ` ${member}` }];
  const commaAt = commaBehind(text, last.end, closing);
  if (commaAt !== undefined) return [{ at: end, end, text: ` ${member},` }];
  return [{ at: last.end, end: last.end, text: `, ${member}` }];
}

const lastMember = ({ children }: JsonNode): JsonNode | undefined => [...(children?.values() ?? [])].at(-1);

/** Where a comma follows, blanks and comments passed over. */
function commaBehind(text: string, from: number, to: number): number | undefined {
  const blank = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
  blank.lastIndex = from;
  blank.test(text);
  return blank.lastIndex < to && text[blank.lastIndex] === "," ? blank.lastIndex : undefined;
}

const spliced = (text: string, splices: readonly Splice[]): string =>
  splices.reduceRight((kept, { at, end, text: fresh }) => `${kept.slice(0, at)}${fresh}${kept.slice(end)}`, text);
