/** What is shown when a session cannot be opened: the one that was open last. */
import { expect, test } from "bun:test";
import type { Core } from "../../../src/tui/app/core.ts";
import { createSessions } from "../../../src/tui/app/sessions.ts";
import type { SessionChoice } from "../../../src/tui/ports.ts";

/** Opens one after the other, as the feed does; those whose name begins with `no` fail. */
function stage() {
  const told: string[] = [];
  const gone = new Set<string>();
  let session: { readonly id: string } | undefined;
  let last: Promise<unknown> = Promise.resolve();
  async function openOne({ resume: id = "new" }: SessionChoice): Promise<void> {
    session = undefined;
    await Promise.resolve();
    if (id.startsWith("no") || gone.has(id)) throw new Error(`${id} cannot be opened`);
    session = { id };
  }
  const feed = {
    session: () => session,
    open(choice: SessionChoice) {
      const done = last.then(() => openOne(choice));
      last = done.catch(() => undefined);
      return done;
    },
  } as Partial<Core["feed"]> as Core["feed"]; // as much of one as is used
  const { open } = createSessions({
    core: { feed, say: (text) => void told.push(text) } as Partial<Core> as Core, // as much of one as is used
    views: { over() {}, pickSession: async () => undefined },
    storeKey: async () => undefined,
    ...{ onLeaving() {}, onOpened() {}, quit() {} },
    onFailure: (error) => void told.push(`the end: ${error.message}`),
  });
  return { open, told, gone, shown: () => session?.id };
}

test("a switch that fails goes back, also when it began while another was under way", async () => {
  const { open, told, shown } = stage();
  await open({ resume: "a" });
  await Promise.all([open({ resume: "b" }), open({ resume: "no-c" })]);
  expect([shown(), told]).toEqual(["b", ["no-c cannot be opened"]]);
  await Promise.all([open({ resume: "no-d" }), open({ resume: "no-e" })]);
  expect([shown(), told.slice(1)]).toEqual(["b", ["no-d cannot be opened", "no-e cannot be opened"]]);
});

test("the first one that fails is the end: there is nothing to go back to", async () => {
  const { open, told } = stage();
  await open({ resume: "no-a" });
  expect(told).toEqual(["the end: no-a cannot be opened"]);
});

test("where the one that was open is gone too, for nothing was said in it, a new one is begun", async () => {
  const { open, told, gone, shown } = stage();
  await open({ resume: "unsaid" });
  gone.add("unsaid");
  await open({ resume: "no-a" });
  expect([shown(), told]).toEqual(["new", ["no-a cannot be opened"]]);
});
