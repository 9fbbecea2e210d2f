/**
 * Whole sessions from a seed: the real agent, kernel, folds, recorder and context engine, driven by chance. The model is the
 * strict server, which judges every request and signs every thought over the request as it stood; users, tools and the
 * process's own death come from the dice. What comes out is a log as the kernel would have written it.
 */
import fc from "fast-check";
import { type Agent, createAgent, fallbackTo, limitPolicy } from "../../src/agent/index.ts";
import { modelFacts } from "../../src/anthropic/index.ts";
import { schemaChange } from "../../src/cli/answer-schema.ts";
import { endBrokenLoop } from "../../src/cli/broken-loop.ts";
import { dropMissingImages } from "../../src/cli/missing-images.ts";
import { createContextEngine, type FrozenPrefix } from "../../src/context/index.ts";
import { isLoopOpen, conversation as realConversation, recoveryEvents } from "../../src/session/index.ts";
import type { Conversation } from "../../src/session/projections/conversation-state.ts";
import type { LogEvent, Payload, Projection } from "../../src/shared/index.ts";
import { scriptedContext } from "./story/context.ts";
import { createDice } from "./story/dice.ts";
import { ATTACHMENTS } from "./story/images.ts";
import { Died, type MemoryLog, openInMemory, readLog } from "./story/memory-session.ts";
import { scriptedModel } from "./story/model.ts";
import { answerProblem, prefixNamed, prefixOf, SCHEMAS, withSchema } from "./story/prefixes.ts";
import { scriptedTools } from "./story/tools.ts";
import { scriptedCapture, scriptedShell } from "./story/users.ts";
import { scriptedVerifier } from "./story/verifier.ts";
import { mentioned, noise, Refused, type Sent, said, steer, type World } from "./story/world.ts";

export interface Story {
  /** The log as read back from its lines. */
  readonly events: readonly LogEvent[];
  readonly sent: readonly Sent[];
  /** What the strict server refused, and what a fold did that no fold may do. */
  readonly wrong: readonly string[];
}

/** A seed, and how many things happen: with the same seed, fewer steps give the beginning of the same story. */
export interface Plot {
  readonly seed: number;
  readonly steps: number;
}

export const anyPlot = (maxSteps = 12): fc.Arbitrary<Plot> =>
  fc.record({ seed: fc.noShrink(fc.nat()), steps: fc.integer({ min: 1, max: maxSteps }) });

const MODELS = ["claude-opus-5-5", "claude-sonnet-5-5"] as const;

/** Tells the story with the conversation as the given fold sees it. */
export async function tellStory(
  { seed, steps }: Plot,
  conversation: Projection<Conversation> = realConversation,
): Promise<Story> {
  const log: MemoryLog = { lines: [], wrong: [], ended: new Set(), conversation, lost: new Set() };
  const world = createWorld(seed, log);
  try {
    await live(world, steps);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    log.wrong.push(error.message);
  }
  return { events: readLog(log.lines), sent: world.sent, wrong: log.wrong };
}

function createWorld(seed: number, log: MemoryLog): World {
  let counted = 0;
  const session = openInMemory(log, "s");
  const { systemSha256, toolsSha256 } = prefixOf(0);
  session.handle.publish({
    type: "session.started",
    payload: {
      title: "story",
      projectHash: "p",
      workingDirectory: "/p",
      gitBranch: null,
      model: MODELS[0],
      auxModel: MODELS[1],
      khaelorVersion: "0",
      thinking: "adaptive",
      systemSha256,
      toolsSha256,
    },
  });
  const parts = {
    dice: createDice(seed),
    log,
    sent: [],
    wishes: { prune: false, compactions: 0 },
    session,
    count: () => ++counted,
  };
  const agentless: World = { ...parts, agent: nobody };
  agentless.agent = agentOf(agentless, prefixOf(0));
  return agentless;
}

/** Until the first agent is made, which needs the world it lives in. */
const nobody: Agent = {
  dispatch: () => undefined,
  resume: () => false,
  settled: async () => undefined,
  isBusy: () => false,
  isCompacting: () => false,
  compact: () => Promise.reject(new Error("nobody compacts here")),
  waiting: () => 0,
  leave: () => undefined,
};

function agentOf(world: World, prefix: FrozenPrefix): Agent {
  const engine = createContextEngine({ prefix, facts: modelFacts, reservedOutputTokens: 1_000 });
  const context = scriptedContext(world, engine);
  return createAgent({
    session: world.session.handle,
    context,
    model: scriptedModel(world),
    tools: scriptedTools(world),
    verifier: scriptedVerifier(world),
    policy: {
      ...limitPolicy({ maxTurns: 7 }),
      prune: context.pruneToolResults,
      needsCompaction: context.needsCompaction,
      fallback: fallbackTo(MODELS[1]),
      ...(prefix.outputSchema && { answerProblem }),
    },
    newId: () => `id${world.count()}`,
    evaluator: {
      evaluate: () => {
        throw new Error("the tools of a story ask for themselves");
      },
      addRule: () => undefined,
      rules: () => [],
      mode: () => "ask",
      setMode: () => undefined,
    },
    gate: { authorize: () => Promise.resolve({ allowed: true, via: "policy-allow" }), leave: () => undefined },
    captureMentions: scriptedCapture(world),
    userShell: scriptedShell(world),
    captureContext: () => captured(world),
    persistGrant: async () => undefined,
  });
}

