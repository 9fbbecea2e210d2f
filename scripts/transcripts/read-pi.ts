/**
 * Sessions of pi: a header, then entries, in a row (version 1) or as a tree (later versions). Compactions and summaries of
 * left branches become what the model was told in their place.
 */
import { pathToNewest } from "./branch.ts";
import { partsOf, resultText, thinking } from "./content.ts";
import { isRecord, type Json, numberAt, recordAt, recordsIn, textAt, timeAt } from "./lines.ts";
import type { Answer, AnswerBlock, Entry, Spent, Tally } from "./types.ts";

const ROLES = new Set(["user", "assistant", "toolResult"]);

export function isPi(lines: readonly Json[]): boolean {
  const isMessage = (line: Json): boolean =>
    line.type === "message" && ROLES.has(textAt(recordAt(line, "message") ?? {}, "role") ?? "");
  const hasHeader = lines.some((line) => line.type === "session" && textAt(line, "cwd") !== undefined);
  return hasHeader && lines.some(isMessage);
}

export function readPi(lines: readonly Json[], tally: Tally): readonly Entry[] {
  const linked = lines.flatMap((line) => {
    const id = line.type === "session" ? undefined : textAt(line, "id");
    return id === undefined ? [] : [{ id, parent: textAt(line, "parentId") }];
  });
  const path = pathToNewest(linked, tally);
  return lines.flatMap((line) => {
    const id = line.type === "session" ? undefined : textAt(line, "id");
    if (id !== undefined && !path.has(id)) {
      tally.add("entries on a branch that was left");
      return [];
    }
    const entry = entryOf(line, tally);
    const at = timeAt(line, "timestamp");
    return entry ? [{ ...entry, ...(at !== undefined && { at }) }] : [];
  });
}

function entryOf(line: Json, tally: Tally): Entry | undefined {
  const type = textAt(line, "type") ?? "unknown";
  switch (type) {
    case "session":
      return undefined;
    case "message": {
      const message = recordAt(line, "message");
      return message && messageOf(message, tally);
    }
    case "compaction":
    case "branch_summary":
      return summary(line);
    case "custom_message":
      return { kind: "said", by: "program", parts: partsOf(line.content, tally) };
    default:
      tally.add(`lines that are no part of the conversation: ${type}`);
      return undefined;
  }
}

const summary = (from: Json): Entry => ({
  kind: "said",
  by: "summary",
  parts: [{ type: "text", text: textAt(from, "summary") ?? "" }],
});

function messageOf(message: Json, tally: Tally): Entry | undefined {
  const role = textAt(message, "role") ?? "unknown";
  switch (role) {
    case "user":
      return { kind: "said", by: "user", parts: partsOf(message.content, tally) };
    case "custom":
    case "hookMessage":
      return { kind: "said", by: "program", parts: partsOf(message.content, tally) };
    case "branchSummary":
    case "compactionSummary":
      return summary(message);
    case "assistant":
      return answerOf(message, tally);
    case "toolResult":
      return {
        kind: "result",
        callId: textAt(message, "toolCallId") ?? "",
        text: resultText(message.content, tally),
        isError: message.isError === true,
      };
    case "bashExecution":
      return shellOf(message, tally);
    default:
      tally.add(`messages with the role ${role}`);
      return undefined;
  }
}

function shellOf(message: Json, tally: Tally): Entry | undefined {
  if (message.excludeFromContext === true) {
    tally.add("commands of the user's that the model was not shown");
    return undefined;
  }
  const exitCode = numberAt(message, "exitCode") ?? null;
  return {
    kind: "shell",
    command: textAt(message, "command") ?? "",
    output: textAt(message, "output") ?? "",
    exitCode: Number.isInteger(exitCode) ? exitCode : null,
  };
}

const STOP_REASONS: Readonly<Record<string, string>> = { stop: "end_turn", length: "max_tokens", toolUse: "tool_use" };

function answerOf(message: Json, tally: Tally): Answer {
  const reason = textAt(message, "stopReason") ?? "";
  const end = reason === "aborted" ? "stopped" : reason === "error" ? "failed" : "finished";
  const [model, failure, stopReason] = [
    textAt(message, "model"),
    textAt(message, "errorMessage"),
    STOP_REASONS[reason],
  ];
  const usage = recordAt(message, "usage");
  return {
    kind: "answer",
    blocks: recordsIn(message.content, tally).flatMap((block) => blockOf(block, tally) ?? []),
    end,
    ...(stopReason !== undefined && { stopReason }),
    ...(failure !== undefined && { failure }),
    ...(model !== undefined && { model }),
    ...(usage && { spent: spentOf(usage) }),
  };
}

function blockOf(block: Json, tally: Tally): AnswerBlock | undefined {
  const type = textAt(block, "type") ?? "unknown";
  if (type === "text") return { type, text: textAt(block, "text") ?? "" };
  if (type === "thinking") return thinking(block, textAt(block, "thinkingSignature"));
  const [id, name] = [textAt(block, "id"), textAt(block, "name")];
  if (type === "toolCall" && id !== undefined && name !== undefined) {
    return { type: "call", id, name, input: isRecord(block.arguments) ? block.arguments : (block.arguments ?? {}) };
  }
  tally.add(`answer blocks of type ${type}`);
  return undefined;
}

const spentOf = (usage: Json): Spent => ({
  input: numberAt(usage, "input") ?? 0,
  output: numberAt(usage, "output") ?? 0,
  cacheRead: numberAt(usage, "cacheRead") ?? 0,
  cacheWrite: numberAt(usage, "cacheWrite") ?? 0,
});
