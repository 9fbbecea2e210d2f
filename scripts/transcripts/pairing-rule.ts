/** What the API demands of calls and results, in few words and without the program's own code: a second opinion on its folds. */
import type { Message } from "../../src/shared/index.ts";

/** What is wrong with the conversation, or undefined. */
export function pairingProblem(messages: readonly Message[]): string | undefined {
  const seen = new Set<string>();
  for (const [at, message] of messages.entries()) {
    const problem = messageProblem(message, messages[at - 1]);
    if (problem !== undefined) return `message ${at} ${problem}`;
    const repeated = callsOf(message).find((id) => seen.has(id));
    if (repeated !== undefined) return `message ${at} repeats the call ${repeated}`;
    for (const id of callsOf(message)) seen.add(id);
  }
  return undefined;
}

function messageProblem({ role, content }: Message, before: Message | undefined): string | undefined {
  if (content.length === 0) return "is empty";
  if (before?.role === role) return `follows another of the ${role}'s`;
  if (role === "assistant") return undefined;
  const results = content.flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : []));
  const wanted = callsOf(before);
  if (!isSame(results, wanted)) return `answers [${results}] where [${wanted}] was asked`;
  const isResultsFirst = content.slice(0, results.length).every(({ type }) => type === "tool_result");
  return isResultsFirst ? undefined : "has words before results";
}

const callsOf = (message: Message | undefined): readonly string[] =>
  message?.role === "assistant"
    ? message.content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []))
    : [];

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((id, at) => id === b[at]);
