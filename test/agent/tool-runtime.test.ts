/** The runtime with tools of the test's own: ones that throw, that do not stop, that outlive their session. */
import { describe, expect, test } from "bun:test";
import { type ChangeWatch, createToolRuntime, type PermissionGate } from "../../src/agent/index.ts";
import type { Logger } from "../../src/shared/index.ts";
import { createRegistry, defineTool, type ToolDefinition, type ToolResult } from "../../src/tools/index.ts";
import { manualClock } from "../support/clock.ts";
import { type House, openHouse } from "../support/house.ts";
import { say } from "./driving.ts";

const RESULT: ToolResult = { modelText: "fine", ui: { kind: "exec", summary: "fine" } };
const tool = (parts: Partial<Pick<ToolDefinition, "access" | "execute" | "readOnly">>): ToolDefinition => ({
  ...defineTool({
    name: "odd",
    description: "odd",
    parameters: { "file?": "string" },
    readOnly: true,
    access: () => [],
    execute: () => Promise.resolve(RESULT),
  }),
  ...parts,
});
const allowing: PermissionGate = {
  authorize: () => Promise.resolve({ allowed: true, via: "policy-allow" }),
  leave: () => undefined,
};

/** A runtime over a real session in which the model has asked for two calls of this tool. */
async function withCalls(
  odd: ToolDefinition,
  run: (parts: {
    readonly runtime: ReturnType<typeof createToolRuntime>;
    readonly house: House;
    readonly clock: ReturnType<typeof manualClock>;
    readonly warnings: readonly string[];
  }) => Promise<void>,
  before: ChangeWatch["before"] = () => Promise.resolve(undefined),
): Promise<void> {
  const house = await openHouse({ script: () => say("never asked") });
  const { session } = house.engine;
  const clock = manualClock();
  const warnings: string[] = [];
  const logger: Logger = { debug: () => undefined, warn: (message) => void warnings.push(message) } as Logger;
  const runtime = createToolRuntime({
    session,
    tools: createRegistry([odd]),
    gate: allowing,
    clock,
    logger,
    cwd: house.cwd,
    spillFolder: house.home,
    beforeWrite: () => Promise.resolve(),
    watch: { before },
    observeCommand: () => Promise.resolve(),
  });
  try {
    session.publish({ type: "user.message-created", payload: { text: "go", mentions: [] } });
    const contextStats = { estimatedInputTokens: 1, sections: [] };
    session.publish({
      type: "model.request-started",
      payload: { requestId: "r", model: "m", purpose: "main", contextStats },
    });
    for (const toolUseId of ["one", "two"]) {
      const payload = {
        requestId: "r",
        blockIndex: toolUseId === "one" ? 0 : 1,
        toolUseId,
        toolName: "odd",
        input: {},
      };
      session.publish({ type: "tool.requested", payload });
    }
    const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
    session.publish({
      type: "model.response-completed",
      payload: { requestId: "r", stopReason: "tool_use", usage, durationMs: 1 },
    });
    await run({ runtime, house, clock, warnings });
  } finally {
    await house.close();
  }
}

const nextTurn = () => new Promise((done) => setImmediate(done));
const thrown = new Error("a bug");
const failure = (toolUseId: string) => ({
  toolUseId,
  modelText: "The tool failed inside: a bug",
  errorKind: "internal",
  durationMs: 0,
});

describe("a tool that throws", () => {
  const throwing: Readonly<Record<string, Parameters<typeof tool>[0]>> = {
    "after its first await": { execute: () => Promise.resolve().then(() => Promise.reject(thrown)) },
    "before it": {
      execute: () => {
        throw thrown;
      },
    },
    "when asked what it touches": {
      access: () => {
        throw thrown;
      },
    },
  };
  for (const [when, parts] of Object.entries(throwing)) {
    test(`(${when}) fails that call, and the next one has its turn`, async () => {
      await withCalls(tool(parts), async ({ runtime, house, warnings }) => {
        await runtime.executeBatch(new AbortController().signal);
        const failed = house.events.flatMap((event) => (event.type === "tool.failed" ? [event.payload] : []));
        expect(failed.map((payload) => ({ ...payload, durationMs: 0 }))).toEqual([
          failure("one"),
          failure("two"),
        ] as never);
        expect(warnings).toHaveLength(2);
        expect(house.engine.session.state().turn.pending).toEqual([]);
      });
    });
  }
});

