/** What the interface looks up: sessions by title and by what was said, what the user said before, and whole outputs. */
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inTerminalHouse } from "../../support/terminal-house.ts";

const forever = new AbortController().signal;

test("sessions are found by title, by id and by what was said, newest first, without the one that is open", async () => {
  await inTerminalHouse({}, async ({ open, say, queries, session, run }) => {
    await open();
    await say("say the quick apples");
    const first = session().id;
    await run("/rename Fruit");
    await open();
    await say("say pears\nthink of Fruit");
    const second = session().id;
    await open();
    const ids = async (text: string) => (await queries.sessions(text, forever)).map(({ id }) => id);
    expect(await ids("")).toEqual([second, first]);
    expect(await ids("fruit")).toEqual([first, second]); // a title first
    expect(await ids(first.slice(0, 24).toLowerCase())).toEqual([first]);
    expect(await ids("plums")).toEqual([]);
    const [found] = await queries.sessions("quick", forever);
    expect(found).toMatchObject({ title: "Fruit", userMessages: 1, pendingApprovals: 0, excerpt: "the quick apples" });
    const stopped = new AbortController();
    stopped.abort();
    expect(await queries.sessions("quick", stopped.signal)).toEqual([]);
  });
});

test("words find the session that was just left, and never the one that is open", async () => {
  await inTerminalHouse({}, async ({ open, say, queries }) => {
    const { id: first } = await open();
    await say("say apples");
    const { id: second } = await open();
    await say("say red apples");
    const ids = async () => (await queries.sessions("apples", forever)).map(({ id }) => id);
    expect(await ids()).toEqual([first]);
    await open({ resume: first });
    expect(await ids()).toEqual([second]);
  });
});

test("a damaged log is in the list as such, and hides no other", async () => {
  await inTerminalHouse({}, async ({ open, say, queries }) => {
    const { path, id } = await open();
    await say("say one");
    await open();
    const [start, ...lines] = readFileSync(path, "utf8").split("\n");
    writeFileSync(path, [start, "{broken}", ...lines].join("\n"));
    const [row] = await queries.sessions("", forever);
    expect([row?.id, row?.title]).toEqual([id, "(no title) (damaged)"]);
    expect(await queries.sessions("one", forever)).toHaveLength(1);
  });
});

test("what was said before comes newest first, each once, from this session and those before it", async () => {
  await inTerminalHouse({ files: { Makefile: "all:\n" } }, async ({ open, say, queries, session, host }) => {
    await open();
    await say("say one");
    const mentions = [{ path: "Makefile" }];
    session().dispatch({ kind: "submit-message", text: "say two @Makefile", mentions });
    await host.engine().agent.settled();
    await open();
    await say("say three");
    session().dispatch({ kind: "shell", command: "true" });
    await host.engine().agent.settled();
    await say("say one");
    const said = await queries.promptHistory();
    expect(said.map(({ text }) => text)).toEqual(["say one", "!true", "say three", "say two @Makefile"]);
    expect(said.at(-1)?.mentions.map(({ path }) => path)).toEqual(["Makefile"]);
  });
});

test("the whole of a long result comes from the file beside the session, a short one from the log", async () => {
  await inTerminalHouse({}, async ({ open, say, queries, events, host, session }) => {
    await open();
    await say("run seq 1 30000\nrun echo short");
    const calls = events.flatMap((event) => (event.type === "tool.completed" ? [event.payload] : []));
    const [long, short] = calls;
    const whole = (await queries.fullOutput(long?.toolUseId ?? "")) ?? "";
    expect([long?.spillFile === undefined, whole.includes("\n15000\n"), whole.length > 160_000]).toEqual([
      false,
      true,
      true,
    ]);
    expect(await queries.fullOutput(short?.toolUseId ?? "")).toContain("short");
    expect(await queries.fullOutput("toolu_nobody")).toBeUndefined();
    session().dispatch({ kind: "shell", command: "echo mine" });
    await host.engine().agent.settled();
    const own = events.findLast(({ type }) => type === "user.message-created");
    expect(await queries.fullOutput(own?.id ?? "")).toContain("mine");
  });
});

test("of a session that is only looked at the same is known, and it is in no list", async () => {
  await inTerminalHouse({}, async ({ open, say, queries, events, session }) => {
    const { id, path } = await open();
    await say("run seq 1 30000");
    const [call] = events.flatMap((event) => (event.type === "tool.completed" ? [event.payload.toolUseId] : []));
    const whole = await queries.fullOutput(call ?? "");
    await say("say two");
    await open();
    const lines = readFileSync(path, "utf8").split("\n");
    writeFileSync(path, lines.with(-4, "{broken").join("\n"));
    await open({ resume: id });
    expect(session().readOnly).toBeDefined();
    expect([whole?.length, await queries.fullOutput(call ?? "")]).toEqual([168_894, whole]);
    expect(await queries.sessions("", forever)).toEqual([]);
    await expect(queries.findFiles("a", 5, forever)).rejects.toThrow("this session is only looked at");
  });
});

test("a log that names another file does not make it be shown", async () => {
  await inTerminalHouse(
    { files: { "secret.txt": "not for the screen" } },
    async ({ open, say, queries, cwd, session, events }) => {
      await open();
      await say("run seq 1 30000");
      const call = events.flatMap((event) => (event.type === "tool.completed" ? [event.payload] : []))[0];
      const { id, path } = session();
      await open();
      const spill = call?.spillFile ?? "";
      writeFileSync(path, readFileSync(path, "utf8").replaceAll(spill, join(cwd, "secret.txt")));
      await open({ resume: id });
      expect(await queries.fullOutput(call?.toolUseId ?? "")).not.toContain("not for the screen");
    },
  );
});
