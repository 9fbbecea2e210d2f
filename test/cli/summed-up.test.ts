/** Room that was made, as lists, transcripts and exports tell it: the summary is no answer of the model's. */
import { expect, test } from "bun:test";
import { eventLine } from "../../src/cli/event-line.ts";
import { createMarkdown } from "../../src/cli/markdown.ts";
import { createEventLines } from "../../src/cli/transcript.ts";
import * as w from "../session/log-words.ts";

const events = w.given(
  w.begun,
  w.said("go on"),
  w.asked("c", { purpose: "compaction" }),
  w.text("c", 0, "objective: all of it"),
  w.ended("c"),
  w.compacted(2, {
    ...{ tokensBefore: 41_200, tokensAfterEstimate: 6_040, summaryModel: "m\u001b[2J", route: "aux" },
    checkpointYaml: "objective: all ``` of it\n",
  }),
  w.answered("r", "Here I am."),
  w.event("context.pruned", {
    ...{ toolUseIds: ["a", "b"], placeholder: "gone", tokensReclaimedEstimate: 12_000, imageSha256s: ["x"] },
  }),
);

test("a transcript has a line for each, and the summary's text nowhere", () => {
  const lines = events.flatMap(createEventLines());
  expect(lines.slice(1).join("")).toBe(
    [
      ...["", "you: go on", "— summed up: 41.2K → about 6K tokens, by m —", "", "Here I am."],
      ...["— 2 old results and 1 picture taken out, about 12K tokens —", ""],
    ].join("\n"),
  );
});

test("an export has the checkpoint itself, in a block that nothing in it closes", () => {
  const markdown = createMarkdown();
  const text = events.map(markdown.take).join("");
  expect(text.slice(text.indexOf("## You"))).toBe(
    "## You\n\ngo on\n\n*summed up: 41.2K → about 6K tokens, by m*\n\n" +
      "````yaml\nobjective: all ``` of it\n````\n\nHere I am.\n\n" +
      "*2 old results and 1 picture taken out, about 12K tokens*\n\n",
  );
});

test("the log's list says it in a line", () => {
  const gists = events
    .filter(({ type }) => type.startsWith("context."))
    .map((event) => eventLine(event).slice(48).trim());
  expect(gists).toEqual([
    "summed up: 41.2K → about 6K tokens, by m\u001b[2J", // whoever prints lines cleans them
    "2 old results and 1 picture taken out, about 12K tokens",
  ]);
});
