/** The prompt cache: what is written, how far back it is found, how long it lives, and what loses it. */
import { expect, test } from "bun:test";
import { appendOnlyViolations, cacheReadShare, loop, modelLike, type Simulator } from "../../src/simulator/index.ts";
import { type ManualClock, manualClock } from "../support/clock.ts";
import {
  answerAll,
  type Block,
  type Body,
  echo,
  MARK,
  type Message,
  marked,
  post,
  user,
  withSimulator,
} from "./harness.ts";
import { image, png } from "./rule-parts.ts";

const LONG = "The quick brown fox jumps over the lazy dog. ".repeat(60); // about 680 tokens, over the minimum of 512
const head = { model: "claude-opus-5-5", max_tokens: 100, system: [{ type: "text", text: LONG, cache_control: MARK }] };

interface Usage {
  readonly input: number;
  readonly written: number;
  readonly read: number;
}

async function usage(simulator: Simulator, body: Body): Promise<Usage> {
  const { json } = await post(simulator, body);
  expect(json.error).toBeUndefined();
  const found = json.usage as Record<string, number>;
  return {
    input: found.input_tokens ?? -1,
    written: found.cache_creation_input_tokens ?? -1,
    read: found.cache_read_input_tokens ?? -1,
  };
}

const withClock = (run: (simulator: Simulator, clock: ManualClock) => Promise<void>): Promise<void> => {
  const clock = manualClock();
  return withSimulator({ clock }, (simulator) => run(simulator, clock));
};

const ask = (text: string, more: Body = {}): Body => ({ ...head, ...more, messages: [user(text)] });

test("a marked prefix is written once and read afterwards; the three numbers add up to the prompt", () =>
  withClock(async (simulator) => {
    const first = await usage(simulator, ask("one"));
    const second = await usage(simulator, ask("two"));
    expect(first.read).toBe(0);
    expect(first.written).toBeGreaterThan(512);
    expect(second).toEqual({ input: first.input, written: 0, read: first.written });
  }));

test("below the minimum nothing is cached, silently; the minimum is the model's", () =>
  withClock(async (simulator) => {
    const short = { system: [{ type: "text", text: LONG.slice(0, 1900), cache_control: MARK }] };
    await usage(simulator, ask("one", short));
    expect(await usage(simulator, ask("two", short))).toMatchObject({ written: 0, read: 0 });
    await usage(simulator, ask("one", { model: "claude-opus-4-8" }));
    expect(await usage(simulator, ask("two", { model: "claude-opus-4-8" }))).toMatchObject({ written: 0, read: 0 });
  }));

test("five minutes from the request's start, renewed by each read", () =>
  withClock(async (simulator, clock) => {
    const { written } = await usage(simulator, ask("one"));
    for (const _read of [1, 2, 3]) {
      clock.advance(4 * 60_000);
      expect((await usage(simulator, ask("again"))).read).toBe(written);
    }
    clock.advance(5 * 60_000);
    expect(await usage(simulator, ask("late"))).toMatchObject({ read: 0, written });
  }));

test("a read renews an entry that the request itself does not mark", () =>
  withClock(async (simulator, clock) => {
    const start = user(LONG);
    const grown = user(LONG, "more");
    const body = (message: Message): Body => ({ ...head, system: "x", messages: [marked(message)] });
    await usage(simulator, body(start));
    clock.advance(4 * 60_000);
    expect((await usage(simulator, body(grown))).read).toBeGreaterThan(0);
    clock.advance(4 * 60_000);
    expect((await usage(simulator, body(start))).read).toBeGreaterThan(0);
  }));

test("an hour where the mark says so, and each kind is counted apart", () =>
  withClock(async (simulator, clock) => {
    const body = {
      ...head,
      system: [
        { type: "text", text: LONG, cache_control: { ...MARK, ttl: "1h" } },
        { type: "text", text: LONG, cache_control: MARK },
      ],
    };
    const first = await post(simulator, { ...body, messages: [user("x")] });
    const split = (first.json.usage as Body).cache_creation as Record<string, number>;
    const hour = split.ephemeral_1h_input_tokens ?? 0;
    expect(split).toEqual({ ephemeral_1h_input_tokens: hour, ephemeral_5m_input_tokens: hour });
    clock.advance(59 * 60_000);
    expect(await usage(simulator, { ...body, messages: [user("x")] })).toMatchObject({ read: hour, written: hour });
  }));

