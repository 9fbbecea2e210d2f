/** What a user said, as the program records it: a new turn, or words into the one that runs; with the images that it would take. */
import { imageProblem, MAX_IMAGES } from "../../src/agent/index.ts";
import { conversationImages } from "../../src/session/index.ts";
import { isBlank, type Payload } from "../../src/shared/index.ts";
import type { Part, Said, Shell } from "./types.ts";
import { endTurn, injectQueued, stopTurn, type Writing } from "./writing.ts";

/** `at`: its place among the entries. */
export async function writeSaid(writing: Writing, said: Said, at: number): Promise<void> {
  const { session, tally, resultsAt } = writing;
  const message = await messageOf(writing, said);
  if (isBlank(message.text) && message.attachments.length === 0) {
    tally.add("messages with nothing in them");
    return;
  }
  const { pending, phase, lastResponse } = session.state().turn;
  const isAwaited = pending.some(({ toolUseId }) => (resultsAt.get(toolUseId) ?? -1) > at);
  const isRunning = phase === "open" && lastResponse?.toolCalls !== 0;
  if (said.stops || (pending.length > 0 && !isAwaited)) stopTurn(writing);
  else if (isRunning) {
    session.publish({ type: "user.steering-queued", payload: { ...message, deliver: "now" } });
    injectQueued(writing);
    return;
  }
  endTurn(session);
  session.publish({ type: "user.message-created", payload: { ...message, mentions: [] } });
}

type Attachments = NonNullable<Payload<"user.message-created">["attachments"]>;

async function messageOf(
  { session, tally }: Writing,
  { parts }: Said,
): Promise<{ readonly text: string; readonly attachments: Attachments }> {
  const texts: string[] = [];
  const attachments: Attachments[number][] = [];
  for (const part of parts) {
    if (part.type === "text") {
      if (!isBlank(part.text)) texts.push(part.text);
      continue;
    }
    const bytes = imageBytes(part);
    const held = conversationImages(session.state().conversation).length + attachments.length;
    if (imageProblem(bytes, bytes.length) !== undefined || held >= MAX_IMAGES) {
      tally.add("images that the program would not take");
      continue;
    }
    const sha256 = await session.blobs.put(bytes);
    attachments.push({ sha256, mediaType: part.mediaType, bytes: bytes.length, name: "image" });
  }
  return { text: texts.join("\n\n"), attachments };
}

const imageBytes = ({ base64 }: Extract<Part, { type: "image" }>): Uint8Array => Buffer.from(base64, "base64");

/** A command of the user's own begins no turn; what came out of it is in the next request. */
export function writeShell({ session }: Writing, { command, output, exitCode }: Shell): void {
  const context = [{ name: "shell", text: `<user-shell>\n$ ${command}\n${output}\n</user-shell>` }];
  const shell = { command, exitCode, output };
  session.publish({
    type: "user.message-created",
    payload: { text: "", mentions: [], by: "user", context, shell },
  });
}
