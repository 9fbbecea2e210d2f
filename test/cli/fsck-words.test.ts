/** What a check says to a person of calls without a result. */
import { expect, test } from "bun:test";
import { fsckText } from "../../src/cli/fsck-words.ts";
import type { LogVerdict } from "../../src/session/index.ts";

const verdict: LogVerdict = {
  sessionId: "S",
  path: "/S.jsonl",
  verdict: "ok",
  resumable: true,
  events: 9,
  tornBytes: 0,
  damage: [],
  unpaired: ["t1", "t2", "t3"],
  leftOpen: [
    { toolUseId: "t2", isWaiting: true },
    { toolUseId: "t3", isWaiting: false },
  ],
};

const said = (changes: Partial<LogVerdict>): readonly string[] =>
  fsckText({
    verdict: { ...verdict, ...changes },
    mismatches: [],
    missingImages: [],
    isPrefixMissing: false,
    isSession: true,
  })
    .split("\n")
    .filter((line) => line.startsWith("  call"));

test("a call is said to be closed by a resume only if it will be", () => {
  expect(said({})).toEqual([
    "  call t1 has no result; a resume closes it, and runs nothing again",
    "  call t2 waits for your consent; a resume asks again",
    "  call t3 stands behind one that waits for your consent; a resume comes to it then",
  ]);
  const bare = ["t1", "t2", "t3"].map((id) => `  call ${id} has no result`);
  expect(said({ resumable: false })).toEqual(bare);
});
