/** A whole task in lines, as it is read: the golden transcript. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { expectGolden } from "../../support/frames.ts";
import { onLineStage, STAGE_TIMEOUT_MS, steady } from "./line-stage.ts";

setDefaultTimeout(STAGE_TIMEOUT_MS);

const PROMPT = "\n> ";
const ONCE = "Answer y, n, or n and why: ";
const LASTING = "Answer y, s, a, A, n, or n and why: ";
const FILES = { "notes.md": "# Notes\n\nfirst\nsecond\nthird\n" };

test("a task from its first message to its end", () =>
  onLineStage({ flags: { permissionMode: "ask" }, files: FILES }, async (stage) => {
    const { type, waitFor, interrupt, ended, text, house } = stage;
    await waitFor(PROMPT);
    type("Look at @notes.md and mend it.\\", "read notes.md\\", "edit notes.md second => 2nd");
    await waitFor(LASTING);
    type("yes");
    await waitFor(LASTING);
    type("s");
    await waitFor(PROMPT);
    type("run rm -rf build; touch build");
    await waitFor(ONCE);
    type("n keep build, use another name");
    await waitFor(PROMPT);
    type("run sleep 0.5; chmod 600 notes.md");
    await waitFor(LASTING);
    type("y");
    await waitFor("● bash sleep 0.5");
    type("/queue say that was queued");
    await waitFor("It is said when this turn is over.");
    type("say that was steering");
    await waitFor("   that was queued\n");
    await waitFor(PROMPT);
    type("run sleep 60; chmod 600 notes.md");
    await waitFor(LASTING);
    type("y");
    await waitFor("● bash sleep 60");
    interrupt();
    await waitFor(PROMPT);
    for (const line of ["say **done**", "!seq 30", "/diff", "/copy"]) {
      type(line);
      await waitFor(PROMPT);
    }
    type("/exit");
    expect((await ended).kind).toBe("quit");
    expectGolden("line-mode", steady(text(), house).trimEnd());
    expect(house.simulator.refusals).toEqual([]);
  }));
