/**
 * Three hundred steps of one task over a window of 60,000 tokens, with thinking, against a server that binds every signature to the
 * bytes before it: room is made again and again, nothing is refused, the cache is lost only where the ledger says so, and whoever
 * takes the session up at any point sends the very bytes that were sent.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { createContextEngine } from "../../src/context/index.ts";
import { createFoldedState } from "../../src/session/folds.ts";
import { cacheLedger } from "../../src/session/index.ts";
import type { DurableEvent, LogEvent } from "../../src/shared/index.ts";
import type { RecordedRequest, Script } from "../../src/simulator/index.ts";
import { asksForSummary } from "../support/summing-model.ts";
import { CHECKPOINT, MAIN } from "./compacting.ts";
import { bash, type Driven, edit, inHouse, read, say, sent, text, turn } from "./driving.ts";
import { cutHome, engineIn, recordingOf } from "./engines.ts";

setDefaultTimeout(120_000);

/** How many steps the model takes for each message: three hundred in all. */
const STEPS = [18, 12, 40, 14, 22, 44, 16, 30, 12, 46, 20, 26] as const;
const ALL = STEPS.reduce((sum, steps) => sum + steps, 0);

/** Small looks, larger readings, edits, failing commands, calls side by side; at the beginning of each part, and behind a checkpoint, it looks around. */
function longTask(): Script {
  let step = 0;
  let left = 0;
  let part = 0;
  return (request) => {
    if (asksForSummary(request)) return say(CHECKPOINT);
    if (left === 0 && part > 0 && request.lastResults().length > 0) {
      left = -1;
      return turn({ type: "thinking", thinking: "all done" }, text(`Part ${part} is done.`));
    }
    if (left <= 0) {
      left = STEPS[part++] ?? 1;
    }
    const isBeginning = request.index < 4 || left > (STEPS[part - 1] ?? 1) - 2;
    left--;
    const at = step++;
    const thought = {
      type: "thinking",
      thinking: `Step ${at}: ${"all is well so far. ".repeat(1 + (at % 4))}`,
    } as const;
    if (isBeginning) return turn(thought, bash(`echo look ${at}`));
    const kinds = [
      [bash(`seq ${at} ${at + 1200}`)],
      [read("notes.txt")],
      [edit("notes.txt", `step ${Math.max(0, at - (at % 5) - 3)}`, `step ${at - (at % 5) + 2}`)],
      [bash(`echo failing ${at}; exit 3`)],
      [bash(`echo first ${at}`), bash(`seq ${at} ${at + 900}`)],
    ];
    return turn(thought, text(`Step ${at}, größer 👍.`), ...(kinds[at % kinds.length] ?? []));
  };
}

const mains = (events: readonly DurableEvent[]) =>
  events.filter(
    (event): event is DurableEvent<"model.request-started"> =>
      event.type === "model.request-started" && event.payload.purpose === "main",
  );

const isBreak = ({ type }: DurableEvent): boolean => type === "context.pruned" || type === "context.compacted";

test(`${ALL} steps`, () =>
  inHouse(
    {
      script: longTask(),
      files: { "notes.txt": `step 0\n${"a line of notes\n".repeat(400)}` },
      windows: { [MAIN]: 60_000 },
      simulator: { keepRequests: 2_000 },
    },
    async (house) => {
      for (let at = 1; at <= STEPS.length; at++)
        await house.say(
          `Part ${at}. This is what the log says:\n${`entry ${at} of it\n`.repeat(100 * (1 + (at % 4)))}`,
        );
      const { events } = house;
      const count = (type: string) => events.filter((event) => event.type === type).length;
      const inLoop = events.filter(
        (event) => event.type === "context.compacted" && event.payload.keptFromSeq === undefined,
      );
      console.log(
        `${mains(events).length} requests, ${count("context.compacted")} compactions (${inLoop.length} inside a loop), ${count("context.pruned")} prunes`,
      );
      expect([count("task.completed"), count("task.failed"), count("model.request-failed")]).toEqual([
        STEPS.length,
        0,
        0,
      ]);
      expect(mains(events).length).toBeGreaterThanOrEqual(ALL);
      expect([count("context.compacted") >= 3, inLoop.length >= 1, count("context.pruned") >= 3]).toEqual([
        true,
        true,
        true,
      ]);
      expectNamedBreaks(house);
      expectCacheBack(house);
      await expectSameBytes(house);
      await expectSameResumes(house);
    },
  ));

