/**
 * A byte that was sent is sent again, unchanged, for ever. Whole sessions are driven by chance through the real kernel; then
 * the conversation is rebuilt from the log and held against what went out. The property takes the fold, and drives a session
 * of its own with it, so that a broken fold shows what it would do to a session and not only that it differs.
 */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { requestBinding, requestHashes } from "../../src/context/index.ts";
import { conversation as realConversation, turnState } from "../../src/session/index.ts";
import type { Conversation } from "../../src/session/projections/conversation-state.ts";
import { type DurableEvent, fold, isThinking, type Message, type Projection } from "../../src/shared/index.ts";
import { CONVERSATION_MUTANTS } from "../support/conversation-mutants.ts";
import { expectedMessages, isBreak, turnBegin } from "../support/expected-conversation.ts";
import { anyPlot, type Plot, type Story, tellStory } from "../support/session-events.ts";

type Fold = Projection<Conversation>;

/** What is wrong with a session that this fold has led, or with its log. */
async function violations(plot: Plot, conversation: Fold = realConversation): Promise<readonly string[]> {
  const story = await tellStory(plot, conversation);
  const rebuilt = rebuild(story, conversation);
  return [
    ...story.wrong,
    ...rebuilt.wrong,
    ...sentAgain(story, rebuilt.requests),
    ...saidAsRecorded(story),
    ...onlyGrows(story),
  ];
}

interface Rebuilt {
  readonly requests: ReadonlyMap<number, readonly Message[]>;
  readonly wrong: readonly string[];
}

/** From the lines alone: each request as it must have been, and its hashes as they must stand in the log. */
function rebuild({ events }: Story, conversation: Fold): Rebuilt {
  let state = conversation.initial();
  let turn = turnState.initial();
  const requests = new Map<number, readonly Message[]>();
  const wrong: string[] = [];
  for (const event of events) {
    if (isMainRequest(event)) {
      requests.set(event.seq, [...state.messages]);
      const { systemSha256 = "", toolsSha256 = "", outputSchemaSha256 } = state;
      const schema = outputSchemaSha256 === undefined ? {} : { outputSchemaSha256 };
      const binding = requestBinding(turn, { systemSha256, toolsSha256, ...schema });
      const { requestSha256, prefixSha256 } = requestHashes(binding, state.messages, state.sentBlocks);
      if (requestSha256 !== event.payload.requestSha256) wrong.push(`seq ${event.seq}: the request's hash differs`);
      if (prefixSha256 !== event.payload.prefixSha256) wrong.push(`seq ${event.seq}: the prefix's hash differs`);
    }
    state = conversation.apply(state, event);
    turn = turnState.apply(turn, event);
  }
  if (!Bun.deepEquals(fold(conversation, events), state)) wrong.push("a fold in one go ends elsewhere");
  return { requests, wrong };
}

const isMainRequest = (event: Story["events"][number]): event is DurableEvent<"model.request-started"> =>
  !("opaque" in event) && event.type === "model.request-started" && event.payload.purpose !== "compaction";

function sentAgain({ sent }: Story, rebuilt: Rebuilt["requests"]): readonly string[] {
  const same = sent.filter(({ seq, request }) => JSON.stringify(rebuilt.get(seq)) === JSON.stringify(request.messages));
  const missing =
    rebuilt.size === sent.length ? [] : [`${rebuilt.size} requests are in the log, ${sent.length} were sent`];
  return [...missing, ...sent.filter((one) => !same.includes(one)).map(({ seq }) => `seq ${seq}: the rebuild differs`)];
}

/** Every request says exactly what the log says, no more and no less, in the log's own bytes. */
function saidAsRecorded({ events, sent }: Story): readonly string[] {
  return sent.flatMap(({ seq, request }) => {
    const said = flat(request.messages);
    const expected = expectedMessages(events, seq);
    const due = expected.flatMap(({ role, blocks }) => blocks.map((block) => `${role} ${block}`));
    const at = commonLength(said, due);
    const isSame = at === said.length && at === due.length && request.messages.length === expected.length;
    return isSame ? [] : [`seq ${seq}, block ${at}: sent is ${said[at]}, due is ${due[at]}`];
  });
}

