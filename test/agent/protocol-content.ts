/** The cases about pairing, thinking, content and the cache. */
import { expect, setSystemTime } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { appendOnlyViolations, type ScriptedTurn, sequence } from "../../src/simulator/index.ts";
import { bash, call, type Driven, edit, lastSaid, read, say, sent, text, thinking, turn } from "./driving.ts";
import { answering, NEXT, type Play, TASK, withoutMarks } from "./protocol-plays.ts";

const LONG = "word ".repeat(200);
const stream = { deltaChars: 5, deltaMs: 1 };
const files = { "a.md": "x\n" };

const play = (script: Play["setup"]["script"], drive: Play["drive"]): Play => ({ setup: { script, files }, drive });

async function stopAt(house: Driven, type: "model.thinking-delta" | "model.text-delta", deltas: number): Promise<void> {
  house.submit(TASK);
  for (let seen = 0; seen < deltas; seen++) await house.next(type);
  house.interrupt();
  await house.settled();
  await house.say(NEXT);
}

const assistant = (house: Driven): readonly (readonly string[])[] =>
  sent(house)
    .filter(({ role }) => role === "assistant")
    .map(({ content }) => content.map(({ type }) => type));

/** An empty text beside a call is never sent back. */
const blankText = (blank: string): Play =>
  play(answering(turn(text(blank), read("a.md"))), async (house) => {
    await house.say(TASK);
    expect(assistant(house)).toEqual([["tool_use"]]);
    expect(house.types().at(-1)).toBe("task.completed");
  });

const opaque = (block: ScriptedTurn["content"][number], type: string): Play =>
  play(answering(turn(block, read("a.md"))), async (house) => {
    await house.say(TASK);
    const [stored] = house.of("model.thinking-block-completed");
    const [first] = sent(house)[1]?.content ?? [];
    expect(assistant(house)).toEqual([[type, "tool_use"]]);
    expect(stored?.redacted ?? stored?.signature).not.toBe("");
    expect(first).toMatchObject(
      stored?.redacted === undefined
        ? { thinking: stored?.thinking ?? "?", signature: stored?.signature ?? "?" }
        : { data: stored.redacted },
    );
  });

