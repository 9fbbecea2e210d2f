/** A command of the user's own, in the whole interface with a real engine: it is seen while it runs, and Esc stops it. */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openHostileStage } from "./hostile-stage.ts";

test("is told while it runs; Esc kills its group, and what it did until then is recorded", async () => {
  const stage = await openHostileStage("");
  const { house, shown, terminal, frame } = stage;
  try {
    terminal.screen.editor.setText("!echo $$; touch ready; sleep 306");
    terminal.send("\r");
    await stage.until(() => existsSync(join(house.cwd, "ready")));
    expect(frame()).toContain("◌ ! echo $$; touch ready; sleep 306");
    expect(frame()).toMatch(/● Running echo .*esc stop/);
    terminal.send("\x1b");
    await stage.until(() => shown.core.view().activity.kind === "idle");
    expect(frame()).toContain("! echo $$; touch ready; sleep 306  stopped");
    const [shell] = shown.core.view().items.filter((item) => item.kind === "shell");
    expect([shell?.exitCode, shell?.output]).toEqual([null, expect.stringMatching(/^\d+\n\[cancelled and killed\]$/)]);
    expect(() => process.kill(-Number.parseInt(shell?.output ?? "", 10), 0)).toThrow("ESRCH");
  } finally {
    await stage.close();
  }
});
