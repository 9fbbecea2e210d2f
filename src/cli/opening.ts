/** Opens a session for writing: a new one with its prefix frozen, or an old one with the prefix it was given, recovered. */
import { unrecordedWrites } from "../agent/index.ts";
import type { ConfigLayer, KhaelorConfig } from "../config/index.ts";
import { type FrozenPrefix, freezePrefix, freezeSchema, type OutputSchema } from "../context/index.ts";
import { baselineOf, type GitSnapshot } from "../repository/index.ts";
import {
  type BlobStore,
  lostProcesses,
  projectHash,
  recoveryEvents,
  type SessionHandle,
  type SessionStore,
} from "../session/index.ts";
import type { Clock } from "../shared/index.ts";
import type { ToolRegistry } from "../tools/index.ts";
import type { Workspace } from "../workspace/index.ts";
import { schemaChange } from "./answer-schema.ts";
import { endBrokenLoop } from "./broken-loop.ts";
import { changeWatchFor } from "./changes.ts";
import { forkMarker } from "./chosen-session.ts";
import { dropMissingImages } from "./missing-images.ts";
import { isHeldByLoop, publishSwitch } from "./model-switch.ts";
import type { PromptChoice } from "./prompt-choice.ts";
import { recovered } from "./recovery-words.ts";
import { newPrefix, prefixOnResume } from "./session-prefix.ts";
import type { Places } from "./settings.ts";
import { VERSION } from "./version.ts";

export interface Opened {
  readonly session: SessionHandle;
  readonly prefix: FrozenPrefix;
  /** For people: instruction files that could not be read as they stand, a prefix that had to be made anew. */
  readonly notices: readonly string[];
}

export interface Opening {
  readonly store: SessionStore;
  readonly workspace: Workspace;
  readonly clock: Clock;
  readonly tools: ToolRegistry;
  /** They were named by the user, and are not simply all. */
  readonly hasChosenTools: boolean;
  readonly config: KhaelorConfig;
  readonly places: Places;
  readonly projectRoot: string;
  /** What was typed; of all that an old session has settled, only this changes it. */
  readonly typed: ConfigLayer;
  readonly prompt: PromptChoice;
  /** What answers have to be, when it was asked for now. */
  readonly outputSchema: OutputSchema | undefined;
}

/** The output limit of a session whose configuration names none, within what the model allows. */
export const DEFAULT_OUTPUT_TOKENS = 32_000;

export async function newSession(
  opening: Opening,
  { title, id }: { readonly title: string; readonly id?: string | undefined },
  snapshot: Promise<GitSnapshot | undefined>,
): Promise<Opened> {
  const { store, config, workspace, projectRoot } = opening;
  const { prefix, notices } = await newPrefix(opening);
  const git = await snapshot;
  const session = await store.create(
    {
      title,
      projectHash: projectHash(projectRoot),
      workingDirectory: workspace.cwd(),
      gitBranch: git?.branch ?? null,
      model: config.model,
      auxModel: config.auxModel,
      khaelorVersion: VERSION,
      systemSha256: prefix.systemSha256,
      toolsSha256: prefix.toolsSha256,
      ...(opening.hasChosenTools && { toolNames: prefix.tools.map(({ name }) => name) }),
      ...(prefix.outputSchema && { outputSchemaSha256: prefix.outputSchema.sha256 }),
      ...(config.effort !== undefined && { effort: config.effort }),
      thinking: config.thinking,
      maxOutputTokens: config.maxOutputTokens ?? DEFAULT_OUTPUT_TOKENS,
      permissionMode: config.permissionMode,
    },
    id,
  );
  try {
    await storedAgain(store.blobs, prefix);
    if (git) {
      session.publish({ type: "git.baseline-recorded", payload: { when: "session-start", baseline: baselineOf(git) } });
    }
  } catch (error) {
    await session.close();
    throw error;
  }
  return { session, prefix, notices };
}

/** Now that a log names it: until then another process may have removed it as something that nobody names. */
async function storedAgain(blobs: BlobStore, { system, tools, outputSchema }: FrozenPrefix): Promise<void> {
  await freezePrefix(blobs, system, tools);
  if (outputSchema) await freezeSchema(blobs, outputSchema);
}

/** The stored prefix is sent again; only where it cannot be does a new epoch begin. */
export async function resumeSession(opening: Opening, session: SessionHandle): Promise<Opened> {
  const { conversation, turn, meta } = session.state();
  const { prefix, notices: renewed } = await prefixOnResume(opening, session);
  session.publish({
    type: "session.resumed",
    payload: {
      khaelorVersion: VERSION,
      replayedSeq: session.state().lastSeq,
      model: turn.model,
      toolNames: prefix.tools.map(({ name }) => name),
      systemSha256: prefix.systemSha256,
      toolsSha256: prefix.toolsSha256,
      ...schemaChange(prefix, conversation),
      permissionMode: opening.config.permissionMode,
      ...forkMarker(session),
      ...(session.torn && { tornBytes: session.torn.bytes }),
    },
  });
  for (const input of await unrecordedWrites({ ...opening, session })) session.publish(input);
  await changeWatchFor(opening, session).recover();
  for (const input of lostProcesses(session.state(), meta.updatedAt)) session.publish(input);
  const recovery = recoveryEvents(session.state());
  for (const input of recovery) session.publish(input);
  const withoutImages = await dropMissingImages(session);
  endBrokenLoop(session);
  const refused = changeModel(session, opening.typed);
  await session.sync();
  const told = renewed.length > 0 ? renewed : keptInstructions(opening);
  return { session, prefix, notices: [...recovered(session, recovery), ...told, ...withoutImages, ...refused] };
}

/**
 * The model or effort that was typed takes over from here. Not while calls are being answered: a switch takes the earlier
 * thinking out of the conversation, and that of an open loop has to stay. Then a person is told.
 */
function changeModel(session: SessionHandle, typed: ConfigLayer): readonly string[] {
  const { turn } = session.state();
  const { model: to = turn.model, effort = turn.effort, thinking = turn.thinking } = typed;
  const kept = keptLimit(typed, turn.maxOutputTokens);
  if (to === turn.model && effort === turn.effort && thinking === turn.thinking) return kept;
  if (isHeldByLoop(session.state(), to)) {
    return [
      `The model cannot change in the middle of its work: this goes on with ${turn.model}. Resume it again when it has answered.`,
      ...kept,
    ];
  }
  const chosen = {
    ...(typed.effort !== undefined && { effort: typed.effort }),
    ...(typed.thinking !== undefined && { thinking: typed.thinking }),
  };
  publishSwitch(session, { from: turn.model, to, reason: "user", ...chosen });
  return kept;
}

function keptLimit({ maxOutputTokens: wanted }: ConfigLayer, kept: number | undefined): readonly string[] {
  if (wanted === undefined || wanted === kept || kept === undefined) return [];
  return [`maxOutputTokens is settled when a session begins: this one goes on with ${kept}.`];
}

const keptInstructions = ({ prompt }: Opening): readonly string[] =>
  prompt.withoutInstructions ? [KEPT_INSTRUCTIONS] : [];

const KEPT_INSTRUCTIONS =
  "The session goes on with the instructions that it began with; --bare and --safe-mode leave them out of a new one.";
