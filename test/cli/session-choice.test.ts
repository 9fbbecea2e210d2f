/** Which session a run works in: what contradicts itself is refused, for one of two sessions would be passed over in silence. */
import { describe, expect, test } from "bun:test";
import { parseArguments } from "../../src/cli/args.ts";
import { type SessionChoice, sessionChoice } from "../../src/cli/session-choice.ts";

const ID = "01J8ZQ0000SESS0000000000AA";

function choiceOf(words: string): SessionChoice | string {
  const parsed = parseArguments(words.split(" "));
  if (!parsed.ok) return parsed.error;
  try {
    return sessionChoice(parsed.value);
  } catch (error) {
    return error instanceof Error ? error.message : "thrown";
  }
}

describe("two flags that name a session", () => {
  for (const words of [`-c --resume ${ID}`, "--resume=said --continue", `-c --fork ${ID}`, `-r --fork ${ID}`]) {
    test(`${words}: refused`, () => expect(choiceOf(`-p ${words} x`)).toContain("leave out"));
  }

  test("are taken where they mean the same", () => {
    expect(choiceOf("-p -c -r x")).toEqual({ resume: "" });
    expect(choiceOf(`-p -c --fork-session --session-id ${ID} x`)).toEqual({ resume: "", fork: {}, sessionId: ID });
  });
});
