/** Driving the house in tests of the agent: short words for scripts, acting at exact moments, and what must always hold. */
import { expect } from "bun:test";
import { checkRequests } from "../../src/cli/request-check.ts";
import type { DurableEvent, DurableType, EventOf, KhaelorEvent } from "../../src/shared/index.ts";
import type { RecordedRequest, ScriptedBlock, ScriptedTurn, SseEvent } from "../../src/simulator/index.ts";
import { eventsOf, type House, type HouseOptions, openHouse } from "../support/house.ts";

export const text = (words: string): ScriptedBlock => ({ type: "text", text: words });
export const thinking = (thought: string): ScriptedBlock => ({ type: "thinking", thinking: thought });
export const call = (name: string, input: Readonly<Record<string, unknown>>): ScriptedBlock => ({
  type: "tool_use",
  name,
  input,
});
export const read = (path: string): ScriptedBlock => call("read", { file_path: path });
export const bash = (command: string): ScriptedBlock => call("bash", { command });
export const edit = (path: string, from: string, to: string): ScriptedBlock =>
  call("edit", { file_path: path, old_string: from, new_string: to });
export const turn = (...content: readonly ScriptedBlock[]): ScriptedTurn => ({ content });
export const say = (words: string): ScriptedTurn => turn(text(words));

export interface Driven extends House {
  /** The next event of this type (since this call) that fits; for awaiting, or for acting at once. */
  next<T extends KhaelorEvent["type"]>(type: T, fits?: (event: EventOf<T>) => boolean): Promise<EventOf<T>>;
  of<T extends DurableType>(type: T): readonly DurableEvent<T>["payload"][];
  interrupt(): void;
  submit(text: string): void;
  settled(): Promise<void>;
}

export interface Setup extends HouseOptions {
  /** What the server is expected to refuse, by rule; nothing by default. */
  readonly refusals?: readonly string[];
  /** Called when an event of an answer has gone out, before the agent can have read it. */
  readonly onSse?: (event: SseEvent, house: Driven, request: RecordedRequest) => void;
}

/** Runs in a fresh house; afterwards everything that holds of every session is checked, and the house is taken down. */
export async function inHouse(setup: Setup, run: (house: Driven) => Promise<void>): Promise<void> {
  let driven: Driven | undefined;
  const { onSse, refusals = [], ...options } = setup;
  const house = await openHouse({
    ...options,
    simulator: {
      ...options.simulator,
      ...(onSse && { onEvent: (event, request) => void (driven && onSse(event, driven, request)) }),
    },
  });
  driven = drivenBy(house);
  try {
    await run(driven);
    expect(house.simulator.refusals.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([...refusals]);
    await expectSound(house);
  } finally {
    await house.close();
  }
}

function drivenBy(house: House): Driven {
  const agent = () => house.engine.agent;
  return Object.assign(house, {
    next: <T extends KhaelorEvent["type"]>(type: T, fits: (event: EventOf<T>) => boolean = () => true) =>
      new Promise<EventOf<T>>((resolve) => {
        const stop = house.engine.session.bus.on(type, (event) => {
          if (!fits(event)) return;
          stop();
          resolve(event);
        });
      }),
    of: <T extends DurableType>(type: T) => eventsOf(house.events, type).map(({ payload }) => payload),
    interrupt: () => agent().dispatch({ kind: "interrupt" }),
    submit: (words: string) => agent().dispatch({ kind: "submit-message", text: words, mentions: [] }),
    settled: () => agent().settled(),
  });
}

/** What holds of every session that is at rest, whatever was done to it. */
export async function expectSound(house: Pick<House, "engine">): Promise<void> {
  const { session, store, agent } = house.engine;
  expect(agent.isBusy()).toBe(false);
  await session.sync();
  const endings = new Map<string, string[]>();
  let seq = 0;
  for await (const event of store.read(session.id)) {
    expect(event.seq).toBe(++seq);
    if ("opaque" in event) continue;
    if (event.type === "tool.requested") endings.set(event.payload.toolUseId, []);
    if (event.type === "tool.completed" || event.type === "tool.failed" || event.type === "tool.cancelled")
      endings.get(event.payload.toolUseId)?.push(event.type);
  }
  const open = new Set(session.state().turn.pending.map(({ toolUseId }) => toolUseId));
  const wrong = [...endings].filter(([id, ends]) => ends.length !== (open.has(id) ? 0 : 1));
  expect(wrong).toEqual([]);
  expect((await checkRequests(store, session.id)).mismatches).toEqual([]);
  expect(await store.check(session.id)).toMatchObject({ verdict: "ok", resumable: true, damage: [] });
}

interface SentBlock {
  readonly type: string;
  readonly text?: string;
  readonly tool_use_id?: string;
  readonly content?: unknown;
  readonly is_error?: boolean;
}
export interface SentMessage {
  readonly role: string;
  readonly content: readonly SentBlock[];
}

/** The conversation as the n-th request carried it (the last one by default). */
export function sent({ simulator }: House, at = -1): readonly SentMessage[] {
  const body = simulator.requests.at(at)?.body as { readonly messages: readonly SentMessage[] } | undefined;
  return body?.messages ?? [];
}

/** The last user message, a word for each block: `text: …`, `result`, `error`. */
export function lastSaid(house: House, at = -1): readonly string[] {
  return (sent(house, at).at(-1)?.content ?? [])
    .map((block) => (block.type === "text" ? `text: ${block.text}` : block.is_error ? "error" : "result"))
    .filter((line) => !line.startsWith("text: <"));
}
