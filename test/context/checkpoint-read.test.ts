/** What a model writes is read as it is meant; what is not clear comes back as a sentence to ask again with. */
import { describe, expect, test } from "bun:test";
import { readCheckpoint } from "../../src/context/checkpoint/read.ts";
import { CHECKPOINT_KEYS, type Checkpoint } from "../../src/context/checkpoint/types.ts";
import { EMPTY, FULL, READ } from "./checkpoint-samples.ts";

const indented = (text: string, by: string): string => text.replace(/^(?=.)/gm, by);

describe("the same checkpoint, however it is wrapped", () => {
  const WRAPPED: readonly (readonly [name: string, answer: string])[] = [
    ["bare", FULL],
    ["as a document", `---\n${FULL}`],
    ["as a document that ends, with prose behind it", `---\n${FULL}---\nThat is all.\n`],
    ["in a fence", `\`\`\`yaml\n${FULL}\`\`\``],
    ["in a fence with no name and prose around it", `Here it is:\n\n\`\`\`\n${FULL}\`\`\`\n\nAnything else?`],
    ["in the second of three fences", `\`\`\`bash\nls\n\`\`\`\n\n~~~yml\n${FULL}~~~\n\n\`\`\`\nmore\n\`\`\``],
    ["in a fence that is indented", indented(`\`\`\`yaml\n${FULL}\`\`\``, "   ")],
    ["between tags", `<checkpoint>\n${FULL}</checkpoint>`],
    ["between tags on its own lines", `<checkpoint>${FULL.trimEnd()}</checkpoint>\nDone.`],
    ["in a fence between tags", `Well.\n<checkpoint>\n\`\`\`yaml\n${FULL}\`\`\`\n</checkpoint>`],
    ["with prose before it that mentions the tag", `The <checkpoint> follows.\n\n${FULL}`],
    ["with prose behind it", `${FULL}\nLet me know what else you need.\nI can go on.`],
    ["with only a closing tag", `${FULL}</checkpoint>`],
    ["indented as a whole", indented(FULL, "    ")],
    ["below a key of its own", `checkpoint:\n${indented(FULL, "  ")}`],
    ["with Windows' line ends", FULL.replaceAll("\n", "\r\n")],
    ["in a fence with Windows' line ends", `\`\`\`yaml\n${FULL}\`\`\`\n`.replaceAll("\n", "\r\n")],
    ["with a byte order mark", `\uFEFF${FULL}`],
    ["with tabs for indentation", FULL.replace(/^ +/gm, (blanks) => "\t".repeat(blanks.length / 2))],
    ["as JSON", JSON.stringify(READ)],
    ["as JSON over several lines, with prose", `Sure:\n${JSON.stringify(READ, null, 2)}\nDone.`],
    ["as JSON in a map of its own", JSON.stringify({ checkpoint: READ })],
    [
      "with the names in other letters",
      FULL.replace("next_steps", "Next steps").replace("current_state", "currentState"),
    ],
    ["with a comment where the form has one", FULL.replace("raw_evidence:", "raw_evidence:      # word for word")],
  ];
  for (const [name, answer] of WRAPPED) {
    test(name, async () => {
      expect(await readCheckpoint(answer)).toEqual({ ok: true, value: READ });
    });
  }
});

