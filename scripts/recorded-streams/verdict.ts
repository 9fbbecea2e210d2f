/**
 * The simulator's validator on requests that the real API has judged: what was answered must be taken, what was refused must be
 * refused with the same status. What only the API can know (credentials, its models of that day, its own signatures) is given.
 */
import { findModel, MODELS, modelLike, type SimulatedModel } from "../../src/simulator/models.ts";
import type { Refusal } from "../../src/simulator/rules/table.ts";
import { type Incoming, judge } from "../../src/simulator/rules/validate.ts";
import { type Json, jsonOf, listOf, type RecordedRequest, type Recording } from "./types.ts";

export type Verdict =
  | { readonly kind: "agrees"; readonly refusal?: string }
  | { readonly kind: "disagrees"; readonly why: string };

/** Recorders leave the header out; then each beta that the simulator knows counts as asked for. */
const BETAS = [
  "advisor-tool-2026-03-01",
  "compact-2026-01-12",
  "compact-2026-09-04",
  "context-management-2025-06-27",
  "mcp-client-2025-04-04",
  "mid-conversation-output-config-2026-07-01",
  "mid-conversation-system-clear-at-2026-08-21",
  "mid-conversation-tool-changes-2026-07-01",
  "task-budgets-2026-03-13",
  "thinking-binding-controls-2026-08-01",
  "thinking-display-updates-2026-08-18",
];

/** `paused`: an earlier answer of the tape was broken off by the server, and may be gone on with. */
export function verdictOn(recording: Recording, paused: boolean): Verdict | undefined {
  const { request, status } = recording;
  if (!request || !Number.isInteger(status)) return undefined;
  const isTaken = status < 400;
  if (!isTaken && (status === 401 || status === 403 || status === 429 || status >= 500)) return undefined; // not about the body
  const refusal = refusalOf(request, { isTaken, paused });
  if (isTaken) {
    return refusal ? { kind: "disagrees", why: `rule ${refusal.rule}: ${refusal.message}` } : { kind: "agrees" };
  }
  if (refusal?.status === status) return { kind: "agrees", refusal: `rule ${refusal.rule}: ${refusal.message}` };
  const said = jsonOf(jsonOf(recording.answer).error).message ?? "no message";
  return { kind: "disagrees", why: `taken, where the API said ${status}: ${said}` };
}

interface Circumstances {
  readonly isTaken: boolean;
  readonly paused: boolean;
}

function refusalOf(request: RecordedRequest, circumstances: Circumstances): Refusal | undefined {
  const refusal = judged(request, request.body, circumstances);
  if (refusal?.rule !== "30a") return refusal;
  // The signatures are real, and only their maker can tell; all else is asked again without them.
  return judged(request, withoutThinking(request.body), circumstances);
}

function judged(request: RecordedRequest, body: Json, { isTaken, paused }: Circumstances): Refusal | undefined {
  const incoming: Incoming = {
    endpoint: request.endpoint,
    headers: {
      "content-type": "application/json",
      "anthropic-version": request.headers["anthropic-version"] ?? "2023-06-01",
      "anthropic-beta": request.headers["anthropic-beta"] ?? BETAS.join(","),
      "x-api-key": "recorded",
    },
    body: new TextEncoder().encode(JSON.stringify(body)),
    tooLarge: false,
  };
  const models = isTaken ? modelsOf(String(body.model)) : MODELS;
  const judgement = judge(incoming, { models, secret: "recorded", apiKey: undefined, isPaused: () => paused });
  return "refusal" in judgement ? judgement.refusal : undefined;
}

/** A model that answered was alive, and one that the table does not know is taken to be of an old kind. */
function modelsOf(id: string): readonly SimulatedModel[] {
  const found = findModel(MODELS, id);
  if (found) return [{ ...found, lifecycle: "active" }];
  return [modelLike("claude-sonnet-4-5", { id, aliases: [], lifecycle: "active" })];
}

function withoutThinking(body: Json): Json {
  const messages = listOf(body.messages).map(jsonOf);
  const left = messages.map((message) => ({
    ...message,
    content: Array.isArray(message.content)
      ? message.content.filter((block) => !/thinking$/.test(String(jsonOf(block).type)))
      : message.content,
  }));
  return { ...body, messages: left.filter(({ content }) => !Array.isArray(content) || content.length > 0) };
}
