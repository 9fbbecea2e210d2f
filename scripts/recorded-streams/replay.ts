/** What becomes of an answer in a session: the events that the agent records of it, and the message that goes out with the next request. */
import { beforeStream, recordStream } from "../../src/agent/record-stream.ts";
import { conversation } from "../../src/session/index.ts";
import type { AssistantBlock } from "../../src/shared/index.ts";
import { openInMemory } from "../../test/support/story/memory-session.ts";
import type { ClientReading } from "./through-client.ts";

const MODEL = "claude-opus-5-5";
const STARTED = {
  title: "recorded",
  projectHash: "p",
  workingDirectory: "/p",
  gitBranch: null,
  model: MODEL,
  auxModel: MODEL,
  khaelorVersion: "0",
};

/** The assistant's message, empty when nothing of it is sent again. */
export function replayOf({ events }: ClientReading): readonly AssistantBlock[] {
  const log = { lines: [], wrong: [], ended: new Set<string>(), conversation, lost: new Set<string>() };
  const { handle } = openInMemory(log, "recorded");
  handle.publish({ type: "session.started", payload: STARTED });
  handle.publish({ type: "user.message-created", payload: { text: "go on", mentions: [] } });
  let state = beforeStream;
  for (const event of events) {
    const [next, durable] = recordStream(state, event, {
      newRequestId: () => "request",
      started: {
        model: MODEL,
        purpose: "main",
        contextStats: { estimatedInputTokens: 0, sections: [] },
      },
      uniqueToolUseId: (id) => id,
    });
    state = next;
    for (const input of durable) handle.publish(input);
  }
  const last = openInMemory(log, "recorded").handle.state().conversation.messages.at(-1);
  return last?.role === "assistant" ? last.content : [];
}
