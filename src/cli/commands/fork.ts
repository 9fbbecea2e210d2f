/** `khaelor fork`: a fork without a run. Prints the new session's id; --resume goes on with it. */
import { loadPrefix } from "../../context/index.ts";
import type { SessionHandle } from "../../session/index.ts";
import { EXIT, type ExitCode, UserError } from "../../shared/index.ts";
import type { Arguments } from "../args.ts";
import { forked, forkMarker, mustBeFree } from "../chosen-session.ts";
import { findSession } from "../find-session.ts";
import { openHere } from "../here.ts";
import type { Output } from "../output.ts";
import { forkSource, sessionChoice } from "../session-choice.ts";
import { VERSION } from "../version.ts";

export async function fork(typed: Arguments, output: Output): Promise<ExitCode> {
  const [source = "", ...more] = typed.operands;
  if (more.length > 0) throw new UserError("One session at a time: khaelor fork [ID[@SEQ]].", EXIT.usage);
  const { id, seq } = forkSource(source);
  const { sessionId, name } = sessionChoice({ ...typed, noSession: false });
  const { store, project } = await openHere(typed);
  if (sessionId !== undefined) await mustBeFree(store, sessionId);
  const parent = await findSession(store, id, project);
  const { handle, notices } = await forked(store, parent, {
    ...(seq !== undefined && { seq }),
    ...(sessionId !== undefined && { id: sessionId }),
  });
  try {
    await begin(handle);
    if (name !== undefined) handle.publish({ type: "session.renamed", payload: { title: name } });
  } finally {
    await handle.close();
  }
  for (const notice of notices) output.err(`khaelor: ${notice}\n`);
  output.out(`${handle.id}\n`);
  return EXIT.done;
}

/** What was open in the parent ends with the marker or, where a run has to look at it first, when the fork is resumed. */
async function begin(session: SessionHandle): Promise<void> {
  const { conversation, turn, lastSeq } = session.state();
  const { systemSha256, toolsSha256 } = conversation;
  const prefix = systemSha256 && toolsSha256 ? await loadPrefix(session.blobs, systemSha256, toolsSha256) : undefined;
  session.publish({
    type: "session.resumed",
    payload: {
      khaelorVersion: VERSION,
      replayedSeq: lastSeq,
      model: turn.model,
      toolNames: prefix?.tools.map(({ name }) => name) ?? [],
      ...(systemSha256 !== undefined && { systemSha256 }),
      ...(toolsSha256 !== undefined && { toolsSha256 }),
      ...forkMarker(session),
    },
  });
}