export const CONTENT_PLAYS: Readonly<Record<string, Play>> = {
  "api-001": play(answering(turn(text("Running."), bash("echo begun; sleep 60"), read("a.md"))), async (house) => {
    const output = house.next("tool.output");
    house.submit(TASK);
    await output;
    house.interrupt();
    await house.settled();
    await house.say(NEXT);
    expect(lastSaid(house)).toEqual(["error", "error", `text: ${NEXT}`]);
    const asked = house.of("tool.requested").map(({ toolUseId }) => toolUseId);
    expect(
      sent(house)
        .at(-1)
        ?.content.flatMap(({ tool_use_id }) => tool_use_id ?? []),
    ).toEqual(asked);
  }),

  "api-003": play(answering(say("never")), async (house) => {
    const { session } = house.engine;
    const { publish } = session;
    publish({ type: "user.message-created", payload: { text: TASK, mentions: [] } });
    const contextStats = { estimatedInputTokens: 1, sections: [] };
    publish({ type: "model.request-started", payload: { requestId: "r", model: "m", purpose: "main", contextStats } });
    for (const [blockIndex, toolUseId] of ["toolu_ta", "toolu_tb", "toolu_tc"].entries()) {
      const payload = { requestId: "r", blockIndex, toolUseId, toolName: "read", input: { file_path: "a.md" } };
      publish({ type: "tool.requested", payload });
    }
    const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
    publish({
      type: "model.response-completed",
      payload: { requestId: "r", stopReason: "tool_use", usage, durationMs: 1 },
    });
    const ui = { kind: "read" as const, summary: "a.md" };
    publish({ type: "tool.completed", payload: { toolUseId: "toolu_tb", modelText: "b", durationMs: 1, ui } });
    await house.reopen();
    house.engine.agent.resume();
    await house.settled();
    expect(lastSaid(house)).toEqual(["error", "result", "error"]);
    const ids = sent(house)
      .at(-1)
      ?.content.map(({ tool_use_id }) => tool_use_id);
    expect(ids).toEqual(["toolu_ta", "toolu_tb", "toolu_tc"]);
  }),

  "api-005": play(answering(turn(call("nosuchtool", {}))), async (house) => {
    await house.say(TASK);
    expect(lastSaid(house)).toEqual(["error"]);
    expect(house.of("tool.failed")[0]?.modelText).toContain("read, write, edit, grep, glob, bash, process");
  }),

  "api-007": play(
    answering(
      turn(
        { type: "tool_use", name: "bash", id: "toolu_t1", input: { command: "echo a >> ran.md" } },
        { type: "tool_use", name: "bash", id: "toolu_t1", input: { command: "echo b >> ran.md" } },
      ),
    ),
    async (house) => {
      await house.say(TASK);
      expect(readFileSync(join(house.cwd, "ran.md"), "utf8")).toBe("a\nb\n");
    },
  ),

  "api-009": play(answering(turn(read("a.md"))), async (house) => {
    await house.say(TASK);
    const { session } = house.engine;
    const log = readFileSync(session.path, "utf8");
    const [asked] = house.events.filter(({ type }) => type === "model.response-completed");
    const payload = {
      checkpointYaml: "goal: x",
      cut: { fromSeq: 1, toSeq: asked?.seq ?? 0 },
      trigger: "user-command" as const,
      tokensBefore: 1,
      summaryModel: "m",
    };
    expect(() => session.publish({ type: "context.compacted", payload })).toThrow("part a call from its result");
    expect(readFileSync(session.path, "utf8")).toBe(log);
  }),

  "api-011": play(answering({ ...turn(thinking(LONG), text("x")), stream }), async (house) => {
    await stopAt(house, "model.thinking-delta", 5);
    expect(house.of("model.thinking-block-completed")).toEqual([]);
    expect(assistant(house)).toEqual([]);
  }),

  "api-012": play(answering({ ...turn(thinking("Hm."), text(`   \n\n${LONG}`)), stream }), async (house) => {
    await stopAt(house, "model.text-delta", 1);
    expect(house.of("model.thinking-block-completed")).toHaveLength(1);
    for (const types of assistant(house)) expect(types.at(-1)).toBe("text");
  }),

  "api-014": opaque({ type: "redacted_thinking" }, "redacted_thinking"),
  "api-018": opaque(thinking(""), "thinking"),

  "api-016": play(answering(turn(thinking("Hm."), text("Done."))), async (house) => {
    await house.say(TASK);
    await house.reopen({ flags: { model: "claude-sonnet-5-5" } });
    await house.say(NEXT);
    expect(house.types().at(-1)).toBe("task.completed");
    expect(assistant(house)).toEqual([["text"]]);
  }),

  "api-055": blankText(""),
  "api-056": blankText("\n\n"),

  "api-058": play(answering(say("Fine.")), async (house) => {
    await house.say(TASK);
    const requests = house.simulator.requests.length;
    await house.say(" \n");
    expect(house.simulator.requests).toHaveLength(requests);
    await house.say(NEXT);
    expect(lastSaid(house)).toEqual([`text: ${NEXT}`]);
    const marked = JSON.stringify(sent(house)).match(/"text":"\s*","cache_control"/);
    expect(marked).toBeNull();
  }),

  "api-064": play(answering({ ...say("Looking."), stopReason: "pause_turn" }), async (house) => {
    await house.say(TASK);
    expect(house.types().at(-1)).toBe("task.completed");
  }),

  "api-066": play(answering(say("Fine.")), async (house) => {
    try {
      setSystemTime(new Date("2026-12-01T12:00:00Z"));
      await house.say(TASK);
      await house.say(NEXT);
      setSystemTime(new Date("2026-12-02T12:00:00Z"));
      await house.say(`${NEXT}, tomorrow`);
    } finally {
      setSystemTime();
    }
    const dates = sent(house).map(({ content }) => /date: ([\d-]+)/.exec(JSON.stringify(content))?.[1]);
    expect(dates).toEqual(["2026-12-01", undefined, undefined, undefined, "2026-12-02"]);
    expect(withoutMarks(sent(house).slice(0, 3))).toEqual(withoutMarks(sent(house, 1)));
  }),

  "api-067": play(
    answering(({ body }) => turn(text(`${(body.tools as readonly unknown[]).length} tools`), read("a.md"))),
    async (house) => {
      await house.say(TASK);
      await house.reopen();
      await house.say(NEXT);
      const tools = house.simulator.requests.map(({ body }) => withoutMarks((body as { tools: unknown }).tools));
      expect(new Set(tools.map((each) => JSON.stringify(each))).size).toBe(1);
      expect(tools).toHaveLength(3);
    },
  ),

  "api-069": play(
    sequence(
      [
        ...Array.from({ length: 16 }, (_, at) =>
          turn(thinking(`step ${at}`), edit("a.md", at === 0 ? "x" : `x${at}`, `x${at + 1}`)),
        ),
        say("Done."),
        say("Fine."),
      ].map((each, at) => (at === 0 ? turn(thinking("first"), read("a.md"), edit("a.md", "x", "x1")) : each)),
    ),
    async (house) => {
      await house.say(TASK);
      await house.reopen();
      await house.say(NEXT);
      const before = sent(house, -2);
      expect(before).toHaveLength(33);
      expect(withoutMarks(sent(house).slice(0, before.length))).toEqual(withoutMarks(before));
      expect(appendOnlyViolations(house.simulator.requests)).toEqual([]);
    },
  ),
};
