/** One request of the conversation, built by the real engine, sent by the real client, judged by the strict server, and recorded. */
import { beforeStream, recordFailure, recordStream } from "../../src/agent/record-stream.ts";
import { createRecordedAsk } from "../../src/agent/recorded-ask.ts";
import { uniqueToolUseId } from "../../src/agent/tool-use-ids.ts";
import { ModelError, type ModelRequest } from "../../src/anthropic/index.ts";
import { type Ask, type ContextEngine, createContextEngine, type FrozenPrefix } from "../../src/context/index.ts";
import type { SessionHandle, SessionState } from "../../src/session/index.ts";
import { type Api, AUX_MODEL, RESERVED_OUTPUT_TOKENS } from "./ground.ts";
import { endTurn } from "./writing.ts";

export interface Exchange {
  readonly session: SessionHandle;
  readonly context: ContextEngine;
  /** Says this as the user: a new turn. */
  say(text: string): void;
  /** The next request; undefined when it was answered, else why it was not. */
  request(): Promise<string | undefined>;
  /** Sends a request that belongs to no log. */
  probe(request: ModelRequest): Promise<string | undefined>;
}

let counted = 0;
const newRequestId = (): string => `asked-${++counted}`;

export interface EngineParts {
  readonly prefix: FrozenPrefix;
  readonly api: Pick<Api, "facts">;
  readonly ask?: Ask;
  /** In place of the model's own. */
  readonly contextWindow?: number;
  readonly config?: Parameters<typeof createContextEngine>[0]["config"];
}

export function engineFor({ prefix, api, ask, contextWindow, config }: EngineParts): ContextEngine {
  return createContextEngine({
    prefix,
    facts: (model) => ({ ...api.facts(model), ...(contextWindow !== undefined && { contextWindow }) }),
    reservedOutputTokens: RESERVED_OUTPUT_TOKENS,
    ...(ask && { summaries: { ask, auxModel: AUX_MODEL, route: "aux" } }),
    ...(config && { config }),
  });
}

export const NEVER = new AbortController().signal;

export const askOf = (session: SessionHandle, api: Api): Ask =>
  createRecordedAsk({ session, model: api.client, newId: newRequestId, policy: {} });

export function openExchange(session: SessionHandle, prefix: FrozenPrefix, api: Api): Exchange {
  const context = engineFor({ prefix, api, ask: askOf(session, api) });
  return {
    session,
    context,
    say(text) {
      endTurn(session);
      session.publish({ type: "user.message-created", payload: { text, mentions: [] } });
    },
    async request() {
      const problem = await send({ session, context, api });
      if (problem === undefined) endTurn(session);
      return problem;
    },
    async probe(request) {
      try {
        for await (const event of api.client.stream(request, NEVER)) void event;
        return undefined;
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        return error.message;
      }
    },
  };
}

interface Sending {
  readonly session: SessionHandle;
  readonly context: ContextEngine;
  readonly api: Api;
}

async function send({ session, context, api }: Sending): Promise<string | undefined> {
  const before = session.state();
  const { request, record } = context.selectContext(before);
  const stream = {
    newRequestId,
    started: { model: request.model, purpose: "main" as const, ...record },
    uniqueToolUseId: uniqueToolUseId(before.conversation),
  };
  let recording = beforeStream;
  try {
    for await (const event of api.client.stream(request, NEVER)) {
      const [after, durable] = recordStream(recording, event, stream);
      recording = after;
      for (const input of durable) session.publish(input);
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    for (const input of recordFailure(recording, error.failure, false, stream)) session.publish(input);
    return error.message;
  }
}

/** The tokens of the last response: what the next request will at least hold. */
export function usedTokens({ usage }: SessionState): number {
  const { inputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0, outputTokens = 0 } = usage.last ?? {};
  return inputTokens + cacheReadTokens + cacheWriteTokens + outputTokens;
}
