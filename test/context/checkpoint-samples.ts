/** Checkpoints for tests: one with something under every kind of key, as YAML and as what is read from it. */
import fc from "fast-check";
import type { Checkpoint } from "../../src/context/checkpoint/types.ts";

export const EMPTY: Checkpoint = {
  objective: "",
  completed: [],
  current_state: "",
  important_files: [],
  changes: [],
  failed_attempts: [],
  decisions: [],
  running_processes: [],
  next_steps: [],
  raw_evidence: [],
};
export const FULL = `objective: Make the parser fast
completed:
  - Measured it
current_state: Half done
important_files:
  - path: src/a.ts
    reason: the parser
changes: []
failed_attempts: []
decisions:
  - Keep the API
running_processes:
  - id: p1
    command: npm run dev
    status: running
next_steps:
  - Run the tests
raw_evidence:
  - label: output
    content: |
      1 failed
        in a.ts
`;
export const READ: Checkpoint = {
  ...EMPTY,
  objective: "Make the parser fast",
  completed: ["Measured it"],
  current_state: "Half done",
  important_files: [{ path: "src/a.ts", reason: "the parser" }],
  decisions: ["Keep the API"],
  running_processes: [{ id: "p1", command: "npm run dev", status: "running" }],
  next_steps: ["Run the tests"],
  raw_evidence: [{ label: "output", content: "1 failed\n  in a.ts\n" }],
};

/** What YAML, tags and encodings stumble over. */
const AWKWARD = [
  "\n",
  "\n\n",
  " ",
  "\t",
  "\r",
  "\r\n",
  "- ",
  ": ",
  "#",
  " #",
  "---",
  "...",
  "|",
  ">",
  "'",
  '"',
  "\\",
  "`",
];
const STRANGE = ["*a", "&b", "!c", "%", "@", "{", "}", "[", "]", ",", "? ", "<<", "null", "~", "none", "1.10", "$&"];
const UNSEEN = ["😀", "\ud800", "\udc00", "\u2028", "\u0085", "\ufeff", "\0", "\u001b", "\x7f", "\u200b", "\u00a0"];
const TAGS = [
  "</checkpoint>",
  "<checkpoint>",
  "</CHECKPOINT>",
  "<user-words>",
  "```",
  "objective:",
  "x",
  "x".repeat(300),
];

export const anyText = fc.oneof(
  fc
    .array(fc.constantFrom(...AWKWARD, ...STRANGE, ...UNSEEN, ...TAGS), { maxLength: 12 })
    .map((parts) => parts.join("")),
  fc.string({ unit: "binary", maxLength: 20 }),
);
const texts = fc.array(anyText, { maxLength: 4 });

export const anyCheckpoint: fc.Arbitrary<Checkpoint> = fc.record({
  objective: anyText.filter((text) => text.trim() !== ""),
  completed: texts,
  current_state: anyText,
  important_files: fc.array(fc.record({ path: anyText, reason: anyText }), { maxLength: 3 }),
  changes: texts,
  failed_attempts: texts,
  decisions: texts,
  running_processes: fc.array(fc.record({ id: anyText, command: anyText, status: anyText }), { maxLength: 2 }),
  next_steps: texts,
  raw_evidence: fc.array(fc.record({ label: anyText, content: anyText }), { maxLength: 3 }),
});

/** The same with every lone surrogate replaced. */
export function wellFormedOf<T>(value: T): T {
  if (typeof value === "string") return value.toWellFormed() as T; // as: a string stays one
  if (Array.isArray(value)) return value.map(wellFormedOf) as T; // as: the same shape
  return Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, wellFormedOf(inner)])) as T; // as above
}
