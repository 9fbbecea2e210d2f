/** Who sums up when the first one cannot: the next route, or nobody, and then nothing has changed. */
import { expect, test } from "bun:test";
import type { Fault } from "../../src/simulator/index.ts";
import { AUX } from "../support/summing-model.ts";
import { CHECKPOINT, courseOf, inSmallWindow, summaries, task } from "./compacting.ts";

const refusing = (status: number, type: string): Fault => ({
  kind: "http",
  status,
  body: { type: "error", error: { type, message: `no ${type}` } },
});

for (const [status, type] of [
  [403, "permission_error"],
  [404, "not_found_error"],
  [413, "request_too_large"],
] as const) {
  test(`the auxiliary model answers ${status}: the session's own model sums up`, () =>
    inSmallWindow(
      {
        script: task({
          steps: 9,
          summary: (_attempt, { body }) => ({
            content: [{ type: "text", text: CHECKPOINT }],
            ...(body.model === AUX && { fault: refusing(status, type) }),
          }),
        }),
      },
      async (house) => {
        await house.say("Print nine lines.");
        expect(courseOf(house).slice(1)).toEqual(["compacted proactive-token-budget by main", "completed"]);
        expect(summaries(house)).toBe(1);
      },
    ));
}
