/**
 * A foreign conversation as a log of ours, through the real store: every event is one that the program itself would have
 * written, so what the other agent allowed and ours does not is closed, queued or said again as ours would have done.
 */
import type { ModelFacts } from "../../src/anthropic/index.ts";
import { type FrozenPrefix, freezePrefix } from "../../src/context/index.ts";
import type { SessionHandle } from "../../src/session/index.ts";
import type { Payload } from "../../src/shared/index.ts";
import { engineFor } from "./exchange.ts";
import { AUX_MODEL, type Ground, MODEL, PROJECT, SYSTEM, toolsNamed } from "./ground.ts";
import type { Entry, Transcript } from "./types.ts";
import { writeAnswer, writeResult } from "./write-answer.ts";
import { writeSaid, writeShell } from "./write-said.ts";
import { endTurn, type Writing } from "./writing.ts";

export interface Written {
  readonly session: SessionHandle;
  readonly prefix: FrozenPrefix;
  /** Answers of a model. */
  readonly answers: number;
}

/** The caller closes the session. */
export async function writeLog(
  { entries, tally }: Transcript,
  ground: Ground,
  facts: (model: string) => ModelFacts,
): Promise<Written> {
  ground.setTime(entries[0]?.at);
  const prefix = await freezePrefix(ground.store.blobs, SYSTEM, toolsNamed(namesIn(entries)));
  const session = await ground.store.create(startOf(prefix));
  const writing: Writing = {
    session,
    context: engineFor({ prefix, api: { facts } }),
    tally,
    ids: new Map(),
    resultsAt: new Map(entries.flatMap((entry, at) => (entry.kind === "result" ? [[entry.callId, at]] : []))),
    requests: 0,
  };
  for (const [at, entry] of entries.entries()) {
    ground.setTime(entry.at);
    await writeEntry(writing, entry, at);
  }
  endTurn(session);
  return { session, prefix, answers: writing.requests };
}

async function writeEntry(writing: Writing, entry: Entry, at: number): Promise<void> {
  switch (entry.kind) {
    case "said":
      return writeSaid(writing, entry, at);
    case "shell":
      return writeShell(writing, entry);
    case "answer":
      return writeAnswer(writing, entry);
    case "result":
      return writeResult(writing, entry);
    default:
      return entry satisfies never;
  }
}

const SENDABLE = /^[a-zA-Z0-9_-]{1,64}$/;

/** The names of all tools that were called, but for those that no tool may have. */
export const namesIn = (entries: readonly Entry[]): ReadonlySet<string> =>
  new Set(
    entries
      .flatMap((entry) => (entry.kind === "answer" ? entry.blocks : []))
      .flatMap((block) => (block.type === "call" && SENDABLE.test(block.name) ? [block.name] : [])),
  );

export const startOf = ({ systemSha256, toolsSha256 }: FrozenPrefix): Payload<"session.started"> => ({
  title: "transcript",
  projectHash: PROJECT,
  workingDirectory: "/project",
  gitBranch: null,
  model: MODEL,
  auxModel: AUX_MODEL,
  khaelorVersion: "0.0.0",
  thinking: "adaptive",
  systemSha256,
  toolsSha256,
});
