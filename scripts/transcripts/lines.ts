/** Foreign JSON, line by line: what is no JSON is counted, never fatal; what is read from it is checked field by field. */
import type { Tally } from "./types.ts";

export type Json = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const textAt = (record: Json, key: string): string | undefined =>
  typeof record[key] === "string" ? record[key] : undefined;

export const numberAt = (record: Json, key: string): number | undefined =>
  typeof record[key] === "number" && Number.isFinite(record[key]) ? record[key] : undefined;

export const recordAt = (record: Json, key: string): Json | undefined => {
  const value = record[key];
  return isRecord(value) ? value : undefined;
};

/** The objects of a list; what else is in it is counted. */
export function recordsIn(value: unknown, tally: Tally): readonly Json[] {
  if (!Array.isArray(value)) return [];
  const records = value.filter(isRecord);
  tally.add("pieces of content that are no objects", value.length - records.length);
  return records;
}

/** Epoch milliseconds, from a number or a date as text. */
export function timeAt(record: Json, key: string): number | undefined {
  const at = numberAt(record, key) ?? Date.parse(textAt(record, key) ?? "");
  return Number.isFinite(at) ? at : undefined;
}

/** Every JSON object of the text, one a line. Two objects on one line, as writers without a line break leave them, are both read. */
export function parseLines(text: string, tally: Tally): readonly Json[] {
  const found: Json[] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const whole = parsed(line);
    const values = whole === undefined ? joinedObjects(line) : [whole];
    if (!values) tally.add("broken lines");
    for (const value of values ?? []) {
      if (isRecord(value)) found.push(value);
      else tally.add("lines that are no objects");
    }
  }
  return found;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller counts it
  }
}

/** Cuts a line at the places where one object could end and the next begin; undefined when no cut makes both whole. */
function joinedObjects(line: string): readonly unknown[] | undefined {
  for (let at = line.indexOf('}{"'); at !== -1; at = line.indexOf('}{"', at + 1)) {
    const first = parsed(line.slice(0, at + 1));
    if (first === undefined) continue;
    const rest = line.slice(at + 1);
    const last = parsed(rest);
    const others = last === undefined ? joinedObjects(rest) : [last];
    return others && [first, ...others];
  }
  return undefined;
}
