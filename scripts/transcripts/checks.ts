/**
 * What has to hold for the log of a whole conversation: it folds as it was written, its next request is taken, it can be cut
 * anywhere, pruned and compacted by every route, and every request in it can be built again.
 */
import { checkRequests } from "../../src/cli/request-check.ts";
import type { CompactionRoute, FrozenPrefix } from "../../src/context/index.ts";
import {
  conversation as conversationFold,
  recoveryEvents,
  type SessionHandle,
  type SessionState,
} from "../../src/session/index.ts";
import { errorMessage, fold, type LogEvent, type Payload } from "../../src/shared/index.ts";
import { tryCuts } from "./cuts.ts";
import { type Exchange, engineFor, NEVER, openExchange, usedTokens } from "./exchange.ts";
import { type Api, type Ground, MODEL } from "./ground.ts";
import { pairingProblem } from "./pairing-rule.ts";

export interface Checked {
  readonly events: number;
  readonly bytes: number;
  readonly messages: number;
  readonly safeCuts: number;
  readonly foldMs: number;
  /** Results that were blanked; undefined when there was nothing old enough. */
  readonly pruned?: number;
  /** Routes by which a checkpoint was made; empty when there was too little to sum up. */
  readonly compacted: readonly string[];
  readonly problems: readonly string[];
}

interface Checking {
  readonly ground: Ground;
  readonly api: Api;
  readonly prefix: FrozenPrefix;
  readonly exchange: Exchange;
  readonly problems: string[];
}

export async function checkLog(
  live: SessionHandle,
  { ground, api, prefix }: Pick<Checking, "ground" | "api" | "prefix">,
): Promise<Checked> {
  const { id } = live;
  const written = live.state();
  await live.close();
  const beganAt = performance.now();
  const session = await ground.store.open(id);
  const foldMs = performance.now() - beganAt;
  const exchange = openExchange(session, prefix, api);
  const checking: Checking = { ground, api, prefix, exchange, problems: [] };
  const bytes = Bun.file(session.path).size;
  try {
    await compareReplay(checking, written);
    recover({ session, prefix });
    const { lastSeq: events, conversation } = session.state();
    const cuts = await tryCuts(exchange, prefix, api);
    checking.problems.push(...cuts.problems);
    exchange.say("Go on.");
    await mustBeTaken(checking, "the next request");
    const compacted = await compactInForks(checking);
    const pruned = await prune(checking);
    await compact(checking, "aux");
    await rebuild(checking);
    const { length: messages } = conversation.messages;
    const counted = { events, bytes, messages, safeCuts: cuts.cuts, foldMs, compacted };
    return { ...counted, ...(pruned !== undefined && { pruned }), problems: checking.problems };
  } finally {
    await session.close();
  }
}

/** The state of the writing session, of the reopened one, and of a fold over the events that the store reads: all the same. */
async function compareReplay({ ground, exchange, problems }: Checking, written: SessionState): Promise<void> {
  const replayed = exchange.session.state();
  if (!Bun.deepEquals(withoutMemory(written), withoutMemory(replayed))) {
    problems.push("the replayed state differs from the live one");
  }
  const events: LogEvent[] = [];
  for await (const event of ground.store.read(exchange.session.id)) events.push(event);
  const { messages } = fold(conversationFold, events);
  if (!Bun.deepEquals([...messages], [...written.conversation.messages])) problems.push("a second fold differs");
  const problem = written.conversation.awaiting.length > 0 ? undefined : pairingProblem(messages);
  if (problem !== undefined) problems.push(`the conversation as written: ${problem}`);
}

const withoutMemory = (state: SessionState): unknown => JSON.parse(JSON.stringify(state, plain));

const plain = (_key: string, value: unknown): unknown =>
  value instanceof Map || value instanceof Set ? [...value] : value;

