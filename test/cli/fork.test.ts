/** Going on in a fork, through the whole house: same bytes to the model, both branches warm, nothing shared but the past. */
import { expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Engine, EngineOptions } from "../../src/cli/engine.ts";
import { watchRun } from "../../src/cli/result.ts";
import { appendOnlyViolations, type RecordedRequest, type Script } from "../../src/simulator/index.ts";
import { bash, call, type Driven, expectSound, inHouse, read, say, text, thinking, turn } from "../agent/driving.ts";
import { engineIn } from "../agent/engines.ts";

/** Reads the file, then answers whatever it is asked. */
const reader: Script = (request) =>
  request.toolResults().length === 0
    ? turn(thinking("I have to see it."), text("Reading."), read("a.txt"))
    : say("It is read.");

const FILES = { "a.txt": `${"words of a file\n".repeat(400)}` };

async function inFork(
  house: Driven,
  options: Partial<EngineOptions>,
  work: (engine: Engine) => Promise<void>,
): Promise<string> {
  const engine = await engineIn(house, { resume: house.engine.session.id, fork: {}, ...options });
  try {
    await work(engine);
    await expectSound({ engine });
    return engine.session.path;
  } finally {
    await engine.close();
  }
}

async function ask({ agent }: Engine, words: string): Promise<void> {
  agent.dispatch({ kind: "submit-message", text: words, mentions: [] });
  await agent.settled();
}

test("the parent stays open and as it is; both go on from the same bytes, and the fork finds them in the cache", async () => {
  await inHouse({ script: reader, files: FILES }, async (house) => {
    await house.say("first");
    const { path, id } = house.engine.session;
    const before = readFileSync(path);
    const shared: readonly RecordedRequest[] = [...house.simulator.requests];
    let usage: unknown;
    const fork = await inFork(house, { name: "Other way" }, async (engine) => {
      const watch = watchRun(engine.session, Date.now);
      const stop = engine.session.bus.onAny(watch.onEvent);
      await ask(engine, "in the fork");
      stop();
      const result = watch.finish({});
      usage = result.usage;
      expect(result.num_turns).toBe(1);
      expect(engine.session.state().meta).toMatchObject({ title: "Other way", forkedFrom: { sessionId: id } });
    });
    const own = house.simulator.requests.slice(shared.length);
    expect(appendOnlyViolations([...shared, ...own])).toEqual([]);
    expect(own).toHaveLength(1);
    expect(own[0]?.usage?.cache_read_input_tokens).toBeGreaterThan(1_000);
    expect(usage).toMatchObject({ cache_read: own[0]?.usage?.cache_read_input_tokens });

    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readFileSync(fork).subarray(0, before.length).equals(before)).toBe(true);
    await house.say("in the parent");
    const parents = [...shared, ...house.simulator.requests.slice(shared.length + own.length)];
    expect(appendOnlyViolations(parents)).toEqual([]);
    expect(parents.at(-1)?.usage?.cache_read_input_tokens).toBeGreaterThan(1_000);
  });
});

test("a fork at an earlier event is cut where nothing is open, says so, and goes on with what that turn left", async () => {
  await inHouse({ script: reader, files: FILES }, async (house) => {
    await house.say("first");
    const started = house.events.findLast(({ type }) => type === "model.request-started")?.seq ?? 0;
    const result = house.events.findLast(({ type }) => type === "tool.completed")?.seq ?? 0;
    const shared = house.simulator.requests.slice(0, 1);
    const count = house.simulator.requests.length;
    await inFork(house, { fork: { seq: started + 1 } }, async (engine) => {
      expect(engine.notices.join()).toContain(`up to event ${result}: at ${started + 1} an answer or a call was open`);
      expect(engine.firstSeq).toBe(result + 1);
      expect(engine.agent.resume()).toBe(true);
      await engine.agent.settled();
      expect(engine.session.state().turn.lastResponse?.text).toBe("It is read.");
    });
    expect(appendOnlyViolations([...shared, ...house.simulator.requests.slice(count)])).toEqual([]);
  });
});

test("a fork of a session in the middle of a call closes that call, asks nothing, and leaves the parent to finish", async () => {
  const waiting: Script = (request) =>
    request.toolResults().length === 0 ? turn(bash("read line < pipe; echo $line")) : say("Done.");
  await inHouse({ script: waiting, files: { "a.txt": "a" } }, async (house) => {
    Bun.spawnSync(["mkfifo", "pipe"], { cwd: house.cwd });
    const began = house.next("tool.started");
    house.submit("wait");
    await began;
    await inFork(house, {}, async (engine) => {
      expect(engine.session.state().turn).toMatchObject({ pending: [], permissions: [], queued: [] });
      await ask(engine, "go on");
    });
    await Bun.spawn(["/bin/bash", "-c", "echo through > pipe"], { cwd: house.cwd }).exited;
    await house.settled();
    expect(house.of("tool.completed").map(({ modelText }) => modelText.includes("through"))).toEqual([true]);
  });
});

test("a fork of a fork, resumed again, still sends what its first ancestor sent", async () => {
  await inHouse({ script: reader, files: FILES }, async (house) => {
    await house.say("first");
    let first = "";
    await inFork(house, {}, async (engine) => {
      first = engine.session.id;
      await ask(engine, "second");
    });
    let second = "";
    await inFork(house, { resume: first, fork: {} }, async (engine) => {
      second = engine.session.id;
      await ask(engine, "third");
    });
    await inFork(house, { resume: "third", fork: {} }, async (engine) => {
      expect(engine.session.state().meta.forkedFrom?.sessionId).toBe(second); // by words, which only one session has of its own
      await ask(engine, "fourth");
    });
    const again = await engineIn(house, { resume: second });
    await ask(again, "fifth");
    await expectSound({ engine: again });
    await again.close();
    expect(appendOnlyViolations(house.simulator.requests.slice(0, 5))).toEqual([]);
    const all = await house.engine.store.list();
    expect(all.map(({ damaged }) => damaged)).toEqual(all.map(() => undefined));
    expect(all).toHaveLength(4);
  });
});

test("an id that is taken begins nothing", async () => {
  await inHouse({ script: () => turn(call("read", {})) }, async (house) => {
    const { id } = house.engine.session;
    await expect(engineIn(house, { sessionId: id })).rejects.toThrow(`There is a session ${id} already`);
    const given = "01J8ZQ0000SESS0000000000BB";
    await inFork(house, { sessionId: given }, async (engine) => expect(engine.session.id).toBe(given));
  });
});

test("a fork of a session whose prefix is lost goes on with new bytes, and with the tools that were chosen", async () => {
  await inHouse({ script: reader, files: FILES }, async (house) => {
    const chosen = await engineIn(house, { tools: "read,glob" });
    await ask(chosen, "first");
    await chosen.close();
    rmSync(join(house.home, "blobs"), { recursive: true });
    await inFork(house, { resume: chosen.session.id }, async (engine) => {
      expect(engine.notices.join("\n")).toContain("it goes on with new ones");
      await ask(engine, "in the fork");
      const body = house.simulator.requests.at(-1)?.body as { readonly tools: readonly { readonly name: string }[] };
      expect(body.tools.map(({ name }) => name)).toEqual(["read", "glob"]);
    });
    await house.engine.close();
    await house.reopen();
  });
});
