/** What people are told of a command that changed more files than are recorded. */
import { expect, test } from "bun:test";
import { createMarkdown } from "../../src/cli/markdown.ts";
import { createEventLines } from "../../src/cli/transcript.ts";
import type { LogEvent } from "../../src/shared/index.ts";

const changed = (more: object) =>
  ({
    type: "file.modified",
    payload: { path: "a.ts", operation: "exec", diffStats: { added: 1, removed: 0 }, ...more },
  }) as LogEvent; // what a line holds beside its payload is not shown

const asText = (event: LogEvent) => {
  const markdown = createMarkdown();
  return [createEventLines()(event), markdown.take(event)];
};

test("how many more files may have changed is said below the last one", () => {
  expect(asText(changed({ unlisted: 101 }))).toEqual([
    ["  a.ts changed\n", "  101 more files may have changed.\n"],
    "Changed: `a.ts`\n\n101 more files may have changed.\n\n",
  ]);
});

test("and nothing where all are recorded", () => {
  expect(asText(changed({}))).toEqual([["  a.ts changed\n"], "Changed: `a.ts`\n\n"]);
});