describe("what stands in the place of something else", () => {
  const MEANT: readonly (readonly [name: string, yaml: string, read: Partial<Checkpoint>])[] = [
    ["a text for a list", "completed: All of it", { completed: ["All of it"] }],
    ["a word for no list", "completed: none\nchanges: None yet.\ndecisions: N/A\nnext_steps: (none)", {}],
    ["the same word in quotes", "completed: 'none'", { completed: ["none"] }],
    ["nothing for anything", "completed:\nchanges: null\ncurrent_state: ~\nimportant_files:\nraw_evidence:", {}],
    ["an entry that is nothing", "completed:\n  - one\n  -\n  - null\n  - ''", { completed: ["one", ""] }],
    ["bullets in a text", "completed: |\n  - one\n  * two", { completed: ["one", "two"] }],
    [
      "numbers and truth",
      "completed: [1.10, true, 0x1F, 2026-01-01]",
      { completed: ["1.10", "true", "0x1F", "2026-01-01"] },
    ],
    ["an entry with a colon", "completed:\n  - Fixed: the parser", { completed: ["Fixed: the parser"] }],
    ["an entry with two", "completed:\n  - Fixed it: a: b", { completed: ["Fixed it: a: b"] }],
    [
      "a map for a list",
      "decisions:\n  parser: by hand\n  tests: in bun",
      { decisions: ["parser: by hand", "tests: in bun"] },
    ],
    ["a map for a text", "current_state:\n  where: here", { current_state: "where: here" }],
    ["a list in a list", "completed:\n  - [a, b]", { completed: ["[a, b]"] }],
    [
      "paths alone",
      "important_files: [src/a.ts, 7]",
      {
        important_files: [
          { path: "src/a.ts", reason: "" },
          { path: "7", reason: "" },
        ],
      },
    ],
    [
      "paths with words",
      "important_files:\n  - src/a.ts - the parser\n  - src/b.ts: its tests",
      {
        important_files: [
          { path: "src/a.ts", reason: "the parser" },
          { path: "src/b.ts", reason: "its tests" },
        ],
      },
    ],
    [
      "a map by path",
      "important_files:\n  src/a.ts: the parser",
      { important_files: [{ path: "src/a.ts", reason: "the parser" }] },
    ],
    [
      "one record for a list",
      "important_files:\n  file: a.ts\n  why: so",
      { important_files: [{ path: "a.ts", reason: "so" }] },
    ],
    [
      "a record with other fields too",
      "running_processes:\n  - {id: p1, pid: 7, cmd: make}",
      {
        running_processes: [{ id: "p1", command: "make", status: "" }],
      },
    ],
    [
      "a process as a text",
      "running_processes: [make watch]",
      { running_processes: [{ id: "", command: "make watch", status: "" }] },
    ],
    [
      "evidence as texts",
      "raw_evidence:\n  - error\n  - log: 'a: b'",
      {
        raw_evidence: [
          { label: "", content: "error" },
          { label: "log", content: "a: b" },
        ],
      },
    ],
    ["a key that nobody asked for", "mood: good\nnothing: ~", { raw_evidence: [{ label: "mood", content: "good" }] }],
    ["a backtick first", "completed:\n  - `npm test` passes", { completed: ["`npm test` passes"] }],
    [
      "an asterisk first",
      "completed:\n  - **Parser**: done\n  - *done*\n  - *.ts",
      { completed: ["**Parser**: done", "*done*", "*.ts"] },
    ],
    [
      "what looks like an anchor, a tag, a directive",
      "completed: \n  - &str is kept\n  - !important\n  - '%d'\n  - %d\n  - @a",
      {
        completed: ["&str is kept", "!important", "%d", "%d", "@a"],
      },
    ],
    ["a number sign", "completed:\n  - fixed #12\n  - kept # a comment", { completed: ["fixed #12", "kept"] }],
    ["a box", "completed:\n  - [x] parser\n  - {a} b", { completed: ["[x] parser", "{a} b"] }],
    ["words behind a quote", "completed:\n  - \"a\" is b\n  - 'it's'", { completed: ['"a" is b', "it's"] }],
    ["an arrow", "completed:\n  - > 90 percent", { completed: ["> 90 percent"] }],
    [
      "a fence and a tag in a block",
      "raw_evidence:\n  - label: l\n    content: |\n      ```yaml\n      <checkpoint>\n      ---\n      ```",
      {
        raw_evidence: [{ label: "l", content: "```yaml\n<checkpoint>\n---\n```\n" }],
      },
    ],
    [
      "a key in a block",
      "current_state: |\n  changes: one\n  changes: two",
      { current_state: "changes: one\nchanges: two\n" },
    ],
  ];
  for (const [name, yaml, read] of MEANT) {
    test(name, async () => {
      expect(await readCheckpoint(`objective: x\n${yaml}`)).toEqual({
        ok: true,
        value: { ...EMPTY, objective: "x", ...read },
      });
    });
  }

  test("an objective with a colon", async () => {
    const read = await readCheckpoint("objective: Fix: the parser\ncompleted: []");
    expect(read).toEqual({ ok: true, value: { ...EMPTY, objective: "Fix: the parser" } });
  });
});

test("a fence in a block does not end the fence around it", async () => {
  const block = "raw_evidence:\n  - label: l\n    content: |\n      ```\n      x\n      ```\n";
  expect(await readCheckpoint(`\`\`\`yaml\nobjective: x\n${block}\`\`\`\n`)).toEqual({
    ok: true,
    value: { ...EMPTY, objective: "x", raw_evidence: [{ label: "l", content: "```\nx\n```\n" }] },
  });
});

describe("what is not clear is refused with a sentence", () => {
  const NO_MAP = `The checkpoint has to be a YAML map with the keys ${CHECKPOINT_KEYS.join(", ")}.`;
  const NOT_FOUND = "No checkpoint was found in the answer: no line begins with `objective:`.";
  const REFUSED: readonly (readonly [name: string, answer: string, error: string])[] = [
    ["nothing", "", NOT_FOUND],
    ["prose", "I am sorry, there is nothing to sum up.", NOT_FOUND],
    ["a list", "- a\n- b", NOT_FOUND],
    ["JSON that is no map", "<checkpoint>\n{objective: x}, 2\n</checkpoint>", NO_MAP],
    ["no objective", "completed: [a]", "The checkpoint has no objective: say in it what the user wants now."],
    [
      "a blank one",
      "objective: '  '\ncompleted: [a]",
      "The checkpoint has no objective: say in it what the user wants now.",
    ],
    [
      "a key twice",
      "objective: x\nchanges: [a]\n\nchanges: [b]",
      "Line 4: the key `changes` stands there a second time.",
    ],
    [
      "a field twice",
      "objective: x\nimportant_files:\n  - path: a\n    path: b",
      "Line 4: the key `path` stands there a second time.",
    ],
    [
      "a fence that is not closed",
      `\`\`\`yaml\n${FULL}`,
      "The checkpoint breaks off: the code fence that it stands in is never closed.",
    ],
    [
      "a tag that is not closed",
      `<checkpoint>\n${FULL}`,
      "The checkpoint breaks off: its closing </checkpoint> is missing.",
    ],
    [
      "an end in a quote",
      'Well:\n\nobjective: x\ncurrent_state: "so',
      'The checkpoint breaks off in its last line, 5: Missing closing "quote.',
    ],
    [
      "an end behind a key",
      "objective: x\ncompleted: [a]\ndecisions:",
      "The checkpoint breaks off behind its last key.",
    ],
    [
      "an end in a key",
      "objective: x\ncompleted:\n  - a\nnext_st",
      'Line 4, "next_st", is not YAML: Implicit map keys need to be followed by map values; put texts with special characters in double quotes or in a block scalar (|).',
    ],
  ];
  for (const [name, answer, error] of REFUSED) {
    test(name, async () => {
      expect(await readCheckpoint(answer)).toEqual({ ok: false, error });
    });
  }
  test("what is longer than any checkpoint", async () => {
    expect(await readCheckpoint(`objective: ${"x".repeat(256 * 1024)}`)).toEqual({
      ok: false,
      error: "The checkpoint has 262155 bytes, and at most 262144 can be read: make it shorter.",
    });
  });
});