describe("a look before a call", () => {
  test("that takes long keeps nobody who has interrupted waiting, and may end as it likes", async () => {
    const begun = Promise.withResolvers<void>();
    const look = Promise.withResolvers<undefined>();
    const before = () => {
      begun.resolve();
      return look.promise;
    };
    await withCalls(
      tool({}),
      async ({ runtime, house }) => {
        const controller = new AbortController();
        const batch = runtime.executeBatch(controller.signal);
        await begun.promise;
        controller.abort();
        await batch;
        look.reject(thrown);
        await nextTurn();
        expect(house.types().at(-1)).toBe("tool.approved");
      },
      before,
    );
  });
});

describe("a tool that does not stop when it is told to", () => {
  const never = () => {
    const { promise, resolve, reject } = Promise.withResolvers<ToolResult>();
    const begun = Promise.withResolvers<void>();
    const execute = () => {
      begun.resolve();
      return promise;
    };
    return { odd: tool({ execute }), begun: begun.promise, resolve, reject };
  };

  test("is waited for a second, then its call is left to whoever closes it; what it did is recorded when it is known", async () => {
    const { odd, begun, resolve } = never();
    await withCalls(odd, async ({ runtime, house, clock }) => {
      const controller = new AbortController();
      const batch = runtime.executeBatch(controller.signal);
      await begun;
      house.engine.session.publish({
        type: "user.interrupted",
        payload: { scope: "turn", pendingToolUseIds: ["one", "two"] },
      });
      controller.abort();
      await nextTurn();
      clock.advance(999);
      expect(clock.pending()).toBe(1);
      clock.advance(1);
      await batch;
      expect(house.types().at(-1)).toBe("user.interrupted");
      runtime.cancel("one");
      runtime.cancel("two");
      const path = `${house.cwd}/late.ts`;
      const modified = [{ path, operation: "write" as const, diffStats: { added: 1, removed: 0 } }];
      const recorded = new Promise((done) => house.engine.session.bus.on("file.modified", done));
      resolve({ ...RESULT, modified });
      expect(await recorded).toMatchObject({ payload: { path: "late.ts", toolUseId: "one" } });
      const cancelled = house.events.flatMap((event) => (event.type === "tool.cancelled" ? [event.payload] : []));
      expect(cancelled.map(({ modelText }) => modelText)).toEqual([
        "[Cancelled by the user while it was running. It may have had effects; look before repeating it.]",
        "[Cancelled by the user. It was not run.]",
      ]);
    });
  });

  test("and ends after the session was closed harms nothing", async () => {
    const { odd, begun, resolve } = never();
    await withCalls(odd, async ({ runtime, house, clock, warnings }) => {
      const controller = new AbortController();
      const batch = runtime.executeBatch(controller.signal);
      await begun;
      controller.abort();
      await nextTurn();
      clock.advance(1000);
      await batch;
      await house.engine.close();
      resolve({ ...RESULT, read: [{ path: "/etc/hosts", bytes: 1, mtimeMs: 1 }] });
      await nextTurn(); // an unhandled rejection would fail this test
      expect(warnings).toEqual(["a cancelled tool ended badly"]);
    });
  });
});

test("an aborted batch begins nothing", async () => {
  await withCalls(tool({}), async ({ runtime, house }) => {
    await runtime.executeBatch(AbortSignal.abort());
    expect(house.types().at(-1)).toBe("model.response-completed");
  });
});
