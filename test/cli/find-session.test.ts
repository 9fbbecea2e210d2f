/** Which session is meant when none is named. */
import { expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { findSession } from "../../src/cli/find-session.ts";
import { lastWritten } from "../../src/session/index.ts";
import { PROJECT, STARTED, type Workshop, workshop } from "../session/workshop.ts";

async function session(room: Workshop, text?: string): Promise<string> {
  const made = await room.store.create(STARTED);
  if (text !== undefined) made.publish({ type: "user.message-created", payload: { text, mentions: [] } });
  await made.close();
  return made.id;
}

test("the newest is meant in which something was said; one that never began does not hide it", async () => {
  let now = 1_765_500_000_000;
  using room = workshop({ now: () => now++ });
  await expect(findSession(room.store, "", PROJECT)).rejects.toThrow("no session of this project");
  const empty = await session(room);
  expect(await findSession(room.store, "", PROJECT)).toBe(empty);
  const first = await session(room, "one");
  const second = await session(room, "two");
  expect(await findSession(room.store, "", PROJECT)).toBe(second);
  const begunInVain = await session(room);
  expect(await findSession(room.store, "", PROJECT)).toBe(second);
  expect(await findSession(room.store, begunInVain, PROJECT)).toBe(begunInVain);
  expect(await findSession(room.store, first, PROJECT)).toBe(first);
});

test("a damaged newest session is not passed over in silence", async () => {
  let now = 1_765_500_000_000;
  using room = workshop({ now: () => now++ });
  const sound = await session(room, "one");
  const damaged = await session(room, "two");
  const path = (await room.store.locate(damaged)) ?? "";
  const lines = readFileSync(path, "utf8").split("\n");
  writeFileSync(path, [lines[0], "not an event", ...lines.slice(1)].join("\n"));
  expect(await findSession(room.store, "", PROJECT)).toBe(damaged);
  await expect(room.store.open(damaged)).rejects.toThrow(`session ${damaged} is damaged at line 2 (byte`);
  expect(await findSession(room.store, sound, PROJECT)).toBe(sound);
});

test("how new a damaged one is says its file, for what was written last may stand behind the damage", async () => {
  let now = 1_765_500_000_000;
  using room = workshop({ now: () => now++ });
  const damaged = await session(room, "begun first, written to last");
  const sound = await session(room, "two");
  const path = (await room.store.locate(damaged)) ?? "";
  const lines = readFileSync(path, "utf8").split("\n");
  writeFileSync(path, [lines[0], "not an event", ...lines.slice(1)].join("\n"));
  const all = await room.store.list();
  expect(all.map(({ id }) => id)).toEqual([damaged, sound]);
  expect(all.map(lastWritten)).toEqual([statSync(path).mtimeMs, all[1]?.meta?.updatedAt ?? 0]);
});
