/** A model that answers at random through the strict server, and everything that can happen to a stream on its way. */
import {
  type CompletedBlock,
  type ModelClient,
  ModelError,
  type ModelEvent,
  type ModelFailure,
  type ModelRequest,
} from "../../../src/anthropic/index.ts";
import type { ScriptedBlock } from "../../../src/simulator/types.ts";
import { type Accepted, answerTo, judgeRequest } from "./strict-api.ts";
import { interrupt, noise, Refused, type World } from "./world.ts";

export const scriptedModel = (world: World): ModelClient => ({
  stream: (request, signal) => stream(world, request, signal),
});

async function* stream(world: World, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  for (let attempt = 1; ; attempt++) {
    yield { type: "started", attempt };
    const accepted = send(world, request);
    const answer = compose(world, accepted);
    const fate = fateOf(world, attempt, answer.blocks.length * 2);
    yield* speak(world, answer.blocks, fate.kind === "finish" ? Number.POSITIVE_INFINITY : fate.after);
    switch (fate.kind) {
      case "finish":
        yield finished(answer.stopReason, world);
        return;
      case "interrupt":
        yield* interrupted(world, answer, fate.after);
        return;
      case "fail":
        throw new ModelError({ ...fate.failure, attempts: attempt });
      case "retry":
        yield { type: "attempt-failed", failure: fate.failure, retryAfterMs: 1 };
        noise(world);
        if (world.dice.chance(0.1)) interrupt(world);
        if (signal.aborted) throw cancelled();
    }
  }
}

/** The server's judgement of the request whose `model.request-started` was just recorded. */
function send(world: World, request: ModelRequest): Accepted {
  const { lastSeq } = world.session.handle.state();
  world.sent.push({ seq: lastSeq, request });
  const verdict = judgeRequest(request);
  if (typeof verdict === "string") throw new Refused(`the request at seq ${lastSeq} is refused by ${verdict}`);
  return verdict;
}

type Fate =
  | { readonly kind: "finish" }
  | { readonly kind: "interrupt"; readonly after: number }
  | { readonly kind: "fail" | "retry"; readonly after: number; readonly failure: ModelFailure };

/** `after` counts in pieces of the stream: a block has two. */
function fateOf({ dice, wishes }: World, attempt: number, pieces: number): Fate {
  const after = dice.below(pieces + 1);
  switch (dice.weighted({ finish: 30, interrupt: 4, retry: attempt < 4 ? 2 : 0, fail: 1 })) {
    case "finish":
      return { kind: "finish" };
    case "interrupt":
      return { kind: "interrupt", after };
    case "retry":
      return { kind: "retry", after, failure: failure("retryable") };
    case "fail":
      if (dice.chance(0.1)) wishes.prune = true;
      return {
        kind: "fail",
        after,
        failure: {
          ...failure(dice.pick(["retryable", "context-overflow", "invalid-request", "auth"])),
          ...(dice.chance(0.5) && { status: 529 }),
        },
      };
  }
}

const failure = (kind: ModelFailure["kind"]): ModelFailure => ({ kind, message: `failed: ${kind}`, attempts: 1 });
const cancelled = (): ModelError => new ModelError(failure("cancelled"));

/** The first `pieces` pieces of an answer: the beginning of a block, then its end. */
function* speak(world: World, blocks: readonly CompletedBlock[], pieces: number): Generator<ModelEvent> {
  for (const [blockIndex, block] of blocks.entries()) {
    if (blockIndex * 2 >= pieces) return;
    noise(world);
    yield* beginning(block, blockIndex);
    if (blockIndex * 2 + 1 >= pieces) return;
    yield { type: "block-completed", blockIndex, block };
  }
}

function* beginning(block: CompletedBlock, blockIndex: number): Generator<ModelEvent> {
  const half = (text: string) => text.slice(0, Math.ceil(text.length / 2));
  if (block.type === "text") yield { type: "text-delta", blockIndex, text: half(block.text) };
  if (block.type === "thinking") yield { type: "thinking-delta", blockIndex, text: half(block.thinking) };
  if (block.type === "tool_use")
    yield { type: "tool-call-started", blockIndex, toolUseId: block.id, toolName: block.name };
}

