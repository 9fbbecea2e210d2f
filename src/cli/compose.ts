/** The only assembler: makes every service, hands each what it needs, and gives back an engine that a front can drive. */
import {
  createAgent,
  createPermissionGate,
  createToolRuntime,
  createVerificationGate,
  type PermissionGate,
  type ToolRuntime,
} from "../agent/index.ts";
import { createModelClient, type ModelClient, modelFacts } from "../anthropic/index.ts";
import { type KhaelorConfig, persistPermissionGrant } from "../config/index.ts";
import { captureContext, createContextEngine } from "../context/index.ts";
import { createEvaluator, lastOfAndChain, type PermissionEvaluator } from "../permissions/index.ts";
import {
  baselineOf,
  detectChecks,
  findProjectRoot,
  type GitSnapshot,
  gitSnapshot,
  isCheckCommand,
} from "../repository/index.ts";
import { projectHash, type SessionHandle, type SessionStore, storePaths } from "../session/index.ts";
import { type Logger, type NewId, systemClock } from "../shared/index.ts";
import { createTools } from "../tools/index.ts";
import { createLocalWorkspace, type LocalWorkspace } from "../workspace/index.ts";
import { configurationFor, userConnection } from "./configuration.ts";
import type { Connection, Engine, EngineOptions } from "./engine.ts";
import { findSession } from "./find-session.ts";
import { DEFAULT_OUTPUT_TOKENS, newSession, type Opened, resumeSession } from "./opening.ts";
import { isSpecialFile, resolveRealPath } from "./real-path.ts";
import type { Environment } from "./settings.ts";
import { openStore } from "./state.ts";
import { VERSION } from "./version.ts";

/** What every part of one engine shares. */
interface Ground {
  readonly options: EngineOptions;
  readonly store: SessionStore;
  readonly logger: Logger;
  readonly newId: NewId;
  readonly projectRoot: string;
  readonly config: KhaelorConfig;
  readonly workspace: LocalWorkspace;
}

/** Throws UserError or StoreError when there is nothing to run; then nothing is left open. */
export async function composeEngine(options: EngineOptions): Promise<Engine> {
  const { places, env } = options;
  const state = openStore(places, options.debug);
  const here = await rootOf(places.cwd, env);
  const handle =
    options.resume === undefined
      ? undefined
      : await state.store.open(await findSession(state.store, options.resume, projectHash(here)));
  try {
    const cwd = handle?.state().meta.workingDirectory ?? places.cwd;
    const projectRoot = handle ? await rootOf(cwd, env) : here;
    const { config, notices } = await configurationFor(options, projectRoot);
    const connection = options.connection ?? (await userConnection(options, config));
    for (const secret of secretsOf(connection, env)) state.hide(secret);
    const workspace = createLocalWorkspace({ cwd, env, passEnv: config.passEnv });
    const ground = { options, ...state, projectRoot, config, workspace };
    return await assemble(ground, connection, { handle, notices }).catch(async (error: unknown) => {
      await workspace.close();
      throw error;
    });
  } catch (error) {
    await handle?.close();
    throw error;
  }
}

/** All that opens an account, also what is not in use: a command can find it where this program found it. */
function secretsOf({ auth, baseURL = "" }: Connection, env: Environment): readonly string[] {
  const url = URL.canParse(baseURL) ? new URL(baseURL) : undefined;
  return [auth.value, url?.password, env.ANTHROPIC_API_KEY, env.ANTHROPIC_AUTH_TOKEN].filter(
    (secret) => secret !== undefined,
  );
}

/** For the question alone: this workspace starts no process, so it needs no watchdog and no closing. */
const rootOf = (cwd: string, env: Environment): Promise<string> =>
  findProjectRoot(createLocalWorkspace({ cwd, env, watchdog: false }));

