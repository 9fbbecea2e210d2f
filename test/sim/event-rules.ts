/** What one event may not say, given what the log said before it. The folds forgive all of this; whoever writes may not do it. */
import type { SessionState } from "../../src/session/index.ts";
import type { DurableEvent, LogEvent } from "../../src/shared/index.ts";

type Result = DurableEvent<"tool.completed" | "tool.failed" | "tool.cancelled">;

export interface RuleContext {
  readonly before: SessionState;
  /** Whether stored parts of the prefix were lost: only then may it be made anew. */
  readonly mayRenew: boolean;
}

/** Of one log. */
export class EventRules {
  readonly #started = new Set<string>();
  readonly #ended = new Set<string>();
  readonly #stopped = new Set<string>();

  /** What is wrong with the event, or undefined. */
  problem(event: LogEvent, context: RuleContext): string | undefined {
    if ("opaque" in event) return undefined;
    const { before } = context;
    switch (event.type) {
      case "model.request-started":
        return duringAnother(before);
      case "session.resumed":
        return rerendered(event, context);
      case "user.interrupted":
        for (const toolUseId of event.payload.pendingToolUseIds) this.#stopped.add(toolUseId);
        return undefined;
      case "tool.started":
        return this.#start(event, before);
      case "tool.completed":
      case "tool.failed":
      case "tool.cancelled":
        return this.#end(event, before);
      default:
        return undefined;
    }
  }

  #start({ payload: { toolUseId } }: DurableEvent<"tool.started">, { conversation }: SessionState): string | undefined {
    if (this.#started.has(toolUseId)) return `the call ${toolUseId} is started a second time`;
    this.#started.add(toolUseId);
    if (this.#stopped.has(toolUseId)) return `the call ${toolUseId} is started, and the user has stopped it`;
    if (conversation.awaiting.includes(toolUseId)) return undefined;
    return `the call ${toolUseId} is started, and the conversation does not wait for it`;
  }

  #end(event: Result, before: SessionState): string | undefined {
    const { toolUseId } = event.payload;
    if (this.#ended.has(toolUseId)) return `the call ${toolUseId} is ended a second time`;
    this.#ended.add(toolUseId);
    return event.type === "tool.cancelled" && event.payload.reason === "resume-recovery"
      ? recoveredWrongly(event, before)
      : undefined;
  }
}

function duringAnother({ turn }: SessionState): string | undefined {
  if (turn.request) return `a request begins while ${turn.request.requestId} is open`;
  return turn.discarding ? `a request begins while the dead calls ${turn.discarding} are open` : undefined;
}

function rerendered(
  { payload }: DurableEvent<"session.resumed">,
  { before: { conversation }, mayRenew }: RuleContext,
): string | undefined {
  const { systemSha256, toolsSha256 } = payload;
  const isSame = systemSha256 === conversation.systemSha256 && toolsSha256 === conversation.toolsSha256;
  return isSame || mayRenew ? undefined : "the prefix is made anew, though the one in force is stored";
}

/** What a call had come to when the program ended is what the model is told. */
function recoveredWrongly(
  { payload: { toolUseId, modelText } }: DurableEvent<"tool.cancelled">,
  { turn, conversation }: SessionState,
): string | undefined {
  const stage = turn.pending.find((call) => call.toolUseId === toolUseId)?.stage;
  const isBroken = conversation.sentTail === undefined; // then its loop is ended, and nothing waits any more
  if (stage === "waiting" && turn.phase !== "interrupted" && !isBroken) {
    return `recovery closes the call ${toolUseId}, which waits for the user`;
  }
  if (stage === "denied") return `recovery closes the call ${toolUseId} in its own words, and the user has refused it`;
  if (stage !== undefined && /not run/.test(modelText) === (stage === "started")) {
    return `recovery says of the call ${toolUseId}, which was ${stage}: ${modelText}`;
  }
  return undefined;
}

/** Behind recovery nothing is open but what waits for the user, and what waits behind that. */
export function openAfterRecovery({ turn, processes }: SessionState): string | undefined {
  if (turn.request) return `the request ${turn.request.requestId}`;
  if (turn.discarding) return `the dead calls ${turn.discarding}`;
  if (processes.live.length > 0) return `the process ${processes.live[0]?.processId}`;
  const [first] = turn.pending;
  return first && first.stage !== "waiting" ? `the call ${first.toolUseId} (${first.stage})` : undefined;
}
