/** A model's checkpoint is corrected by facts, none is also one, and each has an end. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { completed, fromFactsAlone } from "../../src/context/checkpoint/complete.ts";
import type { Facts } from "../../src/context/checkpoint/facts.ts";
import { fitted, MIN_BYTES, yamlBytes } from "../../src/context/checkpoint/fitting.ts";
import { checkpointMessage } from "../../src/context/checkpoint/message.ts";
import { readCheckpoint } from "../../src/context/checkpoint/read.ts";
import { writeCheckpoint } from "../../src/context/checkpoint/write.ts";
import { byteLength } from "../../src/shared/index.ts";
import { anyCheckpoint, anyText, EMPTY, READ } from "./checkpoint-samples.ts";
import { says } from "./workshop.ts";

const ROOM = 48 * 1024;
const NOTHING: Facts = {
  objective: "do x",
  isInTurn: false,
  words: [],
  said: [],
  changes: [],
  running_processes: [],
  read: [],
  failed_attempts: [],
  tried: [],
  previous: undefined,
  going: [],
};
const SAID = "said by the user, word for word, the newest last";
const NEXT = "\n\n[next message]\n\n";
const A = { path: "src/a.ts", what: "changed 2 times, +3 −1" };
const B = { path: "b.ts", what: "changed once, +1 −0, new" };

describe("what a model wrote", () => {
  test("is kept where no fold knows better", () => {
    const said = { ...READ, running_processes: [] };
    expect(completed(said, NOTHING, ROOM)).toEqual(said);
  });

  test("the facts of changes, with its words about them; what nobody recorded is marked", () => {
    const changes = ["src/a.ts: parse in one pass", "tests for src/a.ts", "data/b.ts moved", "ran the migration"];
    expect(completed({ ...READ, changes }, { ...NOTHING, changes: [A, B] }, ROOM).changes).toEqual([
      "src/a.ts: changed 2 times, +3 −1; parse in one pass; tests for src/a.ts",
      "b.ts: changed once, +1 −0, new",
      "not recorded, as summed up: data/b.ts moved",
      "not recorded, as summed up: ran the migration",
    ]);
  });

  test("a path that is empty names nothing", () => {
    const changes = [{ path: "", what: "changed once, +0 −0" }];
    expect(completed({ ...READ, changes: ["a"] }, { ...NOTHING, changes }, ROOM).changes).toEqual([
      ": changed once, +0 −0",
      "not recorded, as summed up: a",
    ]);
  });

  test("the same again does not pile up", () => {
    const facts = { ...NOTHING, changes: [A, B] };
    const once = completed({ ...READ, changes: ["src/a.ts: one pass", "migrated"] }, facts, ROOM);
    expect(completed(once, facts, ROOM)).toEqual(once);
    const later = { ...facts, changes: [{ ...A, what: "changed 3 times, +4 −1" }, B] };
    expect(completed(once, later, ROOM).changes[0]).toBe("src/a.ts: changed 3 times, +4 −1; one pass");
  });

  test("processes are those of the folds, whatever it says", () => {
    const runs = [{ id: "p2", command: "make", status: "running" }];
    expect(completed(READ, { ...NOTHING, running_processes: runs }, ROOM).running_processes).toEqual(runs);
  });

  test("changed files that it forgot are important too, its reasons stay", () => {
    expect(completed(READ, { ...NOTHING, changes: [A, B] }, ROOM).important_files).toEqual([
      { path: "src/a.ts", reason: "the parser" },
      { path: "b.ts", reason: "changed once, +1 −0, new" },
    ]);
  });

  test("what failed is said once; of what it lists itself, what an earlier checkpoint knew is not added", () => {
    const previous = {
      ...EMPTY,
      failed_attempts: ["[… 3 more left out …]", "old way", "bash: y → boom", "bash: z → no"],
      decisions: ["Keep passwords in plain text", "Keep the API"],
    };
    const facts = { ...NOTHING, previous, tried: ["bash: z", "bash: x"], failed_attempts: ["bash: x → no"] };
    const made = completed({ ...READ, failed_attempts: ["`bash`: x → no"], decisions: ["Hash them"] }, facts, ROOM);
    expect([made.failed_attempts, made.decisions]).toEqual([["`bash`: x → no"], ["Hash them"]]);
    const silent = completed({ ...READ, failed_attempts: [], decisions: [] }, facts, ROOM);
    expect(silent.failed_attempts).toEqual(["old way", "bash: y → boom", "bash: x → no"]);
    expect(silent.decisions).toEqual(["Keep passwords in plain text", "Keep the API"]);
  });

  test("evidence is cut, earlier evidence carried on once, and the user's words are the last", () => {
    const previous = {
      ...EMPTY,
      raw_evidence: [
        { label: "from an earlier summary: stale", content: "s" },
        { label: "trace", content: "t" },
        { label: "Output", content: "2 failed" },
        { label: "copy", content: "1 failed\n  in a.ts" },
        { label: "the newest part of the conversation, as text", content: "long" },
        { label: "said by the user in the newest turn, word for word", content: "never touch legacy/" },
      ],
    };
    const own = [
      ...READ.raw_evidence,
      { label: "log", content: "l".repeat(20_000) },
      { label: "said by the user, word for word", content: "push to main" },
    ];
    const facts = { ...NOTHING, previous, words: ["do x", "not y"], said: ["go on", "do x", "not y"] };
    const made = completed({ ...READ, raw_evidence: own }, facts, ROOM).raw_evidence;
    expect(made).toEqual([
      { label: "from an earlier summary: trace", content: "t" },
      ...READ.raw_evidence,
      { label: "log", content: `${"l".repeat(8 * 1024 - 6)} […]` },
      { label: SAID, content: ["never touch legacy/", "go on", "do x", "not y"].join(NEXT) },
    ]);
    const later = { ...NOTHING, previous: { ...EMPTY, raw_evidence: made }, isInTurn: true, words: ["and z"] };
    expect(completed({ ...READ, raw_evidence: [] }, later, ROOM).raw_evidence.map(({ label }) => label)).toEqual([
      "from an earlier summary: output",
      "from an earlier summary: log",
      SAID,
    ]);
  });

  test("of the user's words the very first and the newest stay, in half of the room", () => {
    const said = ["never touch legacy/", ...Array.from({ length: 200 }, (_, at) => `${at} ${"w".repeat(100)}`)];
    const words = ["n".repeat(ROOM)];
    const first = completed(READ, { ...NOTHING, said, words }, ROOM).raw_evidence.at(-1);
    const previous = { ...EMPTY, raw_evidence: first ? [first] : [] };
    const [kept, ...others] = [
      first,
      completed(READ, { ...NOTHING, said: ["and"], previous }, ROOM).raw_evidence.at(-1),
    ];
    for (const entry of [kept, ...others]) expect(byteLength(entry?.content ?? "")).toBeLessThanOrEqual(ROOM / 2);
    const parts = kept?.content.split(NEXT) ?? [];
    const gap = /^\[… (\d+) more left out …\]$/.exec(parts[1] ?? "");
    expect([parts[0], parts.at(-2)?.slice(0, 5), parts.at(-1)?.slice(-6)]).toEqual([
      "never touch legacy/",
      "199 w",
      "nn […]",
    ]);
    expect(Number(gap?.[1]) + parts.length - 2).toBe(said.length);
  });

  test("in the middle of a turn the message says the words, and the evidence does not", () => {
    const facts = { ...NOTHING, isInTurn: true, words: ["do x"] };
    expect(completed({ ...READ, raw_evidence: [] }, facts, ROOM).raw_evidence).toEqual([]);
  });
});

describe("the folds alone", () => {
  test("say that no model summed this up, and keep the newest part as text", () => {
    const facts: Facts = {
      ...NOTHING,
      changes: [B],
      read: ["c.ts"],
      failed_attempts: ["bash: x → no"],
      words: ["do x"],
      said: ["before", "do x"],
      going: [says("before"), { role: "assistant", content: [{ type: "text", text: "well" }] }, says("do x")],
    };
    expect(fromFactsAlone(facts, ROOM)).toEqual({
      ...EMPTY,
      objective: "do x",
      current_state:
        "No model summed this up: it was put together from what was recorded, and what the work had come to has to be found out by looking at the files.",
      important_files: [
        { path: "b.ts", reason: B.what },
        { path: "c.ts", reason: "read lately" },
      ],
      changes: [`b.ts: ${B.what}`],
      failed_attempts: ["bash: x → no"],
      next_steps: ["Look at the present state of the files and processes named here.", "Go on with the objective."],
      raw_evidence: [
        { label: SAID, content: `before${NEXT}do x` },
        {
          label: "the newest part of the conversation, as text",
          content: 'user: "before"\n\nassistant: "well"\n\nuser: "do x"',
        },
      ],
    });
  });

  test("carry on what an earlier checkpoint knew, and do not show it as text again", async () => {
    const message = checkpointMessage({ yaml: await writeCheckpoint(READ), words: [], turn: "over" });
    const facts = { ...NOTHING, objective: " ", previous: READ, going: [says(message), says("more")] };
    const made = fromFactsAlone(facts, ROOM);
    expect({ ...made, current_state: made.current_state.slice(-40) }).toEqual({
      ...EMPTY,
      objective: "Make the parser fast",
      completed: ["Measured it"],
      current_state: "The last summary before that said: Half done".slice(-40),
      decisions: ["Keep the API"],
      next_steps: ["Look at the present state of the files and processes named here.", "Go on with the objective."],
      raw_evidence: [
        { label: "from an earlier summary: output", content: "1 failed\n  in a.ts\n" },
        { label: "the newest part of the conversation, as text", content: 'user: "more"' },
      ],
    });
  });

  test("of a long conversation its end, as much as there is room for", () => {
    const going = Array.from({ length: 400 }, (_, at) => says(`${at} ${"word ".repeat(100)}`));
    const made = fromFactsAlone({ ...NOTHING, going }, ROOM);
    const text = made.raw_evidence.at(-1)?.content ?? "";
    expect([
      text.startsWith("[… left out …] "),
      text.includes('\n\nuser: "399 word'),
      text.includes('user: "0 '),
    ]).toEqual([true, true, false]);
    expect(yamlBytes(made)).toBeWithin(ROOM * 0.9, ROOM + 1);
  });
});

describe("the end of it", () => {
  test("evidence goes first and its newest last, then what is done with, the oldest first", () => {
    const entry = (name: string): string => `${name} ${"x".repeat(1_000)}`;
    const entries = (name: string): string[] => [1, 2, 3].map((at) => entry(`${name}${at}`));
    const evidence = [1, 2, 3].map((at) => ({ label: `e${at}`, content: entry("e") }));
    const whole = {
      ...EMPTY,
      objective: "x",
      completed: entries("c"),
      decisions: entries("d"),
      next_steps: entries("n"),
      raw_evidence: evidence,
    };
    const shown = (bytes: number): string => {
      const { completed: done, decisions, next_steps: next, raw_evidence: kept } = fitted(whole, bytes);
      const names = [...done, ...decisions, ...next, ...kept.map(({ label }) => label)];
      return names.map((text) => /^\[… (\d)|^(\S+)/.exec(text)?.slice(1).join("") ?? "").join(" ");
    };
    expect([14_000, 11_500, 9_500, 7_500, 5_000].map(shown)).toEqual([
      "c1 c2 c3 d1 d2 d3 n1 n2 n3 e1 e2 e3",
      "c1 c2 c3 d1 d2 d3 n1 n2 n3 2 e3",
      "2 c3 d1 d2 d3 n1 n2 n3 2 e3",
      "3 1 d2 d3 n1 n2 n3 2 e3",
      "3 3 n1 n2 n3 2 e3",
    ]);
  });

  test("a gap in what is dropped counts for all that it stood for", () => {
    const done = ["[… 7 more left out …]", ..."abcdefgh"].map((text) => (text.length > 1 ? text : text.repeat(1_000)));
    expect(fitted({ ...EMPTY, objective: "x", completed: done }, 6_000).completed.slice(0, 2)).toEqual([
      "[… 10 more left out …]",
      "d".repeat(1_000),
    ]);
  });

  test("what has to be escaped counts for what it takes", async () => {
    const odd = Array.from({ length: 40 }, () => '\u0001\u007f"'.repeat(100));
    const made = fitted({ ...EMPTY, objective: "x", completed: odd, decisions: ["</checkpoint>".repeat(500)] }, 12_000);
    expect(byteLength(await writeCheckpoint(made))).toBeLessThanOrEqual(12_000);
  });

  test("whatever is in it, what is written fits, and can be read again", async () => {
    const heavy = fc.record({
      checkpoint: anyCheckpoint,
      long: fc
        .array(anyText, { minLength: 1, maxLength: 5 })
        .map((parts) => parts.join("").repeat(400).slice(0, 6_000)),
      bytes: fc.integer({ min: MIN_BYTES, max: 12_000 }),
      isAlone: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(heavy, async ({ checkpoint, long, bytes, isAlone }) => {
        const previous = { ...checkpoint, completed: [...checkpoint.completed, long], decisions: [long, "x"] };
        const facts: Facts = {
          ...NOTHING,
          objective: `x${long}`,
          previous,
          words: [long],
          said: [long, "y"],
          changes: [{ path: long, what: "new" }],
          going: [says(`z${long}`)],
        };
        const model = {
          ...previous,
          objective: `x${long}`,
          current_state: long,
          raw_evidence: [...checkpoint.raw_evidence, { label: "l", content: long }],
        };
        const yaml = await writeCheckpoint(isAlone ? fromFactsAlone(facts, bytes) : completed(model, facts, bytes));
        expect(byteLength(yaml)).toBeLessThanOrEqual(bytes);
        expect(await readCheckpoint(yaml)).toMatchObject({ ok: true });
      }),
      { seed: 13, numRuns: 40 },
    );
  });
});