test("model, tools, system, effort and tool choice each lose what stands behind them", () =>
  withClock(async (simulator) => {
    const tools = [{ name: "a", input_schema: { type: "object" }, description: LONG, cache_control: MARK }];
    const body = { ...head, tools, messages: [marked(user(LONG))] };
    const { written } = await usage(simulator, body);
    const third = Math.floor(written / 3);
    const share = async (more: Body) => Math.round((await usage(simulator, { ...body, ...more })).read / third);
    const changed = [{ ...tools[0], description: `${LONG}!` }];
    expect([
      await share({}),
      await share({ model: "claude-opus-5" }),
      await share({ tools: changed }),
      await share({ system: "other" }),
      await share({ output_config: { effort: "low" } }),
      await share({ tool_choice: { type: "auto", disable_parallel_tool_use: true } }),
      await share({ max_tokens: 7, metadata: { user_id: "u" }, thinking: undefined }),
    ]).toEqual([3, 0, 0, 1, 2, 2, 3]);
  }));

test("an image more or less, anywhere, loses the messages, whether there were images before or none", () =>
  withClock(async (simulator) => {
    const [one, two] = [image(png(10, 10)), image(png(20, 20))];
    const withImages = (...images: readonly Block[]): Body => ({
      ...head,
      messages: [marked(user(LONG)), { role: "assistant", content: "x" }, user(...images, "look")],
    });
    const { written } = await usage(simulator, withImages());
    const isWhole = async (body: Body) => (await usage(simulator, body)).read === written;
    const call = { type: "tool_use", id: "t", name: "a", input: {} };
    const result = { type: "tool_result", tool_use_id: "t", content: [image(png(30, 30))] };
    const inResult = [marked(user(LONG)), { role: "assistant", content: [call] }, user(result)];
    expect([
      await isWhole(withImages()),
      await isWhole(withImages(one)),
      await isWhole(withImages(one)),
      await isWhole(withImages(one, two)),
      await isWhole(withImages(two)),
      await isWhole(withImages(one)),
      await isWhole({ ...head, messages: [...inResult.slice(0, 2), user({ ...result, content: "none" })] }),
      await isWhole({ ...head, messages: inResult }),
    ]).toEqual([true, false, true, false, false, true, true, false]);
  }));

test("a mark looks back over 20 positions, itself included, and no further", () =>
  withClock(async (simulator) => {
    const start = marked(user(LONG));
    await usage(simulator, { ...head, system: "x", messages: [start] });
    const read = async (blocks: number) => {
      const more = Array.from({ length: blocks }, (_, i) => `${blocks} block ${i}`);
      const content = [...(user(LONG).content as Block[]), ...(user(...more).content as Block[])];
      return (await usage(simulator, { ...head, system: "x", messages: [marked({ role: "user", content })] })).read > 0;
    };
    expect([await read(19), await read(20)]).toEqual([true, false]);
  }));

test("a mark at the previous tail is found however many blocks came after it", () =>
  withClock(async (simulator) => {
    const start = marked(user(LONG));
    const first = await usage(simulator, { ...head, system: "x", messages: [start] });
    const more = Array.from({ length: 40 }, (_, i) => ({ type: "text", text: `block ${i}` }));
    const content = [...(start.content as Block[]), ...more];
    const second = await usage(simulator, { ...head, system: "x", messages: [marked({ role: "user", content })] });
    expect(second.read).toBe(first.written);
  }));

test("a mark on the request as a whole lands on its last block", () =>
  withClock(async (simulator) => {
    const body = { ...head, system: LONG, cache_control: MARK };
    const first = await usage(simulator, { ...body, messages: [user("x")] });
    expect(first).toMatchObject({ input: 0, read: 0 });
    const grown = await usage(simulator, { ...body, messages: [user("x", "y")] });
    expect(grown.read).toBe(first.written);
  }));

test("an answer that never began has written nothing", () =>
  withSimulator({ faults: [{ kind: "http", status: 529 }] }, async (simulator) => {
    expect((await post(simulator, ask("one"))).status).toBe(529);
    expect((await usage(simulator, ask("one"))).read).toBe(0);
    expect((await usage(simulator, ask("one"))).read).toBeGreaterThan(0);
  }));

