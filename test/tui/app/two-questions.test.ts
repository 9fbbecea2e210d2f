/**
 * Calls ask one after the other, and so do the files that one message mentions. Two questions stand at once where a message that
 * is sent meanwhile mentions a file: then the older one is shown, with how many wait, and each is answered for itself.
 */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { HOLD_MS } from "../../../src/tui/view/permission/held-answer.ts";
import { DEAD_MS } from "../../../src/tui/view/permission-panel.ts";
import { openHostileStage } from "./hostile-stage.ts";

test("a call's and a mentioned file's are answered one by one, each as it was meant", async () => {
  const stage = await openHostileStage("");
  const { house, shown, terminal, frame } = stage;
  const waiting = () => shown.core.view().questions.length;
  const answer = async (...keys: readonly string[]) => {
    for (const one of keys) {
      await Bun.sleep(DEAD_MS + HOLD_MS); // it counts only when it can have been read
      terminal.send(one);
    }
  };
  try {
    const outside = join(house.root, "notes.txt");
    writeFileSync(outside, "from outside\n");
    const run = { type: "tool_use", name: "bash", input: { command: "touch made" } } as const;
    await stage.say("go", { content: [run] });
    expect(frame()).toContain("── Run a command? ──");

    const { editor } = terminal.screen;
    for (const path of [outside, join(house.root, "gone.txt")]) {
      editor.insertChip({ kind: "mention", label: `@${path}`, value: path });
      editor.insert(" ");
    }
    terminal.send("\r");
    await stage.until(() => waiting() === 2);
    expect(frame()).toContain("── Run a command? · 1 of 2 ──");
    expect(frame()).toContain("$ touch made");

    await answer("\t", "n"); // what was written before keeps the letters until Tab
    await stage.until(() => frame().includes("Give the model a file that you mentioned?"));
    expect([waiting(), frame().includes("1 of")]).toEqual([1, false]);
    expect(frame()).toContain("notes.txt");
    await answer("y");
    await stage.until(() => frame().includes("gone.txt") && waiting() === 1);
    await answer("n");
    await stage.until(() => shown.core.view().activity.kind === "idle");
    const decided = shown.core.view().items.flatMap((item) => {
      if (item.kind === "call") return [`${item.state} ${item.output}`];
      return item.kind === "user" ? item.mentions.map(({ path, notGiven }) => `${path.slice(-9)} ${notGiven}`) : [];
    });
    expect(decided).toEqual(["failed The user refused.", "notes.txt undefined", "/gone.txt The user refused."]);
  } finally {
    await stage.close();
  }
}, 20_000);
