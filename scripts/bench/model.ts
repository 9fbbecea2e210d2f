/** The one server that floor and product talk to, and what it sees of each: when an answer ended and the next request came. */

import { systemClock } from "../../src/shared/index.ts";
import { loop, type RecordedRequest, type ScriptedTurn, startSimulator } from "../../src/simulator/index.ts";
import type { Ground } from "./ground.ts";
import { type Look, type Ran, run } from "./run.ts";

export interface Visit extends Ran {
  /** From the end of an answer to the next request, in milliseconds, one for each step. */
  readonly gapsMs: readonly number[];
  /** From the start of the program to its first request. */
  readonly firstRequestMs: number;
  readonly requests: readonly RecordedRequest[];
}

export interface Model {
  /** Runs a program whose model answers with so many calls of a command, and then with a text. */
  visit(command: readonly string[], steps: number): Promise<Visit>;
  close(): Promise<void>;
}

/** Nobody's. */
const KEY = "sk-bench-0123456789";

const step = (index: number): ScriptedTurn => ({
  content: [{ type: "tool_use", name: "bash", input: { command: `true ${index}` } }],
});

const now = (): number => performance.timeOrigin + performance.now();

export async function startModel(ground: Ground): Promise<Model> {
  let steps = 0;
  let look: Look = () => undefined;
  const seen: { readonly request: RecordedRequest; readonly doneAt: number }[] = [];
  const simulator = await startSimulator({
    script: (request) => loop({ steps, turn: step, last: "Hello." })(request),
    clock: { ...systemClock, now },
    keepRequests: 1,
    onDone: (request) => {
      seen.push({ request, doneAt: now() });
      look();
    },
  });
  const env = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: simulator.url };

  return {
    async visit(command, wanted) {
      steps = wanted;
      seen.length = 0;
      const startedAt = now();
      const ran = await run(ground, command, {
        env,
        onStart: (handed) => {
          look = handed;
        },
      });
      const asked = seen.filter(({ request }) => request.path.startsWith("/v1/messages"));
      if (asked.length !== wanted + 1 || asked.some(({ request }) => request.outcome !== "answered")) {
        throw new Error(`${command[0]} sent ${asked.length} requests where ${wanted + 1} were expected`);
      }
      const gapsMs = asked.slice(1).map(({ request }, at) => request.at - (asked[at]?.doneAt ?? request.at));
      const firstRequestMs = (asked[0]?.request.at ?? 0) - startedAt;
      return { ...ran, gapsMs, firstRequestMs, requests: asked.map(({ request }) => request) };
    },
    close: simulator.close,
  };
}
