/** Ids of calls, made unique where a server repeats them. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { uniqueToolUseId } from "../../src/agent/tool-use-ids.ts";

test("an id is kept where nobody has it, and else gets the next number", () => {
  const unique = uniqueToolUseId({ callIds: new Set(["a", "b", "b_2"]) });
  expect(["c", "a", "b"].map((id) => unique(id, []))).toEqual(["c", "a_2", "b_3"]);
  expect(unique("c", [{ toolUseId: "c" }, { toolUseId: "c_2" }])).toBe("c_3");
});

test("whatever ids a server sends, those in the log differ from each other", () => {
  const id = fc.oneof(
    fc.constantFrom("a", "a_2", "__proto__", "constructor", "", "\ud800", "\udc00", "\ufffd"),
    fc.string({ unit: "binary" }),
  );
  fc.assert(
    fc.property(fc.array(fc.array(id, { maxLength: 5 }), { maxLength: 5 }), (responses) => {
      const callIds = new Set<string>();
      const made = responses.flatMap((ids) => {
        const unique = uniqueToolUseId({ callIds });
        const taken: { toolUseId: string }[] = [];
        for (const each of ids) taken.push({ toolUseId: unique(each, taken) });
        const recorded = taken.map(({ toolUseId }) => toolUseId.toWellFormed());
        for (const each of recorded) callIds.add(each);
        return recorded;
      });
      expect(new Set(made).size).toBe(made.length);
    }),
    { seed: 13, numRuns: 300 },
  );
});