/** The user stops it. What the network had already handed over may still come, and with it even the end. */
function* interrupted(world: World, { blocks, stopReason }: Answer, after: number): Generator<ModelEvent> {
  interrupt(world);
  switch (world.dice.weighted({ stop: 6, block: 2, end: 2, failed: 1 })) {
    case "stop":
      throw cancelled();
    case "block": {
      const at = Math.floor(after / 2);
      const block = blocks[at];
      if (block) yield { type: "block-completed", blockIndex: at, block };
      throw cancelled();
    }
    case "failed":
      yield { type: "attempt-failed", failure: failure("retryable"), retryAfterMs: 1 };
      throw cancelled();
    case "end":
      for (const [blockIndex, block] of blocks.entries())
        if (blockIndex * 2 + 1 >= after) yield { type: "block-completed", blockIndex, block };
      yield finished(stopReason, world);
  }
}

const finished = (stopReason: string, { count }: World): ModelEvent => ({
  type: "finished",
  stopReason,
  usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 },
  messageId: `msg_${count()}`,
  durationMs: 1,
});

interface Answer {
  readonly blocks: readonly CompletedBlock[];
  readonly stopReason: string;
}

function compose(world: World, accepted: Accepted): Answer {
  const { dice } = world;
  const content = contentOf(world, accepted);
  const calls = content.some(({ type }) => type === "tool_use");
  const natural = calls ? "tool_use" : "end_turn";
  const stopReason = dice.weighted({
    [natural]: 40,
    max_tokens: 3,
    refusal: 2,
    pause_turn: 1,
    stop_sequence: 1,
    end_turn: 1,
    model_context_window_exceeded: 1,
    later_reason: 0.5,
  } as Record<string, number>);
  return { blocks: answerTo(accepted, content, world.count()), stopReason };
}

/** Thinking between the calls and before them, text that says something and text that does not, and sometimes nothing. */
function contentOf(world: World, accepted: Accepted): readonly ScriptedBlock[] {
  const { dice } = world;
  const thought = (): ScriptedBlock[] =>
    dice.chance(0.5)
      ? [
          dice.chance(0.2)
            ? { type: "redacted_thinking" }
            : { type: "thinking", thinking: dice.pick(["", `hm ${world.count()}`]) },
        ]
      : [];
  const text = (): ScriptedBlock[] =>
    dice.chance(0.5)
      ? [{ type: "text", text: dice.pick(["", "\n\n", `words ${world.count()}`, `é\r\n${world.count()} `]) }]
      : [];
  const calls = dice.pick([0, 0, 1, 1, 2, 3]);
  if (calls === 0 && dice.chance(0.08)) return [];
  const rounds = Array.from({ length: calls }, () => [...thought(), call(world, accepted)]);
  const last: ScriptedBlock[] =
    dice.chance(0.8) && calls === 0 ? [{ type: "text", text: `answer ${world.count()}` }] : text();
  return [...thought(), ...text(), ...rounds.flat(), ...last];
}

function call({ dice, count }: World, accepted: Accepted): ScriptedBlock {
  const input = dice.pick<Readonly<Record<string, unknown>>>([
    { z: count(), a: { "10": 1, "9": [null, 0.5] }, b: "é\u2028" },
    { b: 1, a: count() },
    { file_path: "same" },
    { INVALID_JSON: '{"a' },
    {},
  ]);
  // A gateway that gives an id a second time.
  const used = accepted.request.turns.flatMap(({ blocks }) =>
    blocks.flatMap(({ block }) => (block.type === "tool_use" ? [String(block.id)] : [])),
  );
  const id = dice.chance(0.06) ? (dice.some(used) ?? "twice") : undefined;
  return {
    type: "tool_use",
    name: dice.pick(["read", "read", "read", "no such tool!"]),
    input,
    ...(id !== undefined && { id }),
  };
}
