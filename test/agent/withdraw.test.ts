/** What is queued can be taken back, until it has been delivered: then it is never said, in no fold and after no resume. */
import { expect, test } from "bun:test";
import { sequence } from "../../src/simulator/index.ts";
import { bash, type Driven, inHouse, lastSaid, say, turn } from "./driving.ts";

const steer = (house: Driven, text: string, more: object = {}) => {
  house.engine.agent.dispatch({ kind: "steer", text, ...more });
  return house.engine.session.state().turn.queued.at(-1)?.eventId ?? "";
};
const withdraw = (house: Driven, queuedEventId: string) =>
  house.engine.agent.dispatch({ kind: "withdraw", queuedEventId });
const script = sequence([turn(bash("echo one")), say("Noted."), say("And that.")]);

test("what is taken back in time reaches neither this turn nor the next one", () =>
  inHouse({ script }, async (house) => {
    const started = house.next("tool.started");
    house.submit("run");
    await started;
    const now = steer(house, "be brief");
    const later = steer(house, "now the docs", { deliver: "next-turn" });
    steer(house, "use tabs");
    withdraw(house, now);
    withdraw(house, later);
    withdraw(house, later);
    withdraw(house, "of nobody");
    await house.settled();
    expect(lastSaid(house)).toEqual(["result", "text: use tabs"]);
    expect(house.simulator.requests).toHaveLength(2);
    expect(house.of("user.steering-injected").map(({ seam }) => seam)).toEqual([
      "withdrawn",
      "withdrawn",
      "post-tool-batch",
    ]);
    expect(house.engine.session.state().turn.queued).toEqual([]);
  }));

test("what is delivered stays said", () =>
  inHouse({ script }, async (house) => {
    const started = house.next("tool.started");
    house.submit("run");
    await started;
    const eventId = steer(house, "be brief");
    await house.next("user.steering-injected");
    withdraw(house, eventId);
    await house.settled();
    expect(house.of("user.steering-injected").map(({ seam }) => seam)).toEqual(["post-tool-batch"]);
  }));

test("a resume does not send it, and what was captured with it is said with the next message", () =>
  inHouse({ script: sequence([turn(bash("sleep 30")), say("Again."), say("More.")]) }, async (house) => {
    const started = house.next("tool.started");
    house.submit("run");
    await started;
    const eventId = steer(house, "later", { deliver: "next-turn" });
    house.interrupt();
    await house.settled();
    withdraw(house, eventId);
    expect(house.engine.session.state().turn).toMatchObject({ queued: [], phase: "interrupted", capturedContext: {} });
    await house.reopen();
    expect(house.engine.session.state().turn.queued).toEqual([]);
    await house.say("go on");
    const said = JSON.stringify(house.simulator.requests.at(-1)?.body);
    expect([said.includes("later"), said.includes("go on")]).toEqual([false, true]);
    expect(house.of("user.message-created").at(-1)?.context?.length).toBeGreaterThan(0);
  }));

test("a file that was mentioned in it may not be edited unread", () =>
  inHouse({ script: sequence([turn(bash("sleep 30"))]), files: { "a.ts": "one\n" } }, async (house) => {
    const started = house.next("tool.started");
    house.submit("run");
    await started;
    const read = house.next("file.read");
    steer(house, "see this", { mentions: [{ path: "a.ts" }], deliver: "next-turn" });
    await read;
    withdraw(house, house.engine.session.state().turn.queued[0]?.eventId ?? "");
    house.interrupt();
    await house.settled();
    expect(house.of("user.steering-injected").map(({ seam }) => seam)).toEqual(["withdrawn"]);
    expect(Object.keys(house.engine.session.state().files.seen)).toEqual([]);
  }));
