/** A verification gate whose checks are green or red by chance; what it records is what the real one would. */
import type { VerificationGate } from "../../../src/agent/index.ts";
import type { World } from "./world.ts";

export const scriptedVerifier = (world: World): VerificationGate => ({
  async take(step) {
    const { handle } = world.session;
    if (step.kind === "nudge") {
      const text = `The check fails. ${world.count()}`;
      handle.publish({ type: "user.message-created", payload: { text, mentions: [], by: "kernel" } });
      return;
    }
    if (step.attempt !== undefined) {
      const withheldCandidateSeq = handle.state().turn.lastResponse?.textSeq ?? 0;
      const payload = { attempt: step.attempt, detectedChecks: ["bun test"], withheldCandidateSeq };
      handle.publish({ type: "task.verification-requested", payload });
    }
    if (step.kind === "withhold") return;
    const coversSeq = handle.state().lastSeq;
    const about = {
      runId: `v${world.count()}`,
      trigger: "gate",
      cwd: "/p",
      treeHash: "h",
      observedFrom: "khaelor",
    } as const;
    const ran = { command: "bun test", exitCode: world.dice.pick([0, 0, 1]), durationMs: 1, summary: "ran", coversSeq };
    handle.publish({ type: "verify.result", payload: { ...about, ...ran } });
  },
  async observe() {},
  lookAgain: async (state) => state,
});
