/** Going from session to session in one process gives everything back: nothing is left of what was open before. */
import { expect, test } from "bun:test";
import { type Held, heldBeyond, watchResources } from "../../support/resources.ts";
import { inTerminalHouse } from "../../support/terminal-house.ts";

test("subscriptions, timers, descriptors, handlers and children are gone with each session, and at the end", async () => {
  using watch = watchResources();
  const script = { "slow.sh": "sleep 300.75\n" };
  await inTerminalHouse({ files: script }, async (house) => {
    const { simulator } = house;
    const closed = async (): Promise<Held> => {
      await house.host.close();
      let last: Held | undefined;
      return watch.heldOnce({ simulator }, (held) => {
        const isSame = Bun.deepEquals(held, last);
        last = held;
        return isSame;
      });
    };
    await house.open();
    await house.say("write a.txt one\nrun echo warm");
    await house.run("/diff");
    await house.run("/doctor");
    const start = await closed();

    const first = await house.open();
    first.onNotice(() => undefined);
    await house.say("read a.txt\nedit a.txt one => two\nrun echo two");
    const oldBus = house.host.engine().session.bus;
    await house.open();
    expect(oldBus.subscriptions()).toBe(0);
    for (const line of ["/status", "/context", "/cost", "/diff --stat", "/permissions", "/sessions", "/log tail"]) {
      await house.run(line);
    }
    house.session().dispatch({ kind: "submit-message", text: "run sh slow.sh", mentions: [] });
    await house.open({ resume: first.id });
    await house.queries.promptHistory();
    await house.queries.sessions("two", new AbortController().signal);
    await house.open({ fork: { id: first.id } });
    await house.host.open({ resume: "01KAZZZZZZZZZZZZZZZZZZZZZZ" }).catch(() => undefined);
    const end = await closed();
    const more = (held: Held) => heldBeyond(held, start);
    const nothingMore = { ...start, descriptors: [] };
    const left = await watch.heldOnce({ simulator }, (held) => Bun.deepEquals(more(held), nothingMore));
    expect(more(left)).toEqual(nothingMore);
    expect(end.subscriptions).toBe(0);
  });
}, 20_000);

test("and a listener that outlives its session is one that the host takes away", async () => {
  await inTerminalHouse({}, async (house) => {
    const session = await house.open();
    const { bus } = house.host.engine().session;
    const before = bus.subscriptions();
    session.subscribe(() => undefined);
    expect(bus.subscriptions()).toBe(before + 1);
    await house.open();
    expect(bus.subscriptions()).toBe(0);
  });
});
