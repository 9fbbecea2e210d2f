import { expect, test } from "bun:test";
import { uniqueToolUseId } from "../../src/agent/tool-use-ids.ts";
import { conversation } from "../../src/session/index.ts";
import { type DurableInput, fold } from "../../src/shared/index.ts";
import { begun, called, compacted, done, failed, given, said } from "../session/log-words.ts";

const idsAfter = (...inputs: readonly (DurableInput | readonly DurableInput[])[]) =>
  uniqueToolUseId(fold(conversation, given(begun, said("fix"), ...inputs)));

test("an id that was not used is taken as it is", () => {
  expect(idsAfter()("call_0", [])).toBe("call_0");
  expect(idsAfter(called("r1", "a"), done("a", "A"))("call_0", [{ toolUseId: "b" }])).toBe("call_0");
});

test("an id that comes again gets a number: within an answer, in the conversation, after a checkpoint, after a failure", () => {
  expect(idsAfter()("a", [{ toolUseId: "a" }, { toolUseId: "a_2" }])).toBe("a_3");
  expect(idsAfter(called("r1", "a"), done("a", "A"))("a", [])).toBe("a_2");
  expect(idsAfter(called("r1", "a"), done("a", "A"), compacted(7))("a", [])).toBe("a_2");
  expect(idsAfter(called("r1", "a").slice(0, -1), failed("r1"))("a", [])).toBe("a_2");
});
