/** Whatever a model writes as its checkpoint, reading it ends soon, and in a value. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readCheckpoint } from "../../src/context/checkpoint/read.ts";
import { EMPTY, FULL, READ } from "./checkpoint-samples.ts";

describe("nothing makes it throw, or take long", () => {
  const LENGTH = 60_000; // deeper than any stack, and enough for a square to be felt
  const HOSTILE = [
    "[",
    "{",
    "- ",
    "? ",
    ": ",
    "&a ",
    "*a ",
    "! ",
    '"',
    "'",
    "`",
    "\t",
    "a:\n",
    "[*a,",
    "\n ",
    "```\n",
    "---\n",
  ];
  test.each(HOSTILE)("so many of %j", async (piece) => {
    const many = piece.repeat(LENGTH / piece.length);
    const answers = [`objective: ${many}`, `objective: x\n${many}`];
    for (const answer of answers) expect(typeof (await readCheckpoint(answer)).ok).toBe("boolean");
  });

  test("aliases are text, however often they name one another", async () => {
    const bomb = [
      "a: &a [x, x]",
      ...["b", "c", "d"].map((name, at) => `${name}: &${name} [*${"abc"[at]}, *${"abc"[at]}]`),
    ];
    const read = await readCheckpoint(`objective: *d\n${bomb.join("\n")}`);
    expect(read).toEqual({
      ok: true,
      value: {
        ...EMPTY,
        objective: "*d",
        raw_evidence: [
          { label: "a", content: "[x, x]" },
          { label: "b", content: "[*a, *a]" },
          { label: "c", content: "[*b, *b]" },
          { label: "d", content: "[*c, *c]" },
        ],
      },
    });
  });

  test("every beginning of an answer, in every wrapping, is read or refused in one sentence", async () => {
    const wrapped = [FULL, `\`\`\`yaml\n${FULL}\`\`\``, `<checkpoint>\n${FULL}</checkpoint>`, JSON.stringify(READ)];
    for (const answer of wrapped) {
      for (let end = 0; end < answer.length; end += 3) {
        const read = await readCheckpoint(answer.slice(0, end));
        if (!read.ok) expect(read.error).toMatch(/^[^\n]+\.$/);
        else expect(answer).toBe(FULL); // only what has no end of its own can end too early unseen
      }
    }
  });

  test("any text is read, with an objective, or refused in one sentence", async () => {
    const pieces = fc.constantFrom(
      "objective: ",
      "completed:\n",
      "- ",
      "\n",
      "  ",
      "|",
      '"',
      "<checkpoint>",
      "```",
      "{",
      "x",
      ":",
      "\ud800",
    );
    const text = fc.array(fc.oneof(pieces, fc.string({ unit: "binary", maxLength: 5 })), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(text, async (parts) => {
        const read = await readCheckpoint(parts.join(""));
        if (read.ok) expect(read.value.objective.trim()).not.toBe("");
        else expect(read.error).toMatch(/^[^\n]+\.$/);
      }),
      { seed: 11, numRuns: 500 },
    );
  });
});
