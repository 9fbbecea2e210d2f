/** What a person and a script are told when a run ends by an exception. */
import { expect, test } from "bun:test";
import { describeFailure } from "../../src/cli/failure.ts";
import { EXIT, StoreError, UserError } from "../../src/shared/index.ts";

test("a log that cannot be used is told apart from what the user named or typed", () => {
  const codes = (
    ["full", "read-only", "locked", "damaged", "changed-outside", "io", "not-found", "too-large"] as const
  ).map((kind) => [kind, describeFailure(new StoreError(kind, "so it is"))] as const);
  const log = { message: "so it is", exitCode: EXIT.log };
  const usage = { message: "so it is", exitCode: EXIT.usage };
  expect(Object.fromEntries(codes)).toEqual({
    full: log,
    "read-only": log,
    locked: log,
    damaged: log,
    "changed-outside": log,
    io: log,
    "not-found": usage,
    "too-large": usage,
  });
});

test("a user's error keeps its own code, and a bug says where it is", () => {
  expect(describeFailure(new UserError("no key", EXIT.auth))).toEqual({ message: "no key", exitCode: EXIT.auth });
  const bug = describeFailure(new Error("broken"));
  expect([bug.exitCode, bug.message.startsWith("internal error: Error: broken\n")]).toEqual([EXIT.internal, true]);
});
