/** The C library and the runtime agree about the day, in zones on both sides of midnight and across the summer's hour. */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";

const DOOR = join(import.meta.dir, "../../src/workspace/index.ts");
const MOMENTS = [
  "2026-01-01T00:30:00Z",
  "2026-06-30T23:30:00Z",
  "2026-03-29T00:59:59Z",
  "1999-12-31T12:00:00Z",
  "2040-02-29T03:00:00Z",
];

/** A zone is chosen when a process begins, so each is asked in one of its own. */
const PROGRAM = `
  const { localDay } = await import(${JSON.stringify(DOOR)});
  const days = ${JSON.stringify(MOMENTS)}.map((text) => {
    const date = new Date(text);
    const own = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((n) => String(n).padStart(2, "0")).join("-");
    return [localDay(date.getTime()), own];
  });
  console.log(JSON.stringify(days));`;

for (const TZ of ["UTC", "Asia/Tokyo", "America/Los_Angeles", "Asia/Kathmandu", "Europe/Berlin"]) {
  // Without its tables the library knows no zone but UTC; the runtime brings its own.
  test.skipIf(TZ !== "UTC" && !existsSync(`/usr/share/zoneinfo/${TZ}`))(`in ${TZ}`, () => {
    const { stdout, exitCode } = Bun.spawnSync([process.execPath, "-e", PROGRAM], { env: { ...process.env, TZ } });
    const days = JSON.parse(stdout.toString()) as readonly (readonly [string, string])[];
    expect(exitCode).toBe(0);
    expect(days.map(([told]) => told)).toEqual(days.map(([, own]) => own));
  });
}