test("the diagnosis names what changed since an earlier answer", () =>
  withClock(async (simulator) => {
    const ids: unknown[] = [];
    const diagnose = async (more: Body, previous: unknown = ids[0]) => {
      const { json } = await post(simulator, { ...ask("one", more), diagnostics: { previous_message_id: previous } });
      ids.push(json.id);
      const reason = (json.diagnostics as Body | null)?.cache_miss_reason as Body | undefined;
      return reason?.type ?? null;
    };
    expect([
      await diagnose({}, null),
      await diagnose({}),
      await diagnose({ model: "claude-opus-5" }),
      await diagnose({ system: "other" }),
      await diagnose({ tools: [{ name: "a", input_schema: { type: "object" } }] }),
      await diagnose({ output_config: { effort: "low" } }),
      await diagnose({}, "msg_unknown"),
    ]).toEqual([
      null,
      null,
      "model_changed",
      "system_changed",
      "tools_changed",
      "messages_changed",
      "previous_message_not_found",
    ]);
    const other = await post(simulator, {
      ...head,
      messages: [user("two")],
      diagnostics: { previous_message_id: ids[0] },
    });
    expect(other.json.diagnostics).toMatchObject({ cache_miss_reason: { type: "messages_changed" } });
  }));

/** A conversation of a client with the four marks of the house: two tiers, the previous tail, the newest tail. */
async function longConversation(simulator: Simulator, turns: number, parallel: number): Promise<void> {
  const tiers = [
    { type: "text", text: LONG, cache_control: { ...MARK, ttl: "1h" } },
    { type: "text", text: `project ${LONG}`, cache_control: { ...MARK, ttl: "1h" } },
  ];
  const tools = [{ name: "bash", description: "runs", input_schema: { type: "object" } }];
  const base = {
    model: "claude-opus-5-5",
    max_tokens: 4000,
    system: tiers,
    tools,
    thinking: { type: "adaptive", display: "summarized" },
  };
  let messages: Message[] = [user("go")];
  for (let i = 0; i < turns; i++) {
    const users = messages.flatMap((m, at) => (m.role === "user" ? [at] : [])).slice(-2);
    const body = { ...base, messages: messages.map((m, at) => (users.includes(at) ? marked(m) : m)) };
    const reply = await post(simulator, body);
    expect(reply.json.error).toBeUndefined();
    const assistant = echo(reply);
    messages = [...messages, assistant, answerAll(assistant, `${parallel} results of turn ${i}. ${LONG}`)];
  }
}

test.each([1, 12])(
  "200 turns with correct marks read all that was there before, with %d calls a turn",
  (parallel) => {
    const call = (i: number, j: number) =>
      ({ type: "tool_use", name: "bash", input: { command: `step ${i}.${j}` } }) as const;
    const turns = parallel === 1 ? 200 : 40;
    const script = loop({
      steps: turns,
      turn: (i) => ({
        content: [
          { type: "thinking", thinking: `step ${i}` },
          ...Array.from({ length: parallel }, (_, j) => call(i, j)),
        ],
      }),
    });
    return withSimulator({ script }, async (simulator) => {
      await longConversation(simulator, turns, parallel);
      expect(simulator.requests.length).toBe(turns);
      expect(appendOnlyViolations(simulator.requests)).toEqual([]);
      expect(cacheReadShare(simulator.requests)).toBe(1);
    });
  },
  60_000,
);

test("a changed byte is named as a violation, and shows in the share", () =>
  withSimulator({ models: [modelLike("claude-opus-5-5", { prefixCheck: false })] }, async (simulator) => {
    const tail = (text: string) => marked(user(text));
    await post(simulator, { ...head, messages: [tail("one")] });
    await post(simulator, { ...head, messages: [tail("One"), { role: "assistant", content: "x" }, tail("two")] });
    await post(simulator, {
      ...head,
      system: [],
      messages: [tail("One"), { role: "assistant", content: "x" }, tail("two")],
    });
    expect(appendOnlyViolations(simulator.requests).map(({ request, part }) => `${request} ${part}`)).toEqual([
      "1 block 0",
      "2 system",
    ]);
    expect(cacheReadShare(simulator.requests)).toBeLessThan(1);
  }));
