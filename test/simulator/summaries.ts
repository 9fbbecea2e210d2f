/** A conversation that is summed up by the server, and what a request behind the summary comes to. */
import type { Script, Simulator } from "../../src/simulator/index.ts";
import { THINKING, TOOLS } from "./conversation.ts";
import { answerAll, type Block, type Body, echo, type Message, post, type Reply, say, user } from "./harness.ts";
import { compact } from "./rule-parts.ts";

export const SUMMARY = "They began, and went on.";

/** Thinks and calls while results come; a user's text gets an answer with thinking; whoever asks for a summary gets it. */
export const script: Script = ({ body, lastResults, index }) => {
  if (body.compaction) return say(SUMMARY);
  const thinking = { type: "thinking", thinking: `thought ${index}` } as const;
  if (lastResults().length > 0) return { content: [thinking, { type: "text", text: `answer ${index}` }] };
  return { content: [thinking, { type: "tool_use", name: "bash", input: { step: index } }] };
};
export const HEAD = {
  model: "claude-opus-5-5",
  max_tokens: 1000,
  thinking: THINKING,
  tools: TOOLS,
  system: "be exact",
};

export const ask = (simulator: Simulator, body: Body): Promise<Reply> => post(simulator, body, { headers: compact });
export const summarize = (simulator: Simulator, messages: readonly Message[], more: Body = {}): Promise<Reply> =>
  ask(simulator, { ...HEAD, messages, compaction: { type: "summarize" }, ...more });

/** Each text of the user is called for once and answered: user, call, result, answer. The last text is not answered. */
export async function talk(
  simulator: Simulator,
  texts: readonly string[],
  before: readonly Message[] = [],
): Promise<readonly Message[]> {
  let messages = [...before];
  for (const [i, text] of texts.entries()) {
    messages.push(user(text));
    if (i === texts.length - 1) break;
    const call = echo(await ask(simulator, { ...HEAD, messages }));
    messages.push(call, answerAll(call));
    messages = [...messages, echo(await ask(simulator, { ...HEAD, messages }))];
  }
  return messages;
}

export const blockOf = (reply: Reply): Block => (reply.json.content as Block[])[0] as Block;
export const alone = (block: Block): Message => ({ role: "assistant", content: [block] });
export const verdict = async (simulator: Simulator, body: Body): Promise<string> =>
  (await ask(simulator, body)).status === 200 ? "fine" : (simulator.refusals.at(-1)?.rule ?? "");
