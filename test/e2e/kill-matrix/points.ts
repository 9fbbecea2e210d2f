/** Where a run can be killed, and the names of these places: a name is all that is needed to repeat one kill. */
import type { SseEvent } from "../../../src/simulator/index.ts";
import type { FrontName } from "./front.ts";

export type Trigger =
  /** After the server has handed the n-th event of this kind to the socket, and so many milliseconds. */
  | { readonly kind: "wire"; readonly label: string; readonly nth: number; readonly delayMs: number }
  /** When the n-th line of this type has been printed; what it asks for is not answered any more. */
  | { readonly kind: "line"; readonly label: string; readonly nth: number }
  /** At a system call; see windows.ts for the keys. */
  | { readonly kind: "window"; readonly label: string; readonly nth: number };

/** A run that is killed, resumed, perhaps killed again, and resumed until it ends. */
export interface Point {
  readonly category: string;
  readonly front: FrontName;
  /** One for each run that is killed. */
  readonly triggers: readonly Trigger[];
}

const nameOf = (trigger: Trigger): string =>
  `${trigger.kind}/${trigger.label}/${trigger.nth}${trigger.kind === "wire" ? `/${trigger.delayMs}` : ""}`;

/** `CATEGORY@FRONT@KIND/LABEL/NTH[@…]`. */
export const pointName = ({ category, front, triggers }: Point): string =>
  [category.replaceAll(" ", "_"), front, ...triggers.map(nameOf)].join("@");

export function readPoint(name: string): Point {
  const [category = "", front = "", ...rest] = name.split("@");
  if (front !== "stream" && front !== "print") throw new Error(`${name} names no front`);
  return { category: category.replaceAll("_", " "), front, triggers: rest.map(readTrigger) };
}

function readTrigger(name: string): Trigger {
  const [kind, label = "", nth, delayMs = "0"] = name.split("/");
  const numbers = { nth: Number(nth), delayMs: Number(delayMs) };
  if (!(numbers.nth > 0)) throw new Error(`${name} names no place`);
  if (kind === "wire") return { kind, label, ...numbers };
  if (kind === "line" || kind === "window") return { kind, label, nth: numbers.nth };
  throw new Error(`${name} names no kind of place`);
}

/** What an event of a stream is, in short: `text_delta`, `tool_use start`, `message_stop`. */
export function wireLabel({ event, data }: SseEvent): string {
  if (typeof data === "string") return event;
  const { content_block: block, delta } = data as Readonly<Record<string, { readonly type?: string } | undefined>>;
  if (event === "content_block_start") return `${block?.type} start`;
  return (event === "content_block_delta" ? delta?.type : undefined) ?? event;
}
