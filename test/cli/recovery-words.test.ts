/** A resume that had to mend something says so, and where what it took out lies. */
import { expect, test } from "bun:test";
import { appendFileSync, readFileSync, renameSync } from "node:fs";
import { inHouse, say } from "../agent/driving.ts";
import { engineIn } from "../agent/engines.ts";

test("a torn end is told once, where it lies now and in the log", async () => {
  await inHouse({ script: () => say("Hello.") }, async (house) => {
    await house.say("first");
    const { id, path } = house.engine.session;
    await house.engine.close();
    const torn = '{"v":1,"id":"half a li';
    appendFileSync(path, torn);
    const engine = await engineIn(house, { resume: id });
    try {
      expect(engine.notices).toContain(
        `The log had a torn end of ${torn.length} bytes, which was moved to ${path}.torn. It was never accepted.`,
      );
      expect(readFileSync(`${path}.torn`, "utf8")).toBe(torn);
      const [resumed] = await Array.fromAsync(engine.store.read(id)).then((all) =>
        all.filter(({ type }) => type === "session.resumed"),
      );
      expect(resumed?.payload).toMatchObject({ tornBytes: torn.length });
    } finally {
      await engine.close();
    }
    const again = await engineIn(house, { resume: id });
    expect(again.notices).toEqual([]);
    await again.close();
  });
});

test("a torn end is told also where the resume that moved it fails for another reason", async () => {
  await inHouse({ script: () => say("Hello.") }, async (house) => {
    await house.say("first");
    const { id, path } = house.engine.session;
    await house.engine.close();
    appendFileSync(path, '{"v":1');
    renameSync(house.cwd, `${house.cwd}.away`);
    const places = { home: house.home, userHome: house.home, cwd: house.home };
    const failed = await engineIn(house, { resume: id, places }).catch((error: unknown) => error);
    renameSync(`${house.cwd}.away`, house.cwd);
    expect(String(failed)).toContain("The log had a torn end of 6 bytes, which was moved");
    expect(String(failed)).toContain(`${path}.torn.`);
  });
});