/** Facts that would be others a moment later: rendered again, they would change bytes that were sent. */
function captured({ dice, count }: World): NonNullable<Payload<"user.message-created">["context"]> {
  const entry = (name: string) => {
    return { name, text: `<${name}>${count()}\r\n${dice.pick(["é", "\ud83d", "\u2028", ""])}</${name}>` };
  };
  if (dice.chance(0.4)) return [];
  return dice.pick([[entry("environment")], [entry("environment"), entry("git")], [{ name: "git", text: " \n" }]]);
}

async function live(world: World, steps: number): Promise<void> {
  world.session.dieAfter(lifetime(world));
  for (let step = 0; step < steps; step++) {
    try {
      await act(world);
      await world.agent.settled();
    } catch (error) {
      if (!(error instanceof Died)) throw error;
      await quiet();
      await comeBack(world, world.dice.chance(0.2) ? "other" : "same");
    }
  }
}

/** In lines: a process may die before any of them, whoever writes it. */
const lifetime = ({ dice }: World): number => (dice.chance(0.4) ? 5 + dice.below(60) : Number.POSITIVE_INFINITY);

async function act(world: World): Promise<void> {
  const { dice, agent, wishes } = world;
  noise(world);
  if (dice.chance(0.4)) Object.assign(wishes, { prune: dice.chance(0.6), compactions: dice.pick([0, 0, 1, 2]) });
  switch (
    dice.weighted({ submit: 12, steer: 2, shell: 2, resume: 3, epoch: 1, schema: 1.5, model: 1, fork: 0.5, compact: 1 })
  ) {
    case "submit":
      if (dice.chance(0.1)) agent.dispatch({ kind: "shell", command: said(world) }); // what follows waits for it
      agent.dispatch({ kind: "submit-message", text: said(world), mentions: mentioned(world) });
      break;
    case "steer":
      steer(world);
      break;
    case "shell":
      agent.dispatch({ kind: "shell", command: said(world) });
      break;
    case "resume":
      await comeBack(world, "same");
      break;
    case "fork":
      await comeBack(world, "fork");
      break;
    case "epoch":
      await comeBack(world, "other");
      break;
    case "schema":
      await comeBack(world, "schema");
      break;
    case "compact":
      agent.compact({}).catch(() => undefined); // what it died of is told by everything else
      break;
    case "model":
      if (mayBreak(world)) changeModel(world);
      break;
  }
}

/** A turn's boundary, with no tool loop that a message of the user's would still belong to. */
function mayBreak({ session }: World): boolean {
  const { conversation, turn } = session.handle.state();
  return turn.pending.length === 0 && !isLoopOpen(conversation);
}

function changeModel({ session, dice }: World): void {
  const { model: from } = session.handle.state().turn;
  const to = dice.pick(MODELS);
  session.handle.publish({ type: "session.model-changed", payload: { from, to, reason: "user" } });
}

type Return = "same" | "other" | "schema" | "fork";

/** The program starts again, on the log that the last one left; it may die on the way, too. */
async function comeBack(world: World, kind: Return): Promise<void> {
  const { dice, log } = world;
  const before = world.session.handle.id;
  world.session = openInMemory(log, kind === "fork" ? `s${world.count()}` : before);
  const { handle } = world.session;
  const { conversation, lastSeq, turn } = handle.state();
  const prefix = prefixAt(world, kind);
  const { systemSha256, toolsSha256 } = prefix;
  world.agent = agentOf(world, prefix);
  handle.publish({
    type: "session.resumed",
    payload: {
      khaelorVersion: "0",
      replayedSeq: lastSeq,
      model: turn.model,
      toolNames: ["read"],
      systemSha256,
      toolsSha256,
      ...schemaChange(prefix, conversation),
      ...(kind === "fork" && { fork: { sessionId: before, seq: lastSeq, kind: "fork" as const } }),
    },
  });
  world.session.dieAfter(dice.chance(0.2) ? dice.below(3) : lifetime(world));
  log.lost.clear();
  for (const { sha256 } of ATTACHMENTS) if (dice.chance(0.05)) log.lost.add(sha256);
  try {
    for (const input of recoveryEvents(handle.state())) handle.publish(input);
    await dropMissingImages(handle);
    endBrokenLoop(handle);
    if (dice.chance(handle.state().turn.pending.length > 0 ? 0.3 : 0.6)) world.agent.resume();
    await world.agent.settled();
  } catch (error) {
    if (!(error instanceof Died)) throw error;
    await comeBack(world, "same");
  }
}

function prefixAt({ session, dice, count }: World, kind: Return): FrozenPrefix {
  const { systemSha256, outputSchemaSha256 } = session.handle.state().conversation;
  const same = prefixNamed(systemSha256, outputSchemaSha256);
  if (kind === "schema") return withSchema(same, dice.some([...SCHEMAS, undefined, undefined]));
  return kind === "other" ? withSchema(prefixOf(count()), same.outputSchema) : same;
}

/** Whatever the dead process had still under way has found that out. */
const quiet = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
