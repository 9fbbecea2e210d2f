/** The state of one server, in one value: what it was told, what it remembers between requests, what is still to go wrong. */
import { randomUUID } from "node:crypto";
import { type Clock, systemClock } from "../shared/index.ts";
import { MODELS, type SimulatedModel } from "./models.ts";
import { createPromptCache, type PromptCache } from "./prompt/cache.ts";
import { digest } from "./prompt/canon.ts";
import { createDiagnosis, type Diagnosis } from "./prompt/diagnosis.ts";
import { rememberNewest } from "./recorder.ts";
import { asksForSummary, type Turn } from "./rules/request.ts";
import type { Accepted, Judge } from "./rules/validate.ts";
import type { Fault, ScriptedTurn, SimulatorOptions } from "./types.ts";

const SECRET = "the loopback server of the demo and the tests";

export interface Service {
  readonly options: SimulatorOptions;
  readonly clock: Clock;
  readonly secret: string;
  readonly models: readonly SimulatedModel[];
  readonly judge: Judge;
  readonly cache: PromptCache;
  readonly diagnosis: Diagnosis;
  /** For the next calls of /v1/messages, in their order. */
  readonly queue: (Fault | undefined)[];
  /** The next of the turn's own faults: each strikes once for a place in a conversation, however often it is tried. */
  nextFault(turn: ScriptedTurn, accepted: Accepted): Fault | undefined;
  /** Letters and digits that no earlier call gave. */
  unique(accepted: Accepted): (part: string | number) => string;
  requestId(): string;
  pause(last: { readonly type?: unknown; readonly text?: unknown; readonly id?: unknown } | undefined): void;
}

export function createService(options: SimulatorOptions): Service {
  const clock = options.clock ?? systemClock;
  const models = options.models ?? MODELS;
  const secret = options.secret ?? SECRET;
  const seed = options.seed ?? randomUUID();
  const strikes = new Map<string, number>();
  const attempts = new Map<string, number>();
  const paused = new Map<string, true>();
  let served = 0;
  const countIn = (map: Map<string, number>, key: string): number => {
    const before = map.get(key) ?? 0;
    rememberNewest(map, key, before + 1);
    return before;
  };
  const isPaused = (last: Turn): boolean => paused.has(tailKey(last.blocks.at(-1)?.block));
  return {
    options,
    clock,
    secret,
    models,
    judge: { models, secret, apiKey: options.apiKey, isPaused },
    cache: createPromptCache(clock),
    diagnosis: createDiagnosis(),
    queue: [...(options.faults ?? [])],
    nextFault: ({ fault }, accepted) => {
      if (!fault) return undefined;
      const faults: readonly Fault[] = "kind" in fault ? [fault] : fault;
      return faults[countIn(strikes, placeInConversation(accepted))];
    },
    unique: ({ prompt }) => {
      const key = prompt.positions.at(-1)?.key ?? "";
      const attempt = countIn(attempts, key);
      return (part) => alphanumeric(`${seed} ${key} ${attempt} ${part}`);
    },
    requestId: () => `req_${alphanumeric(`${seed} request ${++served}`)}`,
    pause: (last) => rememberNewest(paused, tailKey(last), true),
  };
}

const alphanumeric = (text: string): string =>
  digest(text)
    .replaceAll(/[^A-Za-z0-9]/g, "")
    .slice(0, 16)
    .padEnd(16, "0");

const tailKey = (
  last: { readonly type?: unknown; readonly text?: unknown; readonly id?: unknown } | undefined,
): string => `${last?.type} ${last?.text ?? last?.id}`;

/** The same for every attempt at the same answer, also if the attempt before left something behind in the newest message. */
function placeInConversation({ prompt, canon, request }: Accepted): string {
  const answers = request.turns.filter((turn) => turn.role === "assistant").length;
  const asked = asksForSummary(request) ? "summary" : "answer";
  return `${prompt.systemKey} ${canon.turns[0]?.[0]?.digest} ${asked} ${answers}`;
}
