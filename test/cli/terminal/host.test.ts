/** Sessions on the terminal: one after the other in one process, everything released between, nothing kept of what was not begun. */
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { composeEngine } from "../../../src/cli/compose.ts";
import { withoutLeftovers } from "../../../src/cli/terminal/unsaid.ts";
import { inTerminalHouse, type TerminalHouse } from "../../support/terminal-house.ts";

const idOf = (house: TerminalHouse): string => house.session().id;

/** Names of everything below the folder of sessions. */
function kept({ home }: TerminalHouse): readonly string[] {
  const sessions = join(home, "sessions");
  if (!existsSync(sessions)) return [];
  return readdirSync(sessions).flatMap((project) => readdirSync(join(sessions, project)));
}

describe("a session in which nothing was said", () => {
  test("is not kept", async () => {
    await inTerminalHouse({}, async (house) => {
      const { path } = await house.open();
      expect(existsSync(path)).toBe(true);
      await house.host.close();
      expect([kept(house), house.host.farewell()]).toEqual([[], undefined]);
    });
  });

  test("is kept with a title, with a command of the user's own, and when it is resumed", async () => {
    await inTerminalHouse({}, async (house) => {
      const { id: named } = await house.open({ name: "a plan" });
      await house.open();
      const { id: shell } = house.session();
      house.session().dispatch({ kind: "shell", command: "true" });
      await house.host.engine().agent.settled();
      await house.open({ resume: named });
      await house.host.close();
      const logs = kept(house).filter((name) => name.endsWith(".jsonl"));
      expect(logs.sort()).toEqual([`${named}.jsonl`, `${shell}.jsonl`].sort());
    });
  });

  test("that a kill left is in no list, and stays on the disk", async () => {
    await inTerminalHouse({}, async (house) => {
      await house.open();
      const { path, id } = house.session();
      const bytes = readFileSync(path);
      await house.open();
      await house.say("hello");
      const other = idOf(house);
      writeFileSync(path, bytes);
      await house.open();
      const rows = await house.queries.sessions("", new AbortController().signal);
      expect(rows.map((row) => row.id)).toEqual([other]);
      expect([existsSync(path), id === other]).toEqual([true, false]);
    });
  });

  test("and is removed by its own terminal while another one lists it is in no list either", async () => {
    await inTerminalHouse({}, async (house) => {
      await house.open();
      const { store } = house.host.engine();
      const listed = await store.list();
      await house.host.close();
      expect([listed.length, await withoutLeftovers(store, listed)]).toEqual([1, []]);
    });
  });
});

describe("switching", () => {
  test("closes what was open before the next is opened, and each can be opened again", async () => {
    await inTerminalHouse({}, async (house) => {
      const first = await house.open();
      await house.say("say one");
      const heard: string[] = [];
      first.subscribe(({ type }) => heard.push(type));
      const second = await house.open();
      await house.say("say two");
      expect(heard.filter((type) => type === "user.message-created")).toEqual([]);
      first.dispatch({ kind: "submit-message", text: "to nobody", mentions: [] });
      await house.open({ resume: first.id });
      const said: string[] = [];
      for await (const event of house.session().history()) {
        if (!("opaque" in event || "gap" in event) && event.type === "user.message-created")
          said.push(event.payload.text);
      }
      expect([idOf(house), said]).toEqual([first.id, ["say one"]]);
      await house.open({ fork: { id: second.id } });
      expect([first.id, second.id]).not.toContain(idOf(house));
      expect(house.session().facts().title).toBe("say two");
    });
  });

  test("stops a turn that runs, and opening is in order however it is asked for", async () => {
    await inTerminalHouse({}, async (house) => {
      const first = await house.open();
      first.dispatch({ kind: "submit-message", text: "run sleep 300.71", mentions: [] });
      const [second, third] = await Promise.all([house.host.open({}), house.host.open({ resume: first.id })]);
      const outcome = house.host.engine().session.state().meta.lastOutcome;
      expect([third.id, outcome, existsSync(second.path)]).toEqual([first.id, "interrupted", false]);
    });
  });

  test("the lock is dropped: another process can write", async () => {
    await inTerminalHouse({}, async (house) => {
      const first = await house.open();
      await house.say("hello");
      await house.open();
      const again = await composeEngine({
        places: { home: house.home, userHome: house.root, cwd: house.cwd },
        env: { PATH: process.env.PATH },
        flags: {},
        log: { verbose: false },
        title: "",
        connection: { auth: { kind: "api-key", value: "x-test-key" }, baseURL: house.simulator.url },
        somebodyToAsk: true,
        resume: first.id,
      });
      const looked = await house.host.open({ resume: first.id });
      await again.close();
      expect(looked.readOnly?.why).toContain(`is open in another khaelor (process ${process.pid}, since`);
      expect((await house.open({ resume: first.id })).id).toBe(first.id);
    });
  });

  test("an id that was asked for is given to the first session alone", async () => {
    const sessionId = "01KAZZZZZZZZZZZZZZZZZZZZZZ";
    await inTerminalHouse({ host: { sessionId } }, async (house) => {
      await house.open();
      await house.say("hello");
      const first = idOf(house);
      await house.open();
      expect([first, idOf(house) === sessionId]).toEqual([sessionId, false]);
    });
  });
});

