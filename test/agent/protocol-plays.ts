/** What a protocol case is made of when it is driven through the house. */

import type { Fault, ScriptedTurn, ScriptRequest } from "../../src/simulator/index.ts";
import protocol from "../cases/protocol.json";
import { type Driven, type Setup, say } from "./driving.ts";

export interface Play {
  readonly setup: Setup;
  readonly drive: (house: Driven) => Promise<void>;
}

/** The first message of every case. */
export const TASK = "fix the test";
export const NEXT = "next please";

/** `first` in answer to the task, "Fine." to whatever comes after. */
export const answering =
  (first: ScriptedTurn | ((request: ScriptRequest) => ScriptedTurn)) =>
  (request: ScriptRequest): ScriptedTurn => {
    if (request.index > 0 || request.lastUserText().includes(NEXT)) return say("Fine.");
    return typeof first === "function" ? first(request) : first;
  };

/** What the model says where a case states it. */
export function statedText(id: string): string {
  const fault = protocol.cases.find((each) => each.id === id)?.fault as { readonly text: string }; // as in the file
  return fault.text;
}

/** The HTTP answer that a case of kind `http` describes. */
export function statedFault(id: string): Extract<Fault, { kind: "http" }> {
  const fault = protocol.cases.find((each) => each.id === id)?.fault as {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: unknown;
  }; // the shape that the file's cases of this kind have
  const { status, headers, body } = fault;
  return { kind: "http", status, body, ...(headers && { headers }) };
}

/** Which cache marks a request carries is no part of what it says. */
export const withoutMarks = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, inner: unknown) => (key === "cache_control" ? undefined : inner)));
