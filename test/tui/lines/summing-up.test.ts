/** `/compact` in lines: asked by number, told while it goes on, stopped, and told what came of it. */
import { setDefaultTimeout, test } from "bun:test";
import type { Script } from "../../../src/simulator/index.ts";
import { asksForSummary, SUMMARY, summingModel } from "../../support/summing-model.ts";
import { onLineStage, STAGE_TIMEOUT_MS } from "./line-stage.ts";

setDefaultTimeout(STAGE_TIMEOUT_MS);

const PROMPT = "\n> ";
const CHOICE = "Number or words of a row, empty for none: ";

test("a conversation is summed up: asked by whom, told that it goes on, stopped, and told what came of it", () => {
  let asked = 0;
  const script: Script = (request) => {
    if (!asksForSummary(request) || ++asked > 1) return summingModel(request);
    const fault = { kind: "silence", afterSeen: "text_delta" } as const;
    return { content: [{ type: "text", text: SUMMARY }], fault };
  };
  const windows = { "claude-opus-5-5": 40_000 };
  return onLineStage({ script, windows }, async ({ type, waitFor, interrupt }) => {
    await waitFor(PROMPT);
    for (let n = 0; n < 4; n++) {
      type("text 8");
      await waitFor(PROMPT);
    }
    type("/compact");
    await waitFor(
      /\d of 8 messages go[\s\S]*Who sums it up\?[\s\S]*1 {2}claude-haiku-5-5 reads it as text {2}about \$/,
    );
    await waitFor(CHOICE);
    type("1");
    await waitFor("Summing up the conversation; Ctrl+C stops it.");
    interrupt();
    await waitFor("! Stopped. The conversation is as it was.");
    await waitFor(PROMPT);
    type("/compact");
    await waitFor(CHOICE);
    type("1");
    await waitFor(/─ summed up: \S+ → about \S+ tokens, by claude-haiku-5-5, \$0\.\d+\n/);
    await waitFor(/✓ Summed up from \S+ tokens/);
    await waitFor(PROMPT);
  });
});
