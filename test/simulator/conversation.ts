/** A tool loop with thinking, played against a server, and ways to falsify it. */
import { expect } from "bun:test";
import type { Script, Simulator } from "../../src/simulator/index.ts";
import { answerAll, type Block, type Body, echo, type Message, post, user, withSimulator } from "./harness.ts";

export const THINKING = { type: "adaptive", display: "summarized" };
export const TOOLS = [{ name: "bash", description: "runs", input_schema: { type: "object" } }];

export const script: Script = ({ index }) => ({
  content: [
    { type: "thinking", thinking: `thought ${index}` },
    { type: "redacted_thinking" },
    { type: "text", text: `step ${index}` },
    { type: "tool_use", name: "bash", input: { command: `step ${index}`, "10": true } },
  ],
});

interface Conversation {
  readonly body: Body;
  readonly messages: readonly Message[];
}

/** `loops` turns of one tool loop, then, if asked, a new question after an answer that ended it. */
export async function converse(simulator: Simulator, loops: number, model = "claude-opus-5-5"): Promise<Conversation> {
  const head = { model, max_tokens: 1000, thinking: THINKING, tools: TOOLS, system: "be exact" };
  let messages: readonly Message[] = [user("begin")];
  for (let i = 0; i < loops; i++) {
    const reply = await post(simulator, { ...head, messages });
    expect(reply.json.error).toBeUndefined();
    const assistant = echo(reply);
    messages = [...messages, assistant, answerAll(assistant, `result ${i}`)];
  }
  return { body: { ...head, messages }, messages };
}

export const withConversation = (
  loops: number,
  run: (c: Conversation, simulator: Simulator) => Promise<void>,
  model?: string,
) => withSimulator({ script }, async (simulator) => run(await converse(simulator, loops, model), simulator));

/** The conversation with one block of one message changed or taken out. */
export function edited(
  messages: readonly Message[],
  at: readonly [number, number],
  change: (block: Block) => Block | undefined,
): Message[] {
  return messages.map((message, i) => ({
    ...message,
    content: (message.content as Block[]).flatMap((block, j) =>
      i === at[0] && j === at[1] ? (change(block) ?? []) : [block],
    ),
  }));
}
