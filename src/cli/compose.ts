/** The only assembler: makes every service, hands each what it needs, and gives back an engine that a front can drive. */
import { type AgentDeps, createAgent, createPermissionGate, createRecordedAsk } from "../agent/index.ts";
import { factsWith, knownModels, type ListedModel, preloadSdk } from "../anthropic/index.ts";
import { type KhaelorConfig, persistPermissionGrant } from "../config/index.ts";
import { captureContext } from "../context/index.ts";
import type { GitSnapshot } from "../repository/index.ts";
import { projectHash, type SessionHandle } from "../session/index.ts";
import { createTools, type ProcessManager, type ToolRegistry } from "../tools/index.ts";
import { createLocalWorkspace, localDay } from "../workspace/index.ts";
import { typedCaps } from "./caps.ts";
import { changeWatchFor } from "./changes.ts";
import { openChosen } from "./chosen-session.ts";
import { configurationFor, userConnection } from "./configuration.ts";
import type { Connection, Engine, EngineOptions, ResultOptions } from "./engine.ts";
import { lookAround } from "./look-around.ts";
import { collectingWhileItWaits } from "./memory.ts";
import { readModelsCache } from "./models-cache.ts";
import { moneyFor } from "./money.ts";
import { newSession, type Opened, resumeSession } from "./opening.ts";
import { MACHINE } from "./outside.ts";
import { createPermissionControl, modeOnResume, type PermissionControl } from "./permission-control.ts";
import { policyFor, type RunPolicy, refuseUnknownPrices } from "./policy.ts";
import { processesIn, recordProcesses } from "./processes.ts";
import { withRecovery } from "./recovery-words.ts";
import { searchScopeFor } from "./searching.ts";
import {
  contextFor,
  evaluatorFor,
  type Ground,
  intakeFor,
  modelClientFor,
  roomPolicy,
  toolRuntimeFor,
  verifierFor,
} from "./services.ts";
import { sessionFolder } from "./session-folder.ts";
import type { Environment } from "./settings.ts";
import { openStore } from "./state.ts";
import { chosenTools, offered } from "./tool-choice.ts";
import { VERSION } from "./version.ts";

/** Throws UserError or StoreError when there is nothing to run; then nothing is left open. */
export async function composeEngine(options: EngineOptions): Promise<Engine> {
  const { places, env, outside = MACHINE } = options;
  const state = openStore(places, options.log, outside);
  const here = await lookAround(places.cwd, env);
  const chosen = await openChosen(state.store, options, projectHash(here.projectRoot));
  const handle = chosen?.handle;
  const inUse: InUse = { lockFd: handle?.lockFd, session: handle };
  let place = here;
  try {
    const { cwd, notices: moved } = sessionFolder(handle, places);
    if (handle) place = await lookAround(cwd, env);
    const git = place.snapshot();
    const { projectRoot } = place;
    const { config: configured, notices, typed, origins } = await configurationFor(options, projectRoot);
    const chosenMode = handle?.state().grants.mode;
    const permissionMode = modeOnResume(typed.permissionMode, chosenMode, configured.permissionMode);
    const config = { ...configured, permissionMode };
    refuseUnknownPrices(config, typed.model ?? handle?.state().turn.model ?? config.model, {
      chosen: { ...handle?.state().grants.budget, ...typedCaps(config.limits, origins) },
      price: state.price,
    });
    const connection = options.connection ?? (await userConnection(options, config));
    const secrets = secretsOf(connection, env);
    for (const secret of secrets) state.hide(secret);
    const heldWhileCommandsRun = () => inUse.lockFd;
    const local = createLocalWorkspace({ cwd, env, passEnv: config.passEnv, secrets, heldWhileCommandsRun });
    const workspace = outside.workspace(local);
    const cached = readModelsCache(places.home, connection.baseURL)?.models ?? [];
    const facts = factsWith(cached);
    const ground = {
      options,
      ...state,
      clock: outside.clock,
      projectRoot,
      config,
      typed,
      origins,
      workspace,
      facts,
      knownModels: idsOf(cached),
    };
    const found = { handle, git, inUse, notices: [...(chosen?.notices ?? []), ...moved, ...notices] };
    return await assemble(ground, connection, found).catch(async (error: unknown) => {
      await workspace.close();
      throw error;
    });
  } catch (error) {
    await place.settled();
    await inUse.session?.close().catch(() => undefined); // what ended it says more
    throw withRecovery(error, handle);
  }
}

/** All that opens an account, also what is not in use: a command can find it where this program found it. */
function secretsOf({ auth, baseURL = "" }: Connection, env: Environment): readonly string[] {
  const url = URL.canParse(baseURL) ? new URL(baseURL) : undefined;
  return [auth.value, url?.password, env.ANTHROPIC_API_KEY, env.ANTHROPIC_AUTH_TOKEN].filter(
    (secret) => secret !== undefined,
  );
}

/** What the model was told of, however the session began. */
const toolsOf = (all: ToolRegistry, { prefix }: Opened): ToolRegistry =>
  offered(
    all,
    prefix.tools.map(({ name }) => name),
  );

const idsOf = (listed: readonly ListedModel[]): readonly string[] => [
  ...new Set([...listed.map(({ id }) => id), ...knownModels]),
];

interface InUse {
  /** Stays in use while a command of the session runs, also when this program is killed. */
  lockFd: number | undefined;
  /** Is closed when nothing comes of it. */
  session: SessionHandle | undefined;
}

