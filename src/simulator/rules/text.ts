/** From bytes to JSON: UTF-8 without lone surrogates, one object. */
import type { Json } from "../types.ts";
import { isRecord } from "./shape.ts";
import { type Refusal, refuse } from "./table.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

export type Parsed = { readonly body: Json } | { readonly refusal: Refusal };

export function parseBody(bytes: Uint8Array): Parsed {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return { refusal: refuse("40a") };
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    return { refusal: refuse("4", { detail: error instanceof Error ? error.message : "cannot be read" }) };
  }
  if (!isRecord(body)) return { refusal: refuse("4a") };
  const lone = loneSurrogate(text);
  return lone === undefined ? { body } : { refusal: refuse("40", { column: lone + 1, char: lone }) };
}

/** JavaScript's parser lets an escaped half of a pair through; the API's does not. */
function loneSurrogate(text: string): number | undefined {
  if (!/\\u[dD][89a-fA-F]/.test(text)) return undefined;
  const escapes = /\\(?:u([0-9a-fA-F]{4})|.)/g;
  let high: number | undefined;
  for (const match of text.matchAll(escapes)) {
    const unit = match[1] === undefined ? 0 : Number.parseInt(match[1], 16);
    const isLow = unit >= 0xdc00 && unit <= 0xdfff;
    if (high !== undefined && !(isLow && match.index === high + 6)) return high;
    if (high === undefined && isLow) return match.index;
    high = unit >= 0xd800 && unit <= 0xdbff ? match.index : undefined;
  }
  return high;
}
