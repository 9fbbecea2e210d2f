import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { upToDate } from "./binary.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "khaelor-binary-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A product whose build notes that it ran, and takes long enough for others to arrive. */
function product(name: string) {
  const root = join(folder, name);
  const [outfile, notes, src] = [join(root, "dist/out"), join(root, "notes"), join(root, "src")];
  mkdirSync(join(src, "room"), { recursive: true });
  writeFileSync(join(src, "room/a.ts"), "1");
  writeFileSync(notes, "");
  const build = async () => {
    await Bun.sleep(30);
    writeFileSync(notes, "built ", { flag: "a" });
    writeFileSync(outfile, "program");
  };
  const age = (path: string, seconds: number) =>
    utimesSync(path, Date.now() / 1000 - seconds, Date.now() / 1000 - seconds);
  return { outfile, notes, src, build, age, run: () => upToDate({ outfile, sources: [src], build }) };
}
const built = ({ notes }: { notes: string }) => readFileSync(notes, "utf8").split(" ").length - 1;

test("it is built when missing, when a source is newer and when a source is gone, and not otherwise", async () => {
  const made = product("stale");
  const counts: number[] = [];
  const count = async () => {
    await made.run();
    counts.push(built(made));
  };
  await count();
  for (const path of ["room/a.ts", "room", "."]) made.age(join(made.src, path), 100);
  await count();
  made.age(made.outfile, 50);
  await count();
  made.age(join(made.src, "room/a.ts"), 10);
  await count();
  rmSync(join(made.src, "room/a.ts"));
  made.age(made.outfile, 5);
  await count();
  expect(counts).toEqual([1, 1, 1, 2, 3]);
});

test("those who come at the same time build once", async () => {
  const made = product("together");
  const paths = await Promise.all([made.run(), made.run(), made.run(), made.run()]);
  expect([paths.every((path) => path === made.outfile), built(made)]).toEqual([true, 1]);
});

test("a build that fails is told, and the next one may try again", async () => {
  const made = product("failing");
  const failing = upToDate({
    outfile: made.outfile,
    sources: [made.src],
    build: () => Promise.reject(new Error("no")),
  });
  await expect(failing).rejects.toThrow("no");
  expect(await made.run()).toBe(made.outfile);
});
