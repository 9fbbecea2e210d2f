/**
 * A break at a resume (a new epoch, images that are gone) takes all thinking out of the conversation, and without it an open
 * loop would be refused for ever. So the loop ends: its calls are closed, and everything up to here becomes one message in
 * plain words.
 */
import { plainCompaction } from "../context/index.ts";
import { closingEvents, isLoopOpen, type SessionHandle } from "../session/index.ts";

/** Looks at what the log says and not at who broke it: a resume may have died right behind the break. */
export function endBrokenLoop(session: SessionHandle): void {
  const { conversation } = session.state();
  const isBroken = conversation.sentTail === undefined; // since its last request
  if (!isBroken || !isLoopOpen(conversation)) return;
  for (const input of closingEvents(session.state())) session.publish(input);
  session.publish(plainCompaction(session.state(), "new-epoch"));
}
