/** What a line is, and every reason to refuse one. The properties over all events are in test/properties. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { canonical, type DurableEvent, decode, encode } from "../../src/shared/index.ts";
import { anyDurable, json } from "../support/generators.ts";

const ENVELOPE = { v: 1, id: "01J8ZQ0000EVNT000000000001", sessionId: "01J8ZQ0000SESS0000000000AA", seq: 1, ts: 5 };
const line = (changes: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({ ...ENVELOPE, type: "session.renamed", payload: { title: "a" }, ...changes });

test("a line is the envelope in its order, then the payload in the order of its definition", () => {
  const payload = { durationMs: 3, ui: { summary: "s", kind: "exec" }, modelText: "out", toolUseId: "t1" } as const;
  const event: DurableEvent = { payload, type: "tool.completed", ts: 5, seq: 1, sessionId: "s", id: "e", v: 1 };
  const definition = { toolUseId: "string", modelText: "string", durationMs: "number", ui: { kind: "string" } };
  expect(encode({ ...event, payload: canonical(payload, definition) } as DurableEvent)).toBe(
    '{"v":1,"id":"e","sessionId":"s","seq":1,"ts":5,"type":"tool.completed","payload":' +
      '{"toolUseId":"t1","modelText":"out","durationMs":3,"ui":{"kind":"exec","summary":"s"}}}',
  );
});

describe("a canonical payload", () => {
  test("drops undefined, replaces lone surrogates in values and keys, and keeps inherited names as own keys", () => {
    const input = JSON.parse('{"z":1,"__proto__":{"a":1},"constructor":2,"a":3}');
    const made = canonical(
      { extra: undefined, text: "a\ud800b", input, "k\udc00": 1 },
      { input: "unknown", text: "string" },
    );
    expect(JSON.stringify(made)).toBe(
      '{"input":{"z":1,"__proto__":{"a":1},"constructor":2,"a":3},"text":"a\ufffdb","k\ufffd":1}',
    );
  });

  test("orders the objects inside lists, too", () => {
    const definition = { rows: [{ a: "number", "b?": "number" }, "[]"] };
    expect(JSON.stringify(canonical({ rows: [{ b: 1, a: 2 }, { a: 3 }] }, definition))).toBe(
      '{"rows":[{"a":2,"b":1},{"a":3}]}',
    );
  });

  test("is its own canonical form", () => {
    fc.assert(
      fc.property(json(), (value) => {
        const once = canonical(value, { b: "unknown", a: { d: "string" } });
        expect(JSON.stringify(canonical(once, { b: "unknown", a: { d: "string" } }))).toBe(JSON.stringify(once));
      }),
      { numRuns: 100, seed: 1 },
    );
  });
});

test.each([
  ["no JSON", '{"v":1,', "json"],
  ["an empty line", "", "json"],
  ["two values", `${line()}${line()}`, "json"],
  ["a list", "[]", "envelope"],
  ["null", "null", "envelope"],
  ["a missing version", line({ v: undefined }), "envelope"],
  ["version 0", line({ v: 0 }), "envelope"],
  ["a fractional version", line({ v: 1.5 }), "envelope"],
  ["an empty id", line({ id: "" }), "envelope"],
  ["a number as session", line({ sessionId: 7 }), "envelope"],
  ["seq 0", line({ seq: 0 }), "envelope"],
  ["seq as text", line({ seq: "1" }), "envelope"],
  ["no time", line({ ts: null }), "envelope"],
  ["no type", line({ type: "" }), "envelope"],
  ["no payload", line({ payload: undefined }), "envelope"],
  ["a list as payload", line({ payload: [] }), "envelope"],
  ["a payload of another event", line({ payload: { name: "a" } }), "payload"],
  ["a field of the wrong kind", line({ payload: { title: 1 } }), "payload"],
  ["a newer version", line({ v: 2 }), "newer"],
  ["an unknown type that is critical", line({ type: "future.thing", critical: true }), "newer"],
] as const)("%s is refused", (_name, text, kind) => {
  const result = decode(text);
  expect(result.ok ? "accepted" : result.error.kind).toBe(kind);
});

test("a refusal says what is wrong", () => {
  const messages = [line({ seq: 0 }), line({ v: 2 }), line({ payload: {} })].map((text) => decode(text));
  expect(messages.map((result) => (result.ok ? "" : result.error.message))).toEqual([
    "seq must be a positive integer",
    "session.renamed is version 2; this build knows 1",
    "the payload is not one of session.renamed",
  ]);
});

test("an unknown type that is not critical is kept whole", () => {
  const unknown = { ...ENVELOPE, type: "future.thing", payload: { deep: [1, { a: null }] } };
  expect(decode(JSON.stringify({ ...unknown, critical: false }))).toEqual({
    ok: true,
    value: { ...unknown, opaque: true },
  });
});

test("a lone surrogate in an old line is replaced; a pair is kept", () => {
  const escaped = line({ payload: { title: "@" } }).replace("@", "\\ud83d \\ud83d\\udc4d \\uDC4D");
  const result = decode(escaped);
  expect(result.ok && result.value.payload).toEqual({ title: "\ufffd 👍 \ufffd" });
});

test("any bytes give a verdict, never an exception", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json(), anyDurable.map(encode)), fc.nat(), (text, cut) => {
      const verdict = decode(text.slice(0, cut % (text.length + 1)));
      expect(typeof verdict.ok).toBe("boolean");
    }),
    { numRuns: 300, seed: 2 },
  );
});

test("no proper prefix of a line passes for a line", () => {
  fc.assert(
    fc.property(anyDurable, fc.nat(), (event, cut) => {
      const text = encode(event);
      expect(decode(text.slice(0, cut % text.length)).ok).toBe(false);
    }),
    { numRuns: 200, seed: 3 },
  );
});
