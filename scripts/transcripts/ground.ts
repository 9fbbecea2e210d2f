/** Where logs are made: a home folder of their own, the real store, and a simulated model whose window can be chosen. */
import { rmSync } from "node:fs";
import {
  createModelClient,
  type ModelClient,
  type ModelFacts,
  modelFacts,
  type ToolSchema,
} from "../../src/anthropic/index.ts";
import { createSessionStore, type SessionStore } from "../../src/session/index.ts";
import { idSource, silentLogger, systemClock } from "../../src/shared/index.ts";
import { MODELS, modelLike, type Script, type Simulator, startSimulator } from "../../src/simulator/index.ts";

export const MODEL = "claude-opus-5-5";
export const AUX_MODEL = "claude-haiku-5-5";
export const PROJECT = "0123456789abcdef";
export const RESERVED_OUTPUT_TOKENS = 8_000;

export interface Ground {
  readonly home: string;
  readonly store: SessionStore;
  /** Sets the time of the next events; it never goes back. */
  setTime(at: number | undefined): void;
  close(): void;
}

export function openGround(home: string): Ground {
  let now = 0;
  const clock = (): number => now;
  const store = createSessionStore({ home, now: clock, newId: idSource(clock), price: () => 0, logger: silentLogger });
  return {
    home,
    store,
    setTime(at) {
      now = Math.max(now + 1, at ?? 0);
    },
    close: () => rmSync(home, { recursive: true, force: true }),
  };
}

export interface Api {
  readonly simulator: Simulator;
  readonly client: ModelClient;
  readonly facts: (model: string) => ModelFacts;
  /** How many requests came, and what was refused, since the beginning. */
  readonly counts: { requests: number };
  close(): Promise<void>;
}

/** A strict server whose main model has this window, and the real client that speaks to it. */
export async function openApi(store: SessionStore, contextWindow: number, script: Script): Promise<Api> {
  const counts = { requests: 0 };
  const models = MODELS.map((model) => (model.id === MODEL ? modelLike(MODEL, { contextWindow }) : model));
  const onDone = (): void => {
    counts.requests++;
  };
  const stream = { deltaChars: 100_000 };
  const simulator = await startSimulator({ script, models, stream, keepRequests: 1, onDone });
  const facts = (model: string): ModelFacts => ({
    ...modelFacts(model),
    ...(model === MODEL && { contextWindow }),
  });
  const client = createModelClient({
    auth: { kind: "api-key", value: "transcripts" },
    baseURL: simulator.url,
    version: "0",
    clock: systemClock,
    random: () => 0,
    logger: silentLogger,
    maxAttempts: 1,
    loadBlob: store.blobs.get,
    facts,
  });
  return { simulator, client, facts, counts, close: simulator.close };
}

export const SYSTEM = [
  "You work on a project with the tools you are given.",
  "The project is described by what was said.",
];

/** A schema for each name that was called: what the arguments were is unknown, so any will do. */
export const toolsNamed = (names: Iterable<string>): readonly ToolSchema[] =>
  [...names].map((name) => ({
    name,
    description: `The tool ${name}.`,
    input_schema: { type: "object", properties: {} },
  }));
