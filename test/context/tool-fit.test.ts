/** What may change about the tools of a session between two versions, and what may not. */
import { expect, test } from "bun:test";
import type { ToolSchema } from "../../src/anthropic/index.ts";
import { unfitTools } from "../../src/context/index.ts";

const tool = (
  properties: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>> = {},
): ToolSchema => ({
  name: "read",
  description: "reads",
  input_schema: { type: "object", properties, required: ["path"], additionalProperties: false, ...more },
});

const PATH = { path: { type: "string" } };
const MODE = { mode: { type: "string", enum: ["all", "some"] } };
const before = [tool({ ...PATH, ...MODE })];

test("tools and inputs may be added, choices and types widened, words changed", () => {
  const other: ToolSchema = { name: "new", description: "is new", input_schema: { type: "object", required: ["x"] } };
  for (const now of [
    before,
    [other, ...before],
    [tool({ ...PATH, ...MODE, limit: { type: "number" } })],
    [tool({ path: { type: ["string", "null"] }, mode: { type: "string", enum: ["none", "some", "all"] } })],
    [tool({ path: {}, mode: { type: "string", description: "said anew" } })],
    [tool({ ...PATH, ...MODE }, { required: [] })],
    [tool(PATH, { additionalProperties: true })],
    [{ ...tool({ ...PATH, ...MODE }), description: "reads better" }],
  ]) {
    expect(unfitTools(before, now)).toEqual([]);
  }
});

test("what was taken away or made narrower is named", () => {
  const why = (...now: readonly ToolSchema[]) => unfitTools(before, now);
  expect(why()).toEqual([{ name: "read", why: "it is gone" }]);
  expect(why(tool(PATH))).toEqual([{ name: "read", why: 'it takes no "mode" any more' }]);
  const needed = tool({ ...PATH, ...MODE, root: { type: "string" } }, { required: ["path", "root"] });
  expect(why(needed)).toEqual([{ name: "read", why: 'it now needs "root"' }]);
  expect(why(tool({ path: { type: "number" }, ...MODE }))).toEqual([{ name: "read", why: 'its "path" is another' }]);
  const fewer = { mode: { type: "string", enum: ["all"] } };
  expect(why(tool({ ...PATH, ...fewer }))).toEqual([{ name: "read", why: 'its "mode" is another' }]);
  const bounded = tool({ path: { type: "string", enum: ["a"] }, ...MODE });
  expect(why(bounded)).toEqual([{ name: "read", why: 'its "path" is another' }]);
});

test("one input is told by its types, its choices and what its lists hold", () => {
  const fits = (old: unknown, now: unknown): boolean =>
    unfitTools([tool({ ...PATH, wait: old })], [tool({ ...PATH, wait: now })]).length === 0;
  const list = (type: string) => ({ type: "array", items: { type } });
  const rows: readonly (readonly [old: unknown, now: unknown, fits: boolean])[] = [
    [{ type: "integer" }, { type: "number" }, true],
    [{ type: "number" }, { type: "integer" }, false],
    [{ type: ["integer", "null"] }, { type: ["null", "number"] }, true],
    [{}, { type: "number" }, false],
    [{}, {}, true],
    [{ type: "number" }, {}, true],
    [{ enum: ["a", "b"] }, { type: "string" }, true],
    [{ enum: ["a", "b"] }, { enum: ["b", "c", "a"] }, true],
    [{ enum: ["a", null] }, { type: "string" }, false],
    [{ enum: [1, 2] }, { type: "number" }, true],
    [{ enum: [1, 2] }, { type: "integer" }, true],
    [{ type: "number", enum: [1, 2] }, { type: "integer" }, true],
    [{ enum: [1.5] }, { type: "integer" }, false],
    [list("integer"), list("number"), true],
    [list("string"), list("number"), false],
    [{ type: "array" }, list("string"), false],
    [list("string"), { type: "array" }, true],
    [{ type: "string" }, { ...list("string"), type: ["string", "array"] }, true],
  ];
  for (const [old, now, expected] of rows) expect([old, now, fits(old, now)]).toEqual([old, now, expected]);
});
