/** Each way in which a server says that a conversation is too long: it is summed up, and the task goes on to its end. */
import { describe, expect, test } from "bun:test";
import type { Fault } from "../../../src/simulator/index.ts";
import { courseOf, inSmallWindow, task } from "../compacting.ts";

const refused = (message: string, status = 400): Fault => ({
  kind: "http",
  status,
  body: { type: "error", error: { type: "invalid_request_error", message } },
});

const FORMS: Readonly<Record<string, Fault>> = {
  "the prompt is too long": refused("prompt is too long: 200123 tokens > 200000 maximum"),
  "the prompt is too long, without numbers": refused("Prompt is too long"),
  "prompt and max_tokens are": refused("input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000"),
  "the request has too many bytes": { kind: "http", status: 413 },
  "a proxy finds it too large": {
    kind: "http",
    status: 413,
    body: "<html><h1>413 Request Entity Too Large</h1></html>",
  },
  "it says so in the stream": {
    kind: "error-event",
    afterEvents: 1,
    error: { type: "invalid_request_error", message: "prompt is too long: 200123 tokens > 200000 maximum" },
  },
};

describe("too long a conversation, because", () => {
  for (const [what, fault] of Object.entries(FORMS)) {
    test(what, () => {
      const script = task({ steps: 5, faultOf: (step) => (step === 4 ? fault : undefined) });
      return inSmallWindow({ script }, async (house) => {
        await house.say("Print many lines.");
        expect(courseOf(house)).toEqual([
          "request failed: context-overflow",
          "compacted reactive-overflow by aux",
          "completed",
        ]);
        expect(house.of("model.request-failed")).toMatchObject([{ attempts: 1 }]);
      });
    });
  }

  test("the window was full before the answer's end", () => {
    const script = task({
      steps: 5,
      stopReasonOf: (step) => (step === 4 ? "model_context_window_exceeded" : undefined),
    });
    return inSmallWindow({ script }, async (house) => {
      await house.say("Print many lines.");
      expect(courseOf(house)).toEqual(["compacted reactive-overflow by aux", "completed"]);
    });
  });
});
