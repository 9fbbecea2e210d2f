/** `${…}`: what a parameter expansion yields, as far as that follows from the text. */
import type { ParameterExpansionPart, ParameterOperation, Word as WordNode } from "unbash";
import { matchesWildcard } from "../pattern.ts";
import { literal, type Piece, plain, unknown, type Value } from "./word.ts";

export interface ParameterSource {
  readonly lookUp: (name: string) => Value | undefined;
  readonly assign: (name: string, value: Value | undefined) => void;
  /** Expands an operand as one unsplit word. */
  readonly expand: (operand: WordNode) => Piece;
  /** Told of what is taken for a number, a subscript or a name. */
  readonly calculate: (piece: Piece) => void;
  readonly complain: (why: string) => void;
}

/** The pieces of the value; an unknown one is a single unknown piece. */
export function parameterValue(part: ParameterExpansionPart, source: ParameterSource): Value {
  const anything: Value = [unknown(part.text)];
  const index = part.index === undefined ? undefined : source.expand(part.index);
  if (index !== undefined && !/^[@*]$/.test(index.text)) source.calculate(index);
  if (part.prefix === "#") return [plain(part.text)];
  if (part.prefix === "!") {
    if (part.operation?.type === "Transform") source.complain(`${part.text} can run what a variable holds`);
    if (part.operation?.type !== "Names" && index === undefined) source.calculate(literal(`$${part.parameter}`));
    return anything;
  }
  const value = elementOf(part.parameter, source.lookUp(part.parameter), index);
  if (part.operation === undefined) return value ?? anything;
  return operate({ part, value, source }, part.operation) ?? anything;
}

/** `$a` is `${a[0]}`; `${a[@]}` is every element, as `$@` is. */
export function elementOf(name: string, value: Value | undefined, index?: Piece): Value | undefined {
  if (value === undefined) return undefined;
  if (index === undefined) return name === "@" || name === "*" ? value : value.slice(0, 1);
  if (index.text === "@" || index.text === "*") return value;
  return index.known && /^\d+$/.test(index.text) ? value.slice(Number(index.text), Number(index.text) + 1) : undefined;
}

const isList = (part: ParameterExpansionPart): boolean =>
  /^[@*]$/.test(part.parameter) || (part.index !== undefined && /^[@*]$/.test(part.index.text));

interface Operand {
  readonly part: ParameterExpansionPart;
  readonly value: Value | undefined;
  readonly source: ParameterSource;
}

function operate(operand: Operand, operation: ParameterOperation): Value | undefined {
  const { part, value, source } = operand;
  switch (operation.type) {
    case "Default":
      return withDefault(operand, operation.operator, source.expand(operation.operand));
    case "Remove": {
      const pattern = source.expand(operation.operand);
      return each(value, (text) => (pattern.known ? removed(text, operation.operator, pattern.text) : undefined));
    }
    case "Replace": {
      const pattern = source.expand(operation.pattern);
      const replacement = source.expand(operation.replacement);
      return each(value, (text) => replaced(text, operation.operator, { pattern, replacement }));
    }
    case "Slice":
      return slice(operand, operation);
    case "CaseModification": {
      const which = operation.operand === undefined ? "" : source.expand(operation.operand).text;
      return which === "" ? each(value, (text) => recased(text, operation.operator)) : undefined;
    }
    case "Transform":
      if (source.expand(operation.operand).text.includes("P")) {
        source.complain(`${part.text} can run what the variable holds`);
      }
      return undefined;
    case "Names":
      return undefined;
    default:
      source.complain(`${part.text} is not understood`);
      return undefined;
  }
}

function slice(
  { part, value, source }: Operand,
  operation: Extract<ParameterOperation, { type: "Slice" }>,
): Value | undefined {
  const offset = source.expand(operation.offset);
  const length = operation.length === undefined ? undefined : source.expand(operation.length);
  source.calculate(offset);
  if (length !== undefined) source.calculate(length);
  // Of a list, a slice picks elements, not characters.
  return isList(part) ? undefined : each(value, (text) => sliced(text, offset, length));
}

interface Replacing {
  readonly pattern: Piece;
  readonly replacement: Piece;
}

/** Only plain text for plain text; in a replacement, `&` stands for what matched. */
function replaced(text: string, operator: string, { pattern, replacement }: Replacing): string | undefined {
  const isPlain = pattern.known && !pattern.pattern && pattern.text !== "";
  if (!isPlain || !replacement.known || replacement.text.includes("&")) return undefined;
  if (operator === "//") return text.replaceAll(pattern.text, () => replacement.text);
  return operator === "/" ? text.replace(pattern.text, () => replacement.text) : undefined;
}

function withDefault(operand: Operand, operator: string, alternative: Piece): Value | undefined {
  const { part, value, source } = operand;
  // With a colon an empty value counts as missing, without one only an unset parameter does.
  const missing = value !== undefined && (operator.startsWith(":") ? isEmpty(value) : value.length === 0);
  if (operator.endsWith("=") && (value === undefined || missing)) source.assign(part.parameter, undefined);
  if (value === undefined) return undefined;
  if (operator.endsWith("+")) return missing ? [] : [alternative];
  if (operator.endsWith("?")) return value;
  return missing ? [alternative] : value;
}

const isEmpty = (value: Value): boolean => value.every((piece) => piece.text === "");

function each(value: Value | undefined, change: (text: string) => string | undefined): Value | undefined {
  if (value === undefined) return undefined;
  const pieces: Piece[] = [];
  for (const piece of value) {
    const text = piece.known && piece.text === piece.shape ? change(piece.text) : undefined;
    if (text === undefined) return undefined;
    pieces.push({ ...literal(text), pattern: piece.pattern && /[*?[]/.test(text) });
  }
  return pieces;
}

/** Drops the shortest or longest head (`#`, `##`) or tail (`%`, `%%`) that matches. */
function removed(text: string, operator: string, pattern: string): string | undefined {
  if (text.length > 512 || /[?[(]/.test(pattern)) return undefined;
  const fromHead = operator.startsWith("#");
  const lengths = Array.from({ length: text.length + 1 }, (_, length) => length);
  if (operator.length === 2) lengths.reverse();
  for (const length of lengths) {
    const [part, rest] = fromHead
      ? [text.slice(0, length), text.slice(length)]
      : [text.slice(text.length - length), text.slice(0, text.length - length)];
    if (matchesWildcard(pattern, part)) return rest;
  }
  return text;
}

function sliced(text: string, offset: Piece, length: Piece | undefined): string | undefined {
  const integer = /^\s*-?\d+\s*$/;
  if (!integer.test(offset.text) || (length !== undefined && !integer.test(length.text))) return undefined;
  const from = Number(offset.text) < 0 ? Math.max(0, text.length + Number(offset.text)) : Number(offset.text);
  if (length === undefined) return text.slice(from);
  return Number(length.text) < 0 ? text.slice(from, Number(length.text)) : text.slice(from, from + Number(length.text));
}

function recased(text: string, operator: string): string | undefined {
  if (operator === "^^") return text.toUpperCase();
  if (operator === ",,") return text.toLowerCase();
  if (operator === "^") return text.slice(0, 1).toUpperCase() + text.slice(1);
  return operator === "," ? text.slice(0, 1).toLowerCase() + text.slice(1) : undefined;
}
