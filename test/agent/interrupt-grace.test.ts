/** What a tool still may do when its turn is stopped: end by itself within the grace, and then its result is kept. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ScriptedBlock } from "../../src/simulator/index.ts";
import type { LocalWorkspace } from "../../src/workspace/index.ts";
import { descendants } from "../e2e/processes.ts";
import { virtualTime } from "../support/virtual-time.ts";
import { bash, type Driven, edit, inHouse, lastSaid, read, say, turn } from "./driving.ts";

const NEXT = "go on";
const script =
  (...first: readonly ScriptedBlock[]) =>
  ({ index, lastUserText }: { readonly index: number; readonly lastUserText: () => string }) =>
    index > 0 || lastUserText().includes(NEXT) ? say("Fine.") : turn(...first);

async function stoppedWhileItPrints(house: Driven): Promise<void> {
  const output = house.next("tool.output");
  house.submit("run it");
  await output;
  house.interrupt();
  await house.settled();
}

test("a command that cleans up when it is told to end: what it printed is kept", async () => {
  const command = "trap 'echo cleaned; exit 0' TERM; echo begun; while :; do sleep 0.01; done";
  await inHouse({ script: script(bash(command)) }, async (house) => {
    await stoppedWhileItPrints(house);
    const [ended] = house.of("tool.cancelled");
    expect([ended?.reason, ended?.modelText]).toEqual(["interrupted", expect.stringMatching(/begun[\s\S]*cleaned/)]);
    await house.say(NEXT);
    expect(lastSaid(house)).toEqual(["error", `text: ${NEXT}`]);
  });
});

test("a command that does not want to end, and its children: killed after the grace", async () => {
  const command =
    "trap '' TERM; (trap '' TERM; echo $BASHPID > child.md; sleep 300) & echo $$ > own.md; echo begun; sleep 300";
  await inHouse({ script: script(bash(command)) }, async (house) => {
    await stoppedWhileItPrints(house);
    for (const file of ["own.md", "child.md"]) {
      const pid = Number(readFileSync(join(house.cwd, file), "utf8"));
      expect(alive().map((one) => one.pid)).not.toContain(pid);
    }
    await house.say(NEXT);
    expect(lastSaid(house)).toEqual(["error", `text: ${NEXT}`]);
  });
});

/** Of this process; what has lost its parent is somebody else's child, so all of the system is looked at. */
const alive = () => descendants(1);

/** A workspace whose next write waits until it is let go. */
function held() {
  const begun = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const workspace = (own: LocalWorkspace): LocalWorkspace => ({
    ...own,
    async writeFile(...args) {
      begun.resolve();
      await go.promise;
      return own.writeFile(...args);
    },
  });
  return { begun: begun.promise, go: go.resolve, workspace };
}

test("a change that is made within the grace is a result like any other", async () => {
  const { begun, go, workspace } = held();
  const time = virtualTime();
  const outside = { workspace, clock: time.client };
  await inHouse(
    { script: script(read("a.md"), edit("a.md", "one", "two")), files: { "a.md": "one\n" }, outside },
    async (house) => {
      house.submit("change it");
      await begun;
      house.interrupt();
      go();
      await house.settled();
      expect(house.of("tool.completed")).toHaveLength(2);
      expect(house.of("file.modified")).toMatchObject([{ path: "a.md" }]);
      expect(time.armed).toBe(0);
      await house.say(NEXT);
      expect(lastSaid(house)).toEqual(["result", "result", `text: ${NEXT}`]);
    },
  );
});

test("one that is made after the grace is recorded as a fact, and its call as stopped", async () => {
  const { begun, go, workspace } = held();
  const time = virtualTime();
  const outside = { workspace, clock: time.client };
  await inHouse(
    {
      script: script(read("a.md"), edit("a.md", "one", "two"), read("a.md")),
      files: { "a.md": "one\n" },
      outside,
    },
    async (house) => {
      house.submit("change it");
      await begun;
      house.interrupt();
      time.passSoon(1_000);
      await house.settled();
      expect(house.of("tool.cancelled").map(({ modelText }) => modelText)).toEqual([
        expect.stringContaining("while it was running"),
        "[Cancelled by the user. It was not run.]",
      ]);
      const changed = house.next("file.modified");
      go();
      expect((await changed).payload).toMatchObject({ path: "a.md" });
      await house.say(NEXT);
      expect(lastSaid(house)).toEqual(["result", "error", "error", `text: ${NEXT}`]);
    },
  );
});