/**
 * Between breaks each request begins with all of the one before it, and the hashes say so. A refusal alone takes something
 * back: what was said since its turn began, if no tool has run since. Nothing signed may stand behind the place.
 */
function onlyGrows({ events, sent }: Story): readonly string[] {
  return sent.flatMap((next, at) => {
    const before = sent[at - 1];
    if (!before) return [];
    const between = events.filter(({ seq }) => seq > before.seq && seq < next.seq);
    if (between.some((event) => isBreak(event, events))) return [];
    const [old, now] = [flat(before.request.messages), flat(next.request.messages)];
    const kept = commonLength(old, now);
    if (between.some(isRefusal)) return refusedGrows({ events, sent }, before.seq, { kept, rest: now.slice(kept) });
    const hashes = [before, next].map(({ seq }) => events.find((event) => event.seq === seq)?.payload as Hashes);
    const chained = hashes[0]?.requestSha256 === hashes[1]?.prefixSha256;
    const grows = kept === old.length;
    return [
      ...(grows ? [] : [`seq ${next.seq}: block ${kept} of ${old.length} that were sent is changed or gone`]),
      ...(grows && !chained ? [`seq ${next.seq}: its prefix hash is not the hash of the request before it`] : []),
    ];
  });
}
type Hashes = { readonly requestSha256: string; readonly prefixSha256: string };

const isRefusal = (event: Story["events"][number]): boolean =>
  !("opaque" in event) && event.type === "model.response-completed" && event.payload.stopReason === "refusal";

type Told = Pick<Story, "events" | "sent">;

function refusedGrows(
  { events, sent }: Told,
  refused: number,
  { kept, rest }: { readonly kept: number; readonly rest: readonly string[] },
): readonly string[] {
  const earlier = lastToStand({ events, sent }, refused);
  const isDue =
    earlier && !events.some((event) => event.seq > earlier.seq && event.seq < refused && isBreak(event, events));
  const isLost = isDue && kept < flat(earlier.request.messages).length;
  const isBound = rest.some((block) => isThinking(JSON.parse(block.slice(block.indexOf("{")))));
  return [
    ...(isLost ? [`seq ${refused}: a refusal took more than its turn`] : []),
    ...(isBound ? [`seq ${refused}: something signed stands behind what a refusal took back`] : []),
  ];
}

/** The last request before the refused turn, and before those that were refused right before it. */
function lastToStand({ events, sent }: Told, refused: number): Story["sent"][number] | undefined {
  for (let limit = turnBegin(events, refused); ; ) {
    const earlier = sent.findLast(({ seq }) => seq < limit);
    const other = events.findLast((event) => event.seq > (earlier?.seq ?? 0) && event.seq < limit && isRefusal(event));
    if (!other) return earlier;
    limit = turnBegin(events, other.seq);
  }
}

const flat = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap(({ role, content }) => content.map((block) => `${role} ${JSON.stringify(block)}`));

function commonLength(a: readonly string[], b: readonly string[]): number {
  const differs = a.findIndex((block, at) => block !== b[at]);
  return differs === -1 ? a.length : differs;
}

test("whatever happens in a session, every byte that was sent is sent again, as the log says it", async () => {
  const property = fc.asyncProperty(anyPlot(), async (plot) => expect(await violations(plot)).toEqual([]));
  await fc.assert(property, { seed: 11, numRuns: 200 });
}, 60_000);

describe("the property catches a fold that", () => {
  test.each(Object.entries(CONVERSATION_MUTANTS))(
    "%s",
    async (_name, mutant) => {
      const property = fc.asyncProperty(anyPlot(), async (plot) => (await violations(plot, mutant)).length === 0);
      const { failed } = await fc.check(property, { seed: 5, numRuns: 150, endOnFailure: true });
      expect(failed).toBe(true);
    },
    60_000,
  );
});