/** Each break stands in the ledger, at the request that follows it; nothing else cost any of the cache. */
function expectNamedBreaks({ engine, events }: Driven): void {
  const ledger = events.reduce<ReturnType<ReturnType<typeof cacheLedger>["initial"]>>(
    (state, event) => cacheLedger(engine.models.price).apply(state, event),
    cacheLedger(engine.models.price).initial(),
  );
  const named = ledger.entries.flatMap(({ breaks }) => breaks.map(({ seq }) => seq));
  expect(named).toEqual(events.filter(isBreak).map(({ seq }) => seq));
  const reasons = new Set(ledger.entries.flatMap(({ reason }) => (reason === undefined ? [] : [reason])));
  expect([...reasons].filter((reason) => !["first", "pruned", "compacted"].includes(reason))).toEqual([]);
}

const shareRead = ({ usage }: RecordedRequest): number => {
  const {
    cache_read_input_tokens: read = 0,
    cache_creation_input_tokens: written = 0,
    input_tokens: rest = 0,
  } = usage ?? {};
  return read / (read + written + rest);
};

function expectCacheBack({ events, simulator }: Driven): void {
  const sentToMain = simulator.requests.filter(({ body }) => (body as { readonly model: string }).model === MAIN);
  const seqs = mains(events).map(({ seq }) => seq);
  for (const { seq } of events.filter(isBreak)) {
    const follows = seqs.findIndex((at) => at > seq);
    const next = sentToMain[follows + 1];
    if (next) expect([seq, shareRead(next) >= 0.95]).toEqual([seq, true]);
  }
}

const withoutMarks = (messages: unknown): unknown =>
  JSON.parse(JSON.stringify(messages, (key, value: unknown) => (key === "cache_control" ? undefined : value)));

const messagesOf = (request: RecordedRequest | undefined): unknown =>
  (request?.body as { readonly messages: unknown } | undefined)?.messages;

/** Every request, made again from the log alone. */
async function expectSameBytes(house: Driven): Promise<void> {
  const { session, store, models } = house.engine;
  const prefix = { system: [], tools: [], systemSha256: "", toolsSha256: "" };
  const state = createFoldedState(models.price);
  const { systemSha256 = "", toolsSha256 = "" } = session.state().conversation;
  const engine = createContextEngine({
    prefix: { ...prefix, systemSha256, toolsSha256 },
    facts: models.facts,
    reservedOutputTokens: 32_000,
  });
  const bodies = house.simulator.requests.filter(({ body }) => (body as { readonly model: string }).model === MAIN);
  let at = 0;
  for await (const event of store.read(session.id) as AsyncIterable<LogEvent>) {
    if (event.type === "model.request-started" && !("opaque" in event) && event.payload.purpose === "main") {
      const { messages } = engine.selectContext(state.read()).request;
      expect(JSON.stringify(messages)).toBe(JSON.stringify(withoutMarks(messagesOf(bodies[at++]))));
    }
    state.apply(event);
  }
  expect(at).toBe(bodies.length);
}

/** Killed right behind a request of its own choosing, and taken up: the same request goes out again. */
async function expectSameResumes(house: Driven): Promise<void> {
  const recorded = recordingOf(house);
  const numbers = recorded.lines.flatMap((line, at) => (line.includes('"purpose":"main"') ? [at] : []));
  const breaks = recorded.lines.flatMap((line, at) => (/"type":"context\.(pruned|compacted)"/.test(line) ? [at] : []));
  const afterBreaks = breaks.slice(0, 6).map((at) => numbers.find((number) => number > at) ?? at);
  for (const at of [...new Set([...afterBreaks, numbers[7] ?? 0, numbers[111] ?? 0, numbers.at(-2) ?? 0])]) {
    const home = cutHome(recorded, at + 1);
    const before = house.simulator.requests.length;
    const engine = await engineIn({ home, cwd: house.cwd, simulator: house.simulator }, { resume: recorded.id });
    const asked = new Promise<void>(
      (resolve) => void engine.session.bus.on("model.response-completed", () => resolve()),
    );
    expect(engine.agent.resume()).toBe(true);
    await asked;
    engine.agent.dispatch({ kind: "interrupt" });
    await engine.agent.settled();
    const original = numbers.indexOf(at);
    const mainBodies = house.simulator.requests
      .slice(0, before)
      .filter(({ body }) => (body as { readonly model: string }).model === MAIN);
    expect(withoutMarks(sent(house, before))).toEqual(withoutMarks(messagesOf(mainBodies[original])) as never);
    await engine.close();
  }
}
