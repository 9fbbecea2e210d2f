/**
 * The acceptance cases of cases/protocol.json that the kernel, the folds and the client decide together, each driven through
 * the house. What the others belong to is listed, so that a new case cannot be overlooked.
 */
import { describe, expect, test } from "bun:test";
import protocol from "../cases/protocol.json";
import { inHouse, type Setup } from "./driving.ts";
import { CONTENT_PLAYS } from "./protocol-content.ts";
import { FAILURE_PLAYS } from "./protocol-failures.ts";
import { IMAGE_PLAYS } from "./protocol-images.ts";
import type { Play } from "./protocol-plays.ts";

const PLAYS: Readonly<Record<string, Play>> = { ...CONTENT_PLAYS, ...FAILURE_PLAYS, ...IMAGE_PLAYS };

/** Cases of later steps, and cases that one room decides alone. */
const LATER: readonly { readonly id: string; readonly reason: string }[] = [
  { id: "api-044", reason: "the client alone: needs a clock; test/anthropic/silence.test.ts" },
  { id: "api-045", reason: "the client alone: needs a clock; test/anthropic/silence.test.ts" },
  { id: "api-075", reason: "the compiled program in a hostile project; test/e2e" },
];

describe("protocol cases", () => {
  for (const [id, { setup, drive }] of Object.entries(PLAYS)) {
    const why = protocol.cases.find((each) => each.id === id)?.why ?? "no such case";
    test(`${id}: ${why}`, async () => {
      const full: Setup = setup;
      await inHouse(full, drive);
      expect(why).not.toBe("no such case");
    });
  }

  for (const { id, reason } of LATER) {
    test(`${id}: not here (${reason})`, () => expect(Object.keys(PLAYS)).not.toContain(id));
  }

  test("every case is played or said to belong elsewhere", () => {
    const listed = [...Object.keys(PLAYS), ...LATER.map(({ id }) => id)];
    expect(listed.sort()).toEqual(protocol.cases.map(({ id }) => id).sort());
  });
});