async function assemble(
  ground: Ground,
  connection: Connection,
  found: { readonly handle: SessionHandle | undefined; readonly notices: readonly string[] },
): Promise<Engine> {
  const { options, store, logger, newId, config, workspace, projectRoot } = ground;
  const tools = createTools({ workspace, home: options.places.userHome });
  const git = await gitSnapshot(workspace);
  const opening = { store, workspace, tools, config, places: options.places, projectRoot, flags: options.flags };
  const firstSeq = (found.handle?.state().lastSeq ?? 0) + 1;
  const opened = found.handle
    ? await resumeSession(opening, found.handle)
    : await newSession(opening, options.title, git);
  const { session } = opened;
  const evaluator = evaluatorFor(ground);
  const gate = createPermissionGate({ session, evaluator, somebodyToAsk: options.somebodyToAsk, newId });
  const verifier = verifierFor(ground, session, gate);
  const agent = createAgent({
    session,
    context: contextFor(opened),
    model: modelClientFor(ground, connection),
    tools: toolRuntimeFor(ground, session, { gate, tools, verifier }),
    verifier,
    policy: { maxIterations: config.limits.maxTurns, ...NO_COMPACTION },
    newId,
    evaluator,
    captureContext: () => captured(session, workspace.cwd(), git),
    persistGrant: async (scope, rule) => {
      const kept = await persistPermissionGrant({ home: options.places.home, projectRoot }, scope, rule);
      if (!kept.ok) logger.warn("a grant was not kept", { reason: kept.error });
    },
  });
  const notices = [...found.notices, ...opened.notices];
  return {
    session,
    store,
    agent,
    config,
    firstSeq,
    notices,
    close: closer(ground, session),
  };
}

/** The user may switch certificate checks off for their own commands, but the key is never shown to a stranger. */
function modelClientFor({ options, logger }: Ground, connection: Connection): ModelClient {
  const unchecked = options.env.NODE_TLS_REJECT_UNAUTHORIZED === "0";
  return createModelClient({
    ...connection,
    version: VERSION,
    clock: systemClock,
    random: Math.random,
    logger,
    ...(unchecked && { fetchOptions: { tls: { rejectUnauthorized: true } } }),
  });
}

/** Compaction has no engine yet, so it is not begun while there is still room; an overflow ends the turn with a message. */
const NO_COMPACTION = { needsCompaction: () => false, prune: () => undefined } as const;

const contextFor = ({ prefix }: Opened) =>
  createContextEngine({ prefix, facts: modelFacts, reservedOutputTokens: DEFAULT_OUTPUT_TOKENS });

/** Its folders are named as they really lie, for that is how it sees the paths that it judges. */
function evaluatorFor({ options, config, projectRoot, workspace }: Ground): PermissionEvaluator {
  const { home, userHome } = options.places;
  return createEvaluator({
    home: resolveRealPath(userHome) ?? userHome,
    stateFolder: resolveRealPath(home) ?? home,
    projectRoot,
    mode: config.permissionMode,
    rules: config.permissions.map((rule) =>
      rule.source === "project" && rule.action !== "allow" ? { ...rule, onlyTightens: true } : rule,
    ),
    resolvePath: resolveRealPath,
    isSpecialFile,
    cwd: workspace.cwd(),
  });
}

function verifierFor({ workspace, newId, projectRoot }: Ground, session: SessionHandle, gate: PermissionGate) {
  const detect = () => detectChecks(workspace, projectRoot);
  return createVerificationGate({
    session,
    workspace,
    gate,
    newId,
    root: projectRoot,
    detectChecks: detect,
    async isCheck(command) {
      const words = lastOfAndChain(command); // of most commands this already says no, without a look at the disk
      return words !== undefined && isCheckCommand(words, await detect());
    },
  });
}

function toolRuntimeFor(
  { options, workspace, logger }: Ground,
  session: SessionHandle,
  parts: Pick<Parameters<typeof createToolRuntime>[0], "gate" | "tools"> & {
    readonly verifier: ReturnType<typeof createVerificationGate>;
  },
): ToolRuntime {
  return createToolRuntime({
    session,
    gate: parts.gate,
    tools: parts.tools,
    clock: systemClock,
    logger,
    cwd: workspace.cwd(),
    spillFolder: storePaths(options.places.home).spill,
    beforeWrite: () => recordBaseline(session, workspace),
    observeCommand: (observed) => parts.verifier.observe(observed),
  });
}

/** Before KHAELOR's first change to a file of this session: what the user's own changes were. */
async function recordBaseline(session: SessionHandle, workspace: LocalWorkspace): Promise<void> {
  if (Object.keys(session.state().files.changes).length > 0) return;
  const git = await gitSnapshot(workspace);
  if (!git) return;
  const payload = { when: "pre-first-edit", baseline: baselineOf(git) } as const;
  session.publish({ type: "git.baseline-recorded", payload });
}

function captured(session: SessionHandle, cwd: string, git: GitSnapshot | undefined) {
  const previous = session.state().turn.capturedContext;
  return [...captureContext({ now: systemClock.now(), cwd, git, previous })];
}

const closer =
  ({ workspace }: Ground, session: SessionHandle) =>
  async (): Promise<void> => {
    await workspace.close();
    await session.close();
  };