describe("picking", () => {
  test("the only session that the words name is opened, several let the user choose, none is told", async () => {
    await inTerminalHouse({}, async (house) => {
      await house.open();
      await house.say("say apples");
      const apples = idOf(house);
      await house.open();
      await house.say("say pears");
      await house.host.close();
      expect((await house.open({ pick: { text: "apples" } })).id).toBe(apples);
      const failure = async (text: string) =>
        house.open({ pick: { text } }).then(
          () => "opened",
          ({ name, message }: Error) => `${name}: ${message}`,
        );
      expect(await failure("say")).toBe('Choose: 2 sessions have the words "say": choose one.');
      expect(await failure("")).toBe("Choose: Which session?");
      expect(await failure("plums")).toContain('No session of this project has the id or the words "plums"');
      expect((await house.open({ pick: { text: apples.slice(0, 20).toLowerCase() } })).id).toBe(apples);
    });
  });
});

describe("what the interface is told", () => {
  test("a missing key has a name of its own, and the session is opened when there is one", async () => {
    await inTerminalHouse({ host: {} }, async (house) => {
      const { createHost } = await import("../../../src/cli/terminal/host.ts");
      const bare = createHost({
        places: { home: house.home, userHome: house.root, cwd: house.cwd },
        env: { PATH: process.env.PATH },
        flags: {},
        log: { verbose: false },
      });
      const failure = await bare.open({}).catch((error: Error) => error);
      expect(failure).toMatchObject({ name: "MissingKey", message: expect.stringContaining("no API key") });
      const { storeKey } = await import("../../../src/cli/stored-key.ts");
      await storeKey(house.home, "sk-test-0123456789");
      const session = await bare.open({});
      expect(session.facts().model).not.toBe("");
      await bare.close();
    });
  });

  test("facts are the same object until something changed", async () => {
    await inTerminalHouse({ flags: { permissionMode: "accept-edits" } }, async (house) => {
      const session = await house.open();
      const before = session.facts();
      expect(before).toMatchObject({
        title: "",
        folder: "~/project",
        changedFiles: 0,
        permissionMode: "accept-edits",
        contextTokens: undefined,
        costUsd: 0,
        processes: 0,
      });
      expect(before.contextWindow).toBeGreaterThan(100_000);
      house.host
        .engine()
        .session.publish({ type: "permission.granted", payload: { permissionRequestId: "nobody's", scope: "once" } });
      expect(session.facts()).toBe(before);
      await house.say("write a.txt hello");
      const after = session.facts();
      expect([after.title, session.facts() === after]).toEqual(["write a.txt hello", true]);
      expect(after.contextTokens).toBeGreaterThan(0);
    });
  });

  test("a log that cannot be written ends the engine, not the program", async () => {
    await inTerminalHouse({}, async (house) => {
      const session = await house.open();
      await house.say("hello");
      const { path } = session;
      writeFileSync(path, `${readFileSync(path, "utf8")}foreign`);
      session.dispatch({ kind: "submit-message", text: "once more", mentions: [] });
      const death = await session.died.catch((error: Error) => error.message);
      expect(String(death)).not.toBe("");
      session.dispatch({ kind: "interrupt" });
      await house.host.close();
      rmSync(path);
    });
  });

  test("the way back names the session and what waits in it", async () => {
    await inTerminalHouse({ flags: { permissionMode: "ask" } }, async (house) => {
      await house.open();
      await house.say("say done");
      const done = idOf(house);
      await house.open();
      expect(house.host.farewell()).toBe(`khaelor --resume ${done}   (the last turn was finished)`);
      house.session().dispatch({ kind: "submit-message", text: "run sh x.sh", mentions: [] });
      await asked(house);
      const waiting = idOf(house);
      await house.host.close();
      expect(house.host.farewell()).toBe(`khaelor --resume ${waiting}   (the last turn was stopped)`);
    });
  });

  test("a resumed session waits for the user, and its open question can be answered", async () => {
    await inTerminalHouse({ flags: { permissionMode: "ask" }, files: { "x.sh": "touch made\n" } }, async (house) => {
      const { id, path } = await house.open();
      house.session().dispatch({ kind: "submit-message", text: "run sh x.sh", mentions: [] });
      await asked(house);
      const bytes = readFileSync(path); // as a kill in this moment leaves it
      await house.host.close();
      writeFileSync(path, bytes);
      const session = await house.open({ resume: id });
      await Bun.sleep(0);
      const requests = house.events.filter(({ type }) => type === "model.request-started").length;
      const [question] = house.host.engine().session.state().turn.permissions;
      expect([requests, question?.descriptor]).toEqual([0, "Run `sh x.sh`"]);
      const requestId = question?.permissionRequestId ?? "";
      session.dispatch({ kind: "permission-response", requestId, decision: "once" });
      await house.host.engine().agent.settled();
      expect(existsSync(join(house.cwd, "made"))).toBe(true);
    });
  });
});

/** Until somebody has to answer. */
async function asked(house: TerminalHouse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = house.session().subscribe(({ type }) => {
    if (type === "permission.requested") resolve();
  });
  await promise;
  stop();
}
