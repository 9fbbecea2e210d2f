/** The services of one engine, each made from what the whole engine shares. `compose.ts` puts them together. */
import {
  type ChangeWatch,
  createMentionCapture,
  createToolRuntime,
  createUserShell,
  createVerificationGate,
  type PermissionGate,
  type ToolRuntime,
  type TurnPolicy,
} from "../agent/index.ts";
import { createModelClient, type ModelClient, type ModelClientOptions, type ModelFacts } from "../anthropic/index.ts";
import type { ConfigLayer, KhaelorConfig, ResolvedConfig } from "../config/index.ts";
import { type Ask, type ContextEngine, createContextEngine } from "../context/index.ts";
import { createEvaluator, folderOfLast, lastOfAndChain, type PermissionEvaluator } from "../permissions/index.ts";
import { detectChecks, isCheckCommand, leavesProject, mayBeCheck, runnableChecks } from "../repository/index.ts";
import { type SessionHandle, type SessionStore, storePaths } from "../session/index.ts";
import type { Clock, Logger, NewId } from "../shared/index.ts";
import { bashTool, readTool } from "../tools/index.ts";
import type { LocalWorkspace } from "../workspace/index.ts";
import { addedFolders } from "./added-folders.ts";
import { recordBaseline } from "./changes.ts";
import type { Connection, EngineOptions } from "./engine.ts";
import { settingThatRuns } from "./git-settings.ts";
import { judgedRules } from "./judged-rules.ts";
import { DEFAULT_OUTPUT_TOKENS, type Opened } from "./opening.ts";
import { MACHINE, type Outside } from "./outside.ts";
import { type EvaluatorWithPasted, withPasted } from "./pasted-files.ts";
import { isSpecialFile, resolveRealPath } from "./real-path.ts";
import type { Environment } from "./settings.ts";
import { spillRoomIn } from "./spill-room.ts";
import type { State } from "./state.ts";
import { VERSION } from "./version.ts";

/** What every part of one engine shares. */
export interface Ground {
  readonly options: EngineOptions;
  readonly store: SessionStore;
  readonly logger: Logger;
  readonly newId: NewId;
  /** US dollars; null for a model without a known price. */
  readonly price: State["price"];
  readonly clock: Clock;
  readonly projectRoot: string;
  readonly config: KhaelorConfig;
  /** What the command line says of it, by whatever flag. */
  readonly typed: ConfigLayer;
  readonly origins: ResolvedConfig["origins"];
  readonly workspace: LocalWorkspace;
  /** What is known of a model: the dated table, and what the API last said of limits. */
  readonly facts: (model: string) => ModelFacts;
  /** Ids of models, to find a mistyped one among. */
  readonly knownModels: readonly string[];
}

/** The user may switch certificate checks off for their own commands, but the key is never shown to a stranger. */
export function clientOptions(
  {
    env,
    logger,
    outside: { clock, random, fetch } = MACHINE,
  }: { readonly env: Environment; readonly logger: Logger; readonly outside?: Outside | undefined },
  connection: Connection,
): ModelClientOptions {
  const unchecked = env.NODE_TLS_REJECT_UNAUTHORIZED === "0";
  return {
    ...connection,
    version: VERSION,
    clock,
    networkClock: clock,
    random,
    fetch,
    logger,
    ...(unchecked && { fetchOptions: { tls: { rejectUnauthorized: true } } }),
  };
}

export const modelClientFor = (
  { options: { env, outside }, store, logger, facts }: Ground,
  connection: Connection,
): ModelClient =>
  createModelClient({ ...clientOptions({ env, logger, outside }, connection), loadBlob: store.blobs.get, facts });

/** Its requests go through `ask`. */
export const contextFor = ({ prefix }: Opened, { facts, config }: Ground, ask: Ask): ContextEngine =>
  createContextEngine({
    prefix,
    facts,
    summaries: { ask, auxModel: config.auxModel, route: config.compaction.route },
    reservedOutputTokens: DEFAULT_OUTPUT_TOKENS,
  });

/** When room is made. An overflow leads to it in any case. */
export const roomPolicy = (
  context: ContextEngine,
  { config }: Ground,
): Pick<TurnPolicy, "needsCompaction" | "prune"> => ({
  needsCompaction: (state) => config.compaction.auto && context.needsCompaction(state),
  prune: (state) => context.pruneToolResults(state),
});

/** Its folders are named as they really lie, for that is how it sees the paths that it judges. */
export function evaluatorFor({ options, config, projectRoot, workspace }: Ground): EvaluatorWithPasted {
  const { home, userHome } = options.places;
  const cwd = workspace.cwd();
  const evaluator = createEvaluator({
    home: resolveRealPath(userHome) ?? userHome,
    stateFolder: resolveRealPath(home) ?? home,
    projectRoot,
    additionalRoots: addedFolders(config, userHome),
    mode: config.permissionMode,
    rules: judgedRules(config),
    resolvePath: resolveRealPath,
    isSpecialFile,
    settingThatRuns,
    cwd,
  });
  return withPasted(evaluator, cwd);
}

export function verifierFor(
  { workspace, newId, projectRoot }: Ground,
  session: SessionHandle,
  { gate, watch }: { readonly gate: PermissionGate; readonly watch: ChangeWatch },
) {
  const detect = () => detectChecks(workspace, projectRoot);
  return createVerificationGate({
    session,
    workspace,
    gate,
    watch,
    newId,
    root: projectRoot,
    detectChecks: async () => runnableChecks(workspace, projectRoot, await detect()),
    async checkedFolder(command) {
      const words = lastOfAndChain(command); // of most commands this already says no, without a look at the disk
      if (words === undefined || !mayBeCheck(words)) return undefined;
      const named = folderOfLast(command, workspace.cwd());
      const folder = named === undefined ? undefined : resolveRealPath(named);
      if (folder === undefined || leavesProject(words, folder, projectRoot)) return undefined;
      return isCheckCommand(words, await detect(), folder === projectRoot) ? folder : undefined;
    },
  });
}

/** What the user says may mention files, or be a command: both work whatever tools the model has. */
export function intakeFor(
  { options, workspace, newId }: Ground,
  session: SessionHandle,
  { gate, evaluator }: { readonly gate: PermissionGate; readonly evaluator: PermissionEvaluator },
) {
  const home = options.places.userHome;
  const spillFolder = storePaths(options.places.home).spill;
  const spillRoom = spillRoomIn(spillFolder, session.id);
  const read = readTool({ workspace, home });
  const bash = bashTool({ workspace });
  const cwd = workspace.cwd();
  return {
    captureMentions: createMentionCapture({ session, workspace, gate, readTool: read, home }),
    userShell: createUserShell({ session, evaluator, bashTool: bash, cwd, spillFolder, spillRoom, newId }),
  };
}

export function toolRuntimeFor(
  { options, workspace, logger, clock }: Ground,
  session: SessionHandle,
  parts: Pick<Parameters<typeof createToolRuntime>[0], "gate" | "tools" | "watch"> & {
    readonly verifier: ReturnType<typeof createVerificationGate>;
  },
): ToolRuntime {
  const spillFolder = storePaths(options.places.home).spill;
  return createToolRuntime({
    session,
    gate: parts.gate,
    tools: parts.tools,
    watch: parts.watch,
    clock,
    logger,
    cwd: workspace.cwd(),
    spillFolder,
    spillRoom: spillRoomIn(spillFolder, session.id),
    beforeWrite: () => recordBaseline(session, workspace),
    observeCommand: (observed) => parts.verifier.observe(observed),
  });
}
