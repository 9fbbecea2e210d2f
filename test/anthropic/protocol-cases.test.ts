/**
 * The acceptance cases of cases/protocol.json that the client alone decides, each played by a server as the case describes.
 * The others of these topics belong to rooms above; they are listed, so that a new case cannot be overlooked.
 */
import { describe, expect, test } from "bun:test";
import protocol from "../cases/protocol.json";
import {
  ending,
  errorBody,
  hello,
  jsonDelta,
  PING,
  START,
  STOP,
  stopBlock,
  streamed,
  textBlock,
  toolBlock,
  toolStart,
} from "./answers.ts";
import { ask, KEY, type Options, type Outcome, textOf } from "./driver.ts";
import type { Answer } from "./scripted-server.ts";

interface Case {
  readonly id: string;
  readonly topic: string;
  readonly fault: unknown;
}

interface Play {
  readonly script: readonly Answer[];
  readonly options?: Options;
  readonly check: (outcome: Outcome) => void;
}

const cases: readonly Case[] = protocol.cases;

/** The HTTP answer that a case of kind `http` describes. */
function stated(id: string): Answer {
  const fault = cases.find((each) => each.id === id)?.fault as {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: unknown;
  }; // the shape that the file's cases of this kind have
  const body = typeof fault.body === "string" ? fault.body : JSON.stringify(fault.body);
  return (exchange) => exchange.respond(fault.status, { "request-id": "req_case", ...fault.headers }, body);
}

const finals =
  (kind: string, check: (outcome: Outcome) => void = () => undefined) =>
  (outcome: Outcome) => {
    expect(outcome.failure).toMatchObject({ kind, attempts: 1 });
    expect(outcome.requests).toHaveLength(1);
    check(outcome);
  };
const mended = (outcome: Outcome): void => {
  expect(outcome.failure).toBeNull();
  expect(textOf(outcome.events)).toEndWith("hello");
};

const PLAYS: Readonly<Record<string, Play>> = {
  "api-022": { script: [stated("api-022")], check: finals("context-overflow") },
  "api-023": { script: [stated("api-023")], check: finals("invalid-request") },
  "api-029": {
    script: [stated("api-029"), hello],
    check: (outcome) => {
      mended(outcome);
      expect(outcome.waits[0]).toBeGreaterThanOrEqual(20_000);
      expect(outcome.waits[0]).toBeLessThanOrEqual(40_000);
    },
  },
  "api-031": {
    script: [stated("api-031"), hello],
    check: (outcome) => {
      mended(outcome);
      expect(outcome.waits[0]).toBeGreaterThanOrEqual(500);
    },
  },
  "api-033": { script: [stated("api-033"), hello], check: mended },
  "api-034": {
    script: [stated("api-034")],
    check: finals("auth", ({ failure, log }) => {
      expect(failure?.message).toContain("ANTHROPIC_API_KEY");
      expect(log).not.toContain(KEY);
    }),
  },
  "api-036": {
    script: [stated("api-036")],
    check: finals("invalid-request", ({ failure }) => {
      expect(failure?.message).toContain("messages.3: something odd");
      expect(failure?.message).toContain("req_case");
    }),
  },
  "api-040": { script: [stated("api-040")], check: finals("invalid-request") },
  "api-042": {
    script: [streamed(START, ...textBlock("part")), hello],
    check: (outcome) => {
      mended(outcome);
      expect(outcome.events.filter(({ type }) => type === "finished")).toHaveLength(1);
    },
  },
  "api-047": {
    script: [streamed(START, { type: "nobody_knows" }, ...textBlock("kept"), STOP)],
    check: ({ events, failure }) => expect([textOf(events), failure]).toEqual(["kept", null]),
  },
  "api-049": {
    script: [
      streamed(START, toolStart("t1", "read"), jsonDelta('{"path": "a'), stopBlock(0), ending("tool_use"), STOP),
    ],
    check: ({ events }) =>
      expect(events).toContainEqual({
        type: "block-completed",
        blockIndex: 0,
        block: { type: "tool_use", id: "t1", name: "read", input: { INVALID_JSON: '{"path": "a' } },
      }),
  },
  "api-051": {
    script: [streamed(START, ...toolBlock("t1", "bash", "{}"), JSON.parse(errorBody("api_error", "x"))), hello],
    check: (outcome) => {
      mended(outcome);
      const failedAt = outcome.events.findIndex(({ type }) => type === "attempt-failed");
      const calls = outcome.events.flatMap((event, at) =>
        event.type === "block-completed" && event.block.type === "tool_use" ? [at] : [],
      );
      expect(calls.every((at) => at < failedAt)).toBe(true);
    },
  },
  "api-064": {
    script: [streamed(START, ...textBlock("x"), ending("pause_turn"), STOP)],
    check: ({ events }) => expect(events.at(-1)).toMatchObject({ type: "finished", stopReason: "pause_turn" }),
  },
  "api-071": {
    script: [streamed(START, ending("end_turn", 5), PING, ending("end_turn", 12), STOP)],
    check: ({ events }) => expect(events.at(-1)).toMatchObject({ usage: { inputTokens: 100, outputTokens: 12 } }),
  },
  "api-073": {
    script: [streamed(START, ending("end_turn", 5)), hello],
    check: (outcome) => {
      mended(outcome);
      const reported = outcome.events.flatMap((event) => {
        if (event.type === "finished") return [event.usage.outputTokens];
        return event.type === "attempt-failed" ? [event.failure.usage?.outputTokens] : [];
      });
      expect(reported).toEqual([5, 12]);
    },
  },
};

/** Played in network.test.ts, silence.test.ts and aborts.test.ts, because they need a certificate, a clock or an abort. */
const ELSEWHERE = ["api-038", "api-044", "api-045", "api-053"];
/** Decided by the conversation fold, the tools or the kernel. */
const ABOVE = ["api-020", "api-025", "api-027", "api-055", "api-056", "api-058", "api-060", "api-062"];

describe("protocol cases", () => {
  for (const [id, { script, options, check }] of Object.entries(PLAYS)) {
    test(id, async () => {
      const outcome = await ask(script, options);
      expect(outcome.events.length).toBeGreaterThan(0);
      check(outcome);
    });
  }
});

test("every case of these topics is played or belongs elsewhere", () => {
  const topics = ["retry", "stream", "usage", "content", "overflow"];
  const known = cases.filter(({ topic }) => topics.includes(topic)).map(({ id }) => id);
  expect([...Object.keys(PLAYS), ...ELSEWHERE, ...ABOVE].sort()).toEqual(known.sort());
});
