/** Without what was said before one can work all the same. */
import { expect, test } from "bun:test";
import { openConsentStage } from "./consent-stage.ts";

test("a history that cannot be read is told, and ends nothing", async () => {
  const stage = await openConsentStage(async () => {
    throw new Error("EIO: the disk is gone");
  });
  await stage.act({ kind: "paint" });
  expect(stage.wrong).toEqual([]);
  expect(stage.frame()).toContain("What was written before cannot be read: EIO: the disk is gone");
  stage.close();
});
