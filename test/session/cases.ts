/** The cases of test/cases/log.json, laid out as files, and what a resume does with them. */
import { writeFileSync } from "node:fs";
import { recoveryEvents, type SessionHandle } from "../../src/session/index.ts";
import type { DurableEvent, DurableInput, Message } from "../../src/shared/index.ts";
import cases from "../cases/log.json";
import { type Workshop, workshop } from "./workshop.ts";

interface Expectation {
  readonly open?: "ok" | "read-only" | "refused";
  readonly kept_lines?: number;
  readonly torn?: boolean;
  readonly appended?: Readonly<Record<string, string>>[];
  readonly [key: string]: unknown;
}
export interface LogCase {
  readonly id: string;
  readonly topic: string;
  readonly describe: string;
  readonly lines: readonly string[];
  readonly final_newline: boolean;
  readonly mutation?: { readonly op: string; readonly hex?: string };
  readonly setup?: { readonly existing_torn_file?: string; readonly meta?: string; readonly lock?: object };
  readonly expect: Expectation;
}

/** Every case, in the order of the file. */
export const CASES = cases.cases as readonly LogCase[];
export const named = (id: string): LogCase => {
  const found = CASES.find((one) => one.id === id);
  if (!found) throw new Error(`no case ${id}`);
  return found;
};

export function bytesOf({ lines, final_newline, mutation }: LogCase): Buffer<ArrayBuffer> {
  const text = lines.join("\n") + (final_newline && lines.length > 0 ? "\n" : "");
  return Buffer.concat([
    Buffer.from(text),
    Buffer.from(mutation?.op === "append-bytes" ? (mutation.hex ?? "") : "", "hex"),
  ]);
}

export function laidOut(one: LogCase, room: Workshop = workshop()): Workshop {
  room.write(bytesOf(one));
  const { existing_torn_file: torn, meta, lock } = one.setup ?? {};
  if (torn !== undefined) writeFileSync(`${room.log()}.torn`, torn);
  if (meta !== undefined && meta !== "absent") writeFileSync(room.log().replace(".jsonl", ".meta.json"), meta);
  if (lock) writeFileSync(room.log().replace(".jsonl", ".lock"), "process 999999999, since 2020-01-01T00:00:00.000Z\n");
  return room;
}

/** As a resume does it. */
export function recover(session: SessionHandle): readonly DurableEvent[] {
  const replayedSeq = session.state().lastSeq;
  const { model } = session.state().turn;
  session.publish({ type: "session.resumed", payload: { khaelorVersion: "0.1.0", replayedSeq, model, toolNames: [] } });
  return recoveryEvents(session.state()).map((event) => session.publish(event));
}

export const message = (text: string): DurableInput => ({
  type: "user.message-created",
  payload: { text, mentions: [] },
});

/** The two rules that every request must keep, whatever became of the log. */
export function pairingProblems(messages: readonly Message[]): readonly string[] {
  return messages.flatMap(({ role, content }, at) => {
    const calls = content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
    const next = messages[at + 1]?.content ?? [];
    const answers = next.flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : []));
    const unequal = calls.join() === answers.join() ? [] : [`message ${at}: ${calls} answered by ${answers}`];
    return messages[at + 1]?.role === role ? [...unequal, `message ${at}: two in a row from ${role}`] : unequal;
  });
}