function recover(
  { session, prefix }: { readonly session: SessionHandle; readonly prefix: FrozenPrefix },
  forked?: Payload<"session.resumed">["fork"],
): void {
  const { systemSha256, toolsSha256, tools } = prefix;
  const payload = {
    khaelorVersion: "0.0.0",
    replayedSeq: session.state().lastSeq,
    model: MODEL,
    toolNames: tools.map(({ name }) => name),
    systemSha256,
    toolsSha256,
    ...(forked && { fork: forked }),
  };
  session.publish({ type: "session.resumed", payload });
  for (const input of recoveryEvents(session.state())) session.publish(input);
}

async function mustBeTaken({ exchange, problems }: Checking, what: string): Promise<void> {
  const refused = await exchange.request();
  if (refused !== undefined) problems.push(`${what} was refused: ${refused}`);
  const problem = pairingProblem(exchange.session.state().conversation.messages);
  if (problem !== undefined) problems.push(`${what}: ${problem}`);
}

/** At a turn's start, under a window that is just too small, with a fourth of the results protected. */
async function prune(checking: Checking): Promise<number | undefined> {
  const { exchange, prefix, api } = checking;
  const contextWindow = usedTokens(exchange.session.state());
  exchange.say("Look again.");
  const config = {
    protectedToolTokens: resultTokens(exchange.session.state()) / 4,
    minResultTokens: 50,
    minReclaimTokens: 1,
  };
  const decision = engineFor({ prefix, api, contextWindow, config }).pruneToolResults(exchange.session.state());
  if (decision) exchange.session.publish({ type: "context.pruned", payload: decision });
  await mustBeTaken(checking, "the request behind a prune");
  return decision?.toolUseIds.length;
}

const resultTokens = ({ conversation }: SessionState): number =>
  conversation.messages.reduce((sum, { content }) => {
    const texts = content.flatMap((block) => (block.type === "tool_result" ? [block.content] : []));
    return sum + texts.join("").length / 4;
  }, 0);

const ROUTES: readonly CompactionRoute[] = ["server", "main", "aux"];

/** Each route over the same conversation, in a fork of its own. Says who summed it up in the end, for one may give way to another. */
async function compactInForks(checking: Checking): Promise<readonly string[]> {
  const { ground, api, prefix, exchange, problems } = checking;
  const used: string[] = [];
  for (const route of ROUTES) {
    const { session, seq } = await ground.store.fork(exchange.session.id);
    try {
      recover({ session, prefix }, { sessionId: exchange.session.id, seq, kind: "fork" });
      const fork = { ...checking, exchange: openExchange(session, prefix, api) };
      const by = await compact(fork, route);
      if (by !== undefined) used.push(by === route ? route : `${by} for ${route}`);
      await rebuild(fork);
    } catch (error) {
      problems.push(`a fork that was to be compacted by ${route}: ${errorMessage(error)}`);
    } finally {
      await session.close();
    }
  }
  return used;
}

/** Who summed it up, or undefined when there was too little to sum up. */
async function compact(checking: Checking, route: CompactionRoute): Promise<string | undefined> {
  const { exchange, problems } = checking;
  const { session, context } = exchange;
  exchange.say("Where were we?");
  const tokens = (): number => context.selectContext(session.state()).record.contextStats.estimatedInputTokens;
  const before = tokens();
  const wish = { trigger: "user-command", focus: "the names of files", route } as const;
  const made = await context.compress(session.state(), wish, NEVER);
  if (made.ok) session.publish({ type: "context.compacted", payload: made.value });
  else if (made.error.reason !== "irreducible") problems.push(`no checkpoint by ${route}: ${made.error.message}`);
  if (made.ok && tokens() >= before) problems.push(`the compaction by ${route} did not shrink the request`);
  await mustBeTaken(checking, `the request behind a compaction by ${route}`);
  return made.ok ? (made.value.route ?? "unnamed") : undefined;
}

async function rebuild({ ground, exchange, problems }: Checking): Promise<void> {
  const { mismatches, missingImages } = await checkRequests(ground.store, exchange.session.id);
  if (mismatches.length > 0) problems.push(`requests that are built otherwise from the log: ${mismatches}`);
  if (missingImages.length > 0) problems.push(`images that are gone: ${missingImages}`);
}
