/** A session whose folder is gone: nobody guesses where else it may work, and it goes on where the user says. */
import { expect, test } from "bun:test";
import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { engineIn } from "../agent/engines.ts";
import { openHouse } from "../support/house.ts";

test("a session whose folder was moved goes on where -C says, and nowhere else", async () => {
  const house = await openHouse({ script: () => ({ content: [{ type: "text", text: "Hello." }] }) });
  const { home, cwd, engine, simulator } = house;
  await house.say("hello");
  const { id } = engine.session;
  await engine.close();
  renameSync(cwd, `${cwd}-moved`);
  const elsewhere = join(home, "elsewhere");
  mkdirSync(elsewhere);
  const open = (isNamed: boolean, folder: string) =>
    engineIn(house, { resume: id, places: { home, userHome: home, cwd: folder, isNamed } });
  await expect(open(false, elsewhere)).rejects.toThrow(
    `the folder ${cwd} of session ${id} is gone. Make it again, or name the one to go on in: khaelor -C FOLDER --resume ${id}.`,
  );
  house.engine = await open(true, `${cwd}-moved`);
  expect(house.engine.notices).toContain(`This session's folder ${cwd} is gone: it goes on in ${cwd}-moved.`);
  await house.say("hello again");
  expect([house.engine.workspace.cwd(), house.engine.session.state().meta.lastOutcome, simulator.refusals]).toEqual([
    `${cwd}-moved`,
    "completed",
    [],
  ]);
  await house.close();
});
