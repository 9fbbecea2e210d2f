/**
 * The acceptance cases of cases/protocol.json that the kernel, the folds and the client decide together, each driven through
 * the house; and the proof that the one which needs the compiled program is played by a test of its own.
 */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import protocol from "../cases/protocol.json";
import { inHouse, type Setup } from "./driving.ts";
import { CONTENT_PLAYS } from "./protocol-content.ts";
import { FAILURE_PLAYS } from "./protocol-failures.ts";
import { IMAGE_PLAYS } from "./protocol-images.ts";
import type { Play } from "./protocol-plays.ts";

const PLAYS: Readonly<Record<string, Play>> = { ...CONTENT_PLAYS, ...FAILURE_PLAYS, ...IMAGE_PLAYS };

/** Played with the compiled program, by a test that names the case. */
const IN_E2E: Readonly<Record<string, string>> = { "api-075": "hostile.test.ts" };

describe("protocol cases", () => {
  for (const [id, { setup, drive }] of Object.entries(PLAYS)) {
    const why = protocol.cases.find((each) => each.id === id)?.why ?? "no such case";
    test(`${id}: ${why}`, async () => {
      const full: Setup = setup;
      await inHouse(full, drive);
      expect(why).not.toBe("no such case");
    });
  }

  for (const [id, file] of Object.entries(IN_E2E)) {
    test(`${id} is played by test/e2e/${file}`, () => {
      const tests = readFileSync(join(import.meta.dir, "../e2e", file), "utf8");
      expect(tests).toMatch(new RegExp(`^test\\("${id}: `, "m"));
    });
  }

  test("every case is played", () => {
    const played = [...Object.keys(PLAYS), ...Object.keys(IN_E2E)];
    expect(played.sort()).toEqual(protocol.cases.map(({ id }) => id).sort());
  });
});