interface Found {
  readonly handle: SessionHandle | undefined;
  readonly inUse: InUse;
  readonly git: Promise<GitSnapshot | undefined>;
  readonly notices: readonly string[];
}

async function assemble(ground: Ground, connection: Connection, found: Found): Promise<Engine> {
  const { options, store, logger, newId, clock, config, workspace, projectRoot } = ground;
  const processes = processesIn(workspace, clock.now);
  const evaluator = evaluatorFor(ground);
  const search = searchScopeFor(ground, evaluator);
  const all = createTools({ workspace, processes, search, home: options.places.userHome });
  const tools = chosenTools(all, options.tools);
  preloadSdk();
  const { places, prompt = {}, outputSchema } = options;
  const hasChosenTools = options.tools !== undefined;
  const opening = { ...ground, tools, hasChosenTools, places, prompt, outputSchema };
  const firstSeq = (found.handle?.state().lastSeq ?? 0) + 1;
  const opened = await beginOrResume(opening, found);
  const git = await found.git;
  const { session } = opened;
  recordProcesses(processes, session, logger);
  noteBeginning(ground, session);
  if (options.name !== undefined) session.publish({ type: "session.renamed", payload: { title: options.name } });
  const gate = createPermissionGate({ session, evaluator, somebodyToAsk: options.somebodyToAsk, newId });
  const watch = changeWatchFor(opening, session);
  const verifier = verifierFor(ground, session, { gate, watch });
  const money = await moneyFor(ground, session);
  const policy = policyFor({ ...config, limits: limitsOf(ground) }, opened, { ...money, clock });
  const permissions = createPermissionControl({ session, evaluator, config, newId });
  const model = collectingWhileItWaits(modelClientFor(ground, connection));
  const context = contextFor(opened, ground, createRecordedAsk({ session, model, newId, policy }));
  const agent = createAgent({
    session,
    context,
    model,
    tools: money.watched(toolRuntimeFor(ground, session, { gate, tools: toolsOf(all, opened), verifier, watch })),
    beforeTurn: money.beforeTurn,
    verifier,
    policy: { ...policy, ...roomPolicy(context, ground) },
    ...(policy.deadline && { deadline: policy.deadline }),
    newId,
    evaluator,
    gate,
    ...intakeFor(ground, session, { gate, evaluator }),
    captureContext: () => (prompt.withoutContext ? [] : captured(ground, session, git)),
    persistGrant: grantKeeper(ground, permissions),
  });
  return {
    session,
    store,
    agent,
    context,
    config,
    workspace,
    projectRoot,
    search,
    permissions,
    budget: money.control({ agent, policy }),
    models: { known: ground.knownModels, facts: ground.facts, price: ground.price },
    firstSeq,
    notices: [...found.notices, ...opened.notices],
    resultOptions: resultOptionsOf(ground),
    ...(policy.deadline && { deadline: policy.deadline }),
    stopProcesses: processes.stopAll,
    stopProcess: processes.stop,
    close: closer(ground, session, { policy, processes }),
  };
}

type Beginning = Parameters<typeof newSession>[0] & Pick<Ground, "options">;

async function beginOrResume(opening: Beginning, { handle, git, inUse }: Found): Promise<Opened> {
  if (handle) return resumeSession(opening, handle);
  const { title, sessionId: id } = opening.options;
  const opened = await newSession(opening, { title, id }, git);
  Object.assign(inUse, { lockFd: opened.session.lockFd, session: opened.session });
  return opened;
}

function limitsOf({ options, config }: Ground): KhaelorConfig["limits"] {
  const { maxSeconds: _ofARun, ...endless } = config.limits;
  return options.hasNoDeadline ? endless : config.limits;
}

const resultOptionsOf = ({ options, knownModels: known }: Ground): ResultOptions => ({
  requireVerified: options.requireVerified ?? false,
  knownModels: known,
  isThrownAway: options.places.sessionHome !== undefined,
});

const grantKeeper =
  ({ options, projectRoot }: Ground, permissions: PermissionControl): AgentDeps["persistGrant"] =>
  async (scope, rule) => {
    permissions.noteGrant(rule);
    const kept = await persistPermissionGrant({ home: options.places.home, projectRoot }, scope, rule);
    if (!kept.ok) options.onTrouble?.(`what you allowed for always holds for this session only: ${kept.error}`);
  };

/** What a report about a fault begins with. */
function noteBeginning({ logger, projectRoot, config }: Ground, session: SessionHandle): void {
  const { model, effort } = session.state().turn;
  const { permissionMode } = config;
  logger.debug("run begins", { version: VERSION, sessionId: session.id, projectRoot, model, effort, permissionMode });
}

function captured({ workspace, clock }: Ground, session: SessionHandle, git: GitSnapshot | undefined) {
  const { turn, processes } = session.state();
  const now = clock.now();
  const cwd = workspace.cwd();
  return [...captureContext({ now, today: localDay(now), cwd, git, processes, previous: turn.capturedContext })];
}

const closer =
  (
    { workspace }: Ground,
    session: SessionHandle,
    { policy, processes }: { readonly policy: RunPolicy; readonly processes: ProcessManager },
  ) =>
  async (): Promise<void> => {
    policy.deadline?.stop();
    // Whatever of it fails: no child stays, and the lock is given back.
    try {
      await processes.stopAll(); // while there is still a log for their ends
    } finally {
      try {
        await workspace.close();
      } finally {
        await session.close();
      }
    }
  };
