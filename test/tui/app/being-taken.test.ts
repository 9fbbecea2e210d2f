/** A message whose files are still being read, in the whole interface with a real engine: the turn has begun, though no event tells. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { key } from "../input/keys.ts";
import { type HostileStage, openHostileStage } from "./hostile-stage.ts";

let stage: HostileStage;
beforeEach(async () => {
  stage = await openHostileStage("");
  writeFileSync(join(stage.house.cwd, "a.ts"), "export {};\n");
  const { editor } = stage.terminal.screen;
  editor.setText("look at ");
  editor.insertChip({ kind: "mention", label: "@a.ts", value: "a.ts" });
});
afterEach(() => stage.close());

const press = (word: string) => stage.shown.handlers.key(key(word));
const isOver = () => stage.shown.core.feed.session()?.isBusy() === false;
const types = () => stage.shown.core.view().items.map(({ kind }) => kind);

test("Esc stops it: it is recorded, the model is not asked, and the next message works", async () => {
  press("enter");
  expect(stage.shown.core.view().activity.kind).toBe("idle");
  expect(press("escape")).toBe(true);
  await stage.until(isOver);
  await stage.until(() => types().includes("user"));
  expect(stage.house.simulator.requests.filter(({ path }) => path.includes("messages"))).toEqual([]);
  await stage.say("go on");
  expect(stage.frame()).toContain("Done.");
});

test("a command that needs the turn to be over is refused", async () => {
  const before = stage.shown.core.feed.session()?.id;
  press("enter");
  stage.terminal.screen.editor.setText("/new");
  press("escape"); // closes the palette
  press("enter");
  await stage.until(isOver);
  await stage.until(() => stage.frame().includes("/new waits for the end of the turn"));
  expect(stage.shown.core.feed.session()?.id).toBe(before);
});
