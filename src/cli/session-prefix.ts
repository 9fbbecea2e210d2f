/**
 * The bytes before every message of a session: rendered when it begins, and the stored ones from then on. What of them is lost,
 * or cannot be kept up by this version, is made anew, part by part: that is a new epoch, and the user is told.
 */
import { discoverInstructions, type Instructions } from "../config/index.ts";
import {
  buildSystemTiers,
  type FrozenPrefix,
  freezePrefix,
  loadParts,
  type PrefixParts,
  unfitTools,
} from "../context/index.ts";
import { isLoopOpen, openCalls, type SessionHandle } from "../session/index.ts";
import { withSchema } from "./answer-schema.ts";
import type { Opening } from "./opening.ts";
import { offered } from "./tool-choice.ts";

export interface ChosenPrefix {
  readonly prefix: FrozenPrefix;
  /** For people. */
  readonly notices: readonly string[];
}

export async function newPrefix(opening: Opening): Promise<ChosenPrefix> {
  const { system, notices } = await renderSystem(opening);
  const prefix = await freezePrefix(opening.store.blobs, system, opening.tools.schemas());
  return { prefix: await withSchema(opening.store.blobs, prefix, opening.outputSchema), notices };
}

/** The stored one for as long as it is there and the tools in it can be called; else what is left of it, completed. */
export async function prefixOnResume(opening: Opening, session: SessionHandle): Promise<ChosenPrefix> {
  const { conversation } = session.state();
  const parts = await loadParts(session.blobs, conversation);
  const { system, tools, outputSchema } = parts;
  const unfit = tools ? unfitTools(tools, opening.tools.schemas()) : [];
  const changed = unfit.map(({ name, why }) => `${name}: ${why}`).join("; ");
  // The thinking of a loop that is open belongs to the tools that it knows: what is gone answers with an error until its end.
  const isHeld = unfit.length > 0 && (isLoopOpen(conversation) || openCalls(session.state().turn).length > 0);
  const notices = [...lost(parts, opening), ...(unfit.length > 0 ? [isHeld ? held(changed) : renewed(changed)] : [])];
  const keepsTools = tools !== undefined && (unfit.length === 0 || isHeld);
  const rendered = system ? undefined : await renderSystem(opening);
  const prefix = await freezePrefix(
    session.blobs,
    system ?? rendered?.system ?? [],
    keepsTools ? tools : toolsOf(opening, session).schemas(),
  );
  const complete = outputSchema ? { ...prefix, outputSchema } : prefix;
  return {
    prefix: await withSchema(session.blobs, complete, opening.outputSchema),
    notices: [...notices, ...(rendered?.notices ?? [])],
  };
}

function lost({ system, tools, isSchemaLost }: PrefixParts, { outputSchema }: Opening): readonly string[] {
  const gone = [...(system ? [] : ["system prompt"]), ...(tools ? [] : ["tools"])].join(" and ");
  return [
    ...(gone === "" ? [] : [`The stored ${gone} of this session cannot be read any more; it goes on with new ones.`]),
    ...(isSchemaLost && !outputSchema ? [SCHEMA_LOST] : []),
  ];
}

const SCHEMA_LOST =
  "The stored schema of this session's answers cannot be read any more; it goes on without one. --json-schema gives it again.";
const renewed = (changed: string): string =>
  `Tools that this session began with are not the same in this version (${changed}); it goes on with this version's.`;
const held = (changed: string): string =>
  `Tools that this session began with are not the same in this version (${changed}). It gets this version's when it is resumed after the work that is open.`;

/** Of this version, and no more than the session was to have. */
function toolsOf({ tools }: Opening, session: SessionHandle) {
  const { toolNames } = session.state().turn;
  return toolNames ? offered(tools, toolNames) : tools;
}

const NO_INSTRUCTIONS: Instructions = { files: [], problems: [] };

async function renderSystem(opening: Opening): Promise<{
  readonly system: readonly string[];
  readonly notices: readonly string[];
}> {
  const { store, workspace, places, projectRoot, prompt } = opening;
  const cwd = workspace.cwd();
  const { files, problems } = prompt.withoutInstructions
    ? NO_INSTRUCTIONS
    : await discoverInstructions({ ...places, projectRoot, cwd });
  const { replaced, appended } = prompt;
  const system = buildSystemTiers({ instructions: files, platform: process.platform, cwd, replaced, appended });
  return { system: store.redacted(system), notices: problems };
}
