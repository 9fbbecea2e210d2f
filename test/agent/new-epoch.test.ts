/** The frozen prefix is gone and cannot be made again as it was: the session goes on all the same, wherever it stood. */
import { describe, expect, test } from "bun:test";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sequence } from "../../src/simulator/index.ts";
import { bash, type Driven, inHouse, say, sent, text, thinking, turn } from "./driving.ts";

/** The blobs are lost, and the instructions have changed since. */
async function loseThePrefix(house: Driven): Promise<void> {
  const { session } = house.engine;
  const blobs = join(house.home, "blobs");
  for (const name of readdirSync(blobs)) rmSync(join(blobs, name));
  writeFileSync(join(house.cwd, "CLAUDE.md"), "Be kind.\n");
  const { breaks } = session.state().conversation;
  house.events.length = 0;
  await house.reopen();
  expect(house.engine.session.state().conversation.breaks).toBeGreaterThan(breaks);
  expect(house.engine.notices.join("\n")).toContain("goes on with new ones");
}

const work = turn(thinking("First I look."), text("Looking."), bash("sh look.sh"));
const files = { "look.sh": "echo seen\n" };

describe("with the prefix lost", () => {
  test("between turns, a session goes on with its own messages", async () => {
    await inHouse({ script: sequence([turn(thinking("Hm."), text("Yes.")), say("And yes.")]) }, async (house) => {
      await house.say("ready?");
      await loseThePrefix(house);
      await house.say("again?");
      expect(sent(house).map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    });
  });

  test("between a result and the next request, it goes on with what was said and done, as text", async () => {
    await inHouse(
      { script: (request) => (request.index === 0 ? workOnce(request.lastUserText()) : say("Done.")), files },
      async (house) => {
        const completed = house.next("tool.completed");
        house.submit("look around");
        await completed;
        house.interrupt();
        await house.settled();
        await loseThePrefix(house);
        house.engine.agent.resume();
        await house.settled();
        const [first] = sent(house);
        const said = first?.content[0]?.text ?? "";
        for (const part of [
          'user: "look around"',
          'assistant: "Looking."',
          'called bash {"command":"sh look.sh"}',
          'result: "seen',
        ])
          expect(said).toContain(part);
        expect(said).not.toContain("First I look.");
        await house.say("and now?");
        expect(house.of("task.completed")).toHaveLength(2);
      },
    );
  });

  test("while a call waits for consent, that call is closed: its question cannot be kept", async () => {
    const asking = { flags: { permissionMode: "ask" }, somebodyToAsk: true } as const;
    await inHouse({ ...asking, script: ({ lastUserText }) => workOnce(lastUserText()), files }, async (house) => {
      const asked = house.next("permission.requested");
      house.submit("look around");
      await asked;
      await loseThePrefix(house);
      expect(house.engine.session.state().turn).toMatchObject({ phase: "open", pending: [], permissions: [] });
      await house.say("leave it");
      expect(house.types().at(-1)).toBe("task.completed");
    });
  });
});

/** Works when it is first asked, and is done when it is told what was. */
const workOnce = (said: string) => (said.includes("<conversation>") ? say("Done.") : work);
