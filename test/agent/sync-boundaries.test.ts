/** When the disk is asked to have everything: after what must not be lost, and before what cannot be taken back. */
import { expect, test } from "bun:test";
import { done, inProject, look, repair } from "./add-project.ts";
import { bash, turn } from "./driving.ts";

/** The durable events of a run, with each sync where it was asked for and where it was done. */
async function course(): Promise<readonly string[]> {
  const seen: string[] = [];
  await inProject([look, repair, turn(bash("sh test.sh")), done], async (house) => {
    const { session } = house.engine;
    const sync = session.sync;
    session.sync = async () => {
      seen.push("sync asked");
      await sync();
      seen.push("sync done");
    };
    session.bus.onAny((event) => {
      if ("seq" in event) seen.push(event.type === "tool.started" ? `started ${event.payload.toolName}` : event.type);
    });
    await house.say("fix add");
  });
  return seen;
}

const between = (seen: readonly string[], from: number, until: RegExp): readonly string[] => {
  const rest = seen.slice(from + 1);
  const end = rest.findIndex((entry) => until.test(entry));
  return end === -1 ? rest : rest.slice(0, end);
};
const placesOf = (seen: readonly string[], what: RegExp): readonly number[] =>
  seen.flatMap((entry, at) => (what.test(entry) ? [at] : []));

test("a call that changes something starts only when its start is on the disk; one that only reads does not wait", async () => {
  const seen = await course();
  const effects = placesOf(seen, /^started (edit|bash)$/);
  expect(effects).toHaveLength(2);
  for (const at of effects) expect(seen.slice(at + 1, at + 3)).toEqual(["sync asked", "sync done"]);
  const [read = 0] = placesOf(seen, /^started read$/);
  expect(between(seen, read, /^tool\.completed$/)).not.toContain("sync asked");
});

test("a response and a batch of results are on their way to the disk before the next thing happens", async () => {
  const seen = await course();
  for (const at of placesOf(seen, /^model\.response-completed$/)) {
    expect(between(seen, at, /^(tool\.|started|task\.)/)).toContain("sync asked");
  }
  for (const at of placesOf(seen, /^tool\.completed$/)) {
    expect(between(seen, at, /^model\.request-started$/)).toContain("sync asked");
  }
});

test("nothing is claimed before what the claim rests on is on the disk", async () => {
  const seen = await course();
  const [claim = 0] = placesOf(seen, /^task\.completed$/);
  const last = placesOf(seen, /^(model|tool|verify|file)\./).findLast((at) => at < claim) ?? 0;
  expect(seen.slice(last + 1, claim).at(-1)).toBe("sync done");
  expect(seen.slice(last + 1, claim)).toContain("sync asked");
});
