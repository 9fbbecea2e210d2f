/** The generator itself: it tells the same story twice, and between them its stories hold everything that can happen. */
import { expect, test } from "bun:test";
import { tellStory } from "./session-events.ts";
import { situationsIn } from "./story/situations.ts";

test("a seed tells one story, and fewer steps tell its beginning", async () => {
  const types = async (steps: number) => (await tellStory({ seed: 8, steps })).events.map(({ type }) => type);
  const whole = await types(8);
  expect(await types(8)).toEqual(whole);
  const beginning = await types(3);
  expect(whole.slice(0, beginning.length)).toEqual(beginning);
  expect(whole.length).toBeGreaterThan(beginning.length);
});

const DUE: readonly string[] = [
  "a checkpoint",
  "a checkpoint made by the server",
  "a compaction of everything",
  "a compaction that keeps a tail",
  "a compaction between turns",
  "compactions in a row",
  "a summary that fails: cancelled",
  "a summary that fails: retryable",
  "a summary that fails: auth",
  "context.pruned",
  "session.model-changed",
  "a resume",
  "a new epoch",
  "a fork",
  "a message by user",
  "a message by kernel",
  "a message while results are missing",
  "a mention that is said",
  "a mention that is queued",
  "a question about a mention",
  "an image that is said",
  "an image that is queued",
  "images that are gone",
  "a command of the user's own between requests",
  "another schema",
  "a schema that is taken away",
  "an answer that does not fit",
  "a fallback",
  "a loop that ends: fallback",
  "a loop that ends: new-epoch",
  "context",
  "steering at post-tool-batch",
  "steering at pre-model-call",
  "steering at withdrawn",
  "steering after task.completed",
  "steering after task.failed",
  "steering after user.interrupted",
  "an interrupt before any block",
  "an interrupt behind thinking alone",
  "an interrupt behind text",
  "an interrupt behind a call",
  "an interrupt while tools run",
  "an interrupt, then model.request-failed",
  "an interrupt, then model.response-completed",
  "an interrupt, then tool.requested",
  "an interrupt, then session.resumed",
  "partial text",
  "blank text",
  "text",
  "thinking",
  "wordless thinking",
  "redacted thinking",
  ...["end_turn", "tool_use", "max_tokens", "refusal", "pause_turn", "stop_sequence", "later_reason"].flatMap(
    (reason) => [`stop reason ${reason}`, `stop reason ${reason} after tools`],
  ),
  "stop reason model_context_window_exceeded",
  "failure retryable",
  "failure context-overflow",
  "failure cancelled",
  "failure behind a call",
  "failure behind text",
  "cancelled: discarded",
  "cancelled: interrupted",
  "cancelled: resume-recovery",
  "a result before that of an earlier call",
  "a second end of a call",
  "an unknown event",
  "permission.denied",
  "verify.result",
];

test("the stories hold every situation", async () => {
  const found = new Set<string>();
  for (let seed = 0; seed < 300; seed++) {
    const { events } = await tellStory({ seed: seed * 7919, steps: 1 + (seed % 8) });
    for (const situation of situationsIn(events)) found.add(situation);
  }
  expect(DUE.filter((situation) => !found.has(situation))).toEqual([]);
}, 60_000);
