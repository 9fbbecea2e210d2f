/** What a message mentions is captured once, when it is said, and told to the model as it stands in the log. */
import { describe, expect, test } from "bun:test";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheLedger } from "../../src/session/index.ts";
import { fold } from "../../src/shared/index.ts";
import { type Script, sequence } from "../../src/simulator/index.ts";
import { png } from "../e2e/pictures.ts";
import { eventsOf } from "../support/house.ts";
import { bash, type Driven, edit, inHouse, say, turn } from "./driving.ts";

const heard: Script = ({ lastUserText }) => say(`Heard ${lastUserText().length} characters.`);
const ask = (house: Driven, text: string, ...paths: readonly string[]) => {
  house.engine.agent.dispatch({ kind: "submit-message", text, mentions: paths.map((path) => ({ path })) });
  return house.settled();
};
const contextOf = (house: Driven, name: string) =>
  house.of("user.message-created")[0]?.context?.find((entry) => entry.name === name)?.text;
const sentBlocks = (house: Driven) => {
  const { body } = house.simulator.requests.at(-1) ?? {};
  const { messages } = body as {
    readonly messages: readonly { readonly content: readonly Record<string, unknown>[] }[];
  };
  return messages.flatMap(({ content }) => content);
};

test("a mentioned file is a block of its own, its hash is recorded, and it may be edited without being read again", () =>
  inHouse(
    { script: sequence([turn(edit("a.ts", "one", "two")), say("Done.")]), files: { "a.ts": "one\n" } },
    async (house) => {
      await ask(house, "change it", "a.ts");
      expect(contextOf(house, "a.ts")).toBe('<mentioned path="a.ts">\n     1\tone\n</mentioned>');
      const [read] = house.of("file.read");
      expect(house.of("user.message-created")[0]?.mentions).toEqual([{ path: "a.ts", sha256: read?.sha256 ?? "" }]);
      expect(house.of("tool.failed")).toEqual([]);
      expect(house.of("file.modified")[0]?.path).toBe("a.ts");
    },
  ));

test("what cannot be given is told in its place: missing, binary, a folder, lines, a file beyond the bound", () => {
  const files = {
    "x.bin": "a\0b",
    "dir/one.ts": "1",
    "long.txt": "0123456789\n".repeat(20_000),
    "few.txt": "a\nb\nc\nd\n",
  };
  return inHouse({ script: heard, files }, async (house) => {
    const mentions = [{ path: "gone.ts" }, { path: "x.bin" }, { path: "dir" }, { path: "long.txt" }];
    const range = { start: 2, end: 3 };
    house.engine.agent.dispatch({
      kind: "submit-message",
      text: "look",
      mentions: [...mentions, { path: "few.txt", range }, { path: "few.txt", range: { start: 9, end: 9 } }],
    });
    await house.settled();
    expect(house.of("user.message-created")[0]?.mentions.map(({ notGiven = "" }) => notGiven)).toEqual([
      `${join(house.cwd, "gone.ts")} does not exist.`,
      expect.stringContaining("x.bin is a binary file of 3 bytes."),
      "",
      "",
      "",
      "few.txt has only 4 lines; there is no line 9.",
    ]);
    expect(contextOf(house, "gone.ts")).toContain("does not exist");
    expect(contextOf(house, "x.bin")).toContain("is a binary file of 3 bytes");
    expect(contextOf(house, "dir")).toContain("one.ts");
    expect(contextOf(house, "long.txt")).toMatch(/\[Lines 1-\d+ of 20000\. For more: read /);
    expect((contextOf(house, "long.txt") ?? "").length).toBeLessThan(66_000);
    expect(contextOf(house, "few.txt")).toContain("     2\tb\n     3\tc\n");
    expect(house.of("file.read").map(({ path, range: lines }) => [path, lines !== undefined])).toEqual([
      ["long.txt", true],
      ["few.txt", true],
      ["few.txt", false],
    ]);
  });
});

test("what was given is told by the tool, whatever the names of files look like", () => {
  const [binary, few] = ["x\nIn it: y", "1\tfew"];
  return inHouse({ script: heard, files: { [binary]: "a\0b", [few]: "a\n", "dir/one": "" } }, async (house) => {
    const range = { start: 9, end: 9 };
    house.engine.agent.dispatch({
      kind: "submit-message",
      text: "look",
      mentions: [
        { path: binary },
        { path: few, range },
        { path: few, range: { start: 1, end: 2 } },
        { path: "dir", range },
      ],
    });
    await house.settled();
    const said = house.of("user.message-created")[0]?.mentions ?? [];
    expect(said.map(({ notGiven }) => notGiven !== undefined)).toEqual([true, true, false, false]);
  });
});

test("with nobody to ask, a mention that needs consent is refused, and the model and the log know", () =>
  inHouse({ script: heard, flags: { permissionMode: "ask" } }, async (house) => {
    const outside = join(house.home, "..", "secret.txt");
    writeFileSync(outside, "not for the model");
    await ask(house, "look", outside);
    expect(contextOf(house, outside)).toContain("nobody is there to give it");
    expect(house.of("permission.requested")[0]).toMatchObject({ mention: outside });
    expect(house.of("permission.denied")[0]?.source).toBe("timeout");
    expect(JSON.stringify(sentBlocks(house))).not.toContain("not for the model");
    expect(house.of("task.completed")).toHaveLength(1);
  }));

describe("with somebody to ask", () => {
  const setup = { script: heard, somebodyToAsk: true, flags: { permissionMode: "ask" as const } };

  test("the message waits for the answer, those behind it wait in order, and nothing is lost", () =>
    inHouse(setup, async (house) => {
      const outside = join(house.home, "..", "notes.txt");
      writeFileSync(outside, "asked for");
      const asked = house.next("permission.requested");
      const settled = ask(house, "first", outside);
      house.submit("second");
      const { payload } = await asked;
      expect(house.of("user.message-created")).toEqual([]);
      house.engine.agent.dispatch({
        kind: "permission-response",
        requestId: payload.permissionRequestId,
        decision: "once",
      });
      await settled;
      expect(house.of("user.message-created").map(({ text }) => text)).toEqual(["first"]);
      expect(house.of("user.steering-queued").map(({ text }) => text)).toEqual(["second"]);
      expect(contextOf(house, outside)).toContain("asked for");
    }));

  test("an interrupt meanwhile records what was said, asks the model nothing, and the next message works", () =>
    inHouse(setup, async (house) => {
      const outside = join(house.home, "..", "notes.txt");
      writeFileSync(outside, "never given");
      const asked = house.next("permission.requested");
      const settled = ask(house, "first", outside);
      await asked;
      house.interrupt();
      await settled;
      expect(house.types().slice(-2)).toEqual(["user.message-created", "user.interrupted"]);
      expect(house.simulator.requests.filter(({ path }) => path.includes("messages"))).toEqual([]);
      house.submit("second");
      await house.settled();
      expect(house.of("task.completed")).toHaveLength(1);
      expect(JSON.stringify(sentBlocks(house))).not.toContain("never given");
    }));
});

describe("an image", () => {
  const blobs = (house: Driven) => join(house.home, "blobs");

  test("goes out as its bytes, stands in the log as its hash, and is named before it", () =>
    inHouse({ script: heard }, async (house) => {
      writeFileSync(join(house.cwd, "shot.png"), png(40, 30));
      await ask(house, "what is this?", "shot.png");
      const [attachment] = house.of("user.message-created")[0]?.attachments ?? [];
      expect(attachment).toMatchObject({ mediaType: "image/png", name: "shot.png", bytes: png(40, 30).length });
      expect(readdirSync(blobs(house))).toContain(attachment?.sha256 ?? "");
      expect(contextOf(house, "shot.png")).toContain("image/png, 40 x 30 pixels");
      const image = sentBlocks(house).find(({ type }) => type === "image");
      expect(image?.source).toEqual({
        type: "base64",
        media_type: "image/png",
        data: Buffer.from(png(40, 30)).toString("base64"),
      });
    }));

  test("beyond the API's limits is refused with the limit", () =>
    inHouse({ script: heard }, async (house) => {
      writeFileSync(join(house.cwd, "wide.png"), png(9000, 1));
      writeFileSync(join(house.cwd, "heavy.png"), Buffer.concat([png(4, 4), Buffer.alloc(8 * 1024 * 1024)]));
      await ask(house, "these?", "wide.png", "heavy.png");
      expect(contextOf(house, "wide.png")).toContain("9000 x 1 pixels; the API takes 8000 a side");
      expect(contextOf(house, "heavy.png")).toContain("the API takes 7864320 (10 MB as base64)");
      expect(sentBlocks(house).some(({ type }) => type === "image")).toBe(false);
    }));

  test("is taken up to twenty times in a conversation, for beyond that the API refuses older ones", () =>
    inHouse({ script: heard }, async (house) => {
      const names = Array.from({ length: 21 }, (_, at) => `${at}.png`);
      for (const [at, name] of names.entries()) writeFileSync(join(house.cwd, name), png(3, 3 + at));
      await ask(house, "all", ...names);
      expect(house.of("user.message-created")[0]?.attachments).toHaveLength(20);
      expect(contextOf(house, "20.png")).toContain("holds 20 images");
    }));

  test("whose blob is gone is left out by a recorded break at the next resume", () =>
    inHouse({ script: heard }, async (house) => {
      writeFileSync(join(house.cwd, "shot.png"), png(40, 30));
      await ask(house, "what is this?", "shot.png");
      const [attachment] = house.of("user.message-created")[0]?.attachments ?? [];
      rmSync(join(blobs(house), attachment?.sha256 ?? ""));
      await house.say("and now?");
      expect(house.of("task.failed")[0]?.detail).toContain("no longer stored");
      await house.reopen();
      expect(house.engine.notices.join()).toContain("An image of this session is no longer stored");
      await house.say("and then?");
      expect(eventsOf(house.events, "task.completed")).toHaveLength(2);
      expect(sentBlocks(house).some(({ type }) => type === "image")).toBe(false);
      expect(JSON.stringify(sentBlocks(house))).toContain("The image that stood here is no longer stored.");
    }));
});

describe("a command of the user's own", () => {
  const run = (house: Driven, command: string) => house.engine.agent.dispatch({ kind: "shell", command });

  test("runs without asking, asks the model nothing, and is told with the next request", () =>
    inHouse({ script: heard, flags: { permissionMode: "plan" } }, async (house) => {
      run(house, "echo out; touch made; exit 3");
      await house.settled();
      expect(house.simulator.requests.filter(({ path }) => path.includes("messages"))).toEqual([]);
      const [message] = house.of("user.message-created");
      expect(message?.shell).toEqual({
        command: "echo out; touch made; exit 3",
        exitCode: 3,
        output: "out\n[exit code 3]",
      });
      expect(readdirSync(house.cwd)).toContain("made");
      await house.say("so?");
      const text = "<user-shell>\n$ echo out; touch made; exit 3\nout\n[exit code 3]\n</user-shell>";
      expect(sentBlocks(house).filter((block) => block.text === text)).toHaveLength(1);
    }));

  test("keeps to the floor", () =>
    inHouse({ script: heard }, async (house) => {
      run(house, "rm -rf /");
      await house.settled();
      expect(house.of("user.message-created")[0]?.shell).toMatchObject({ exitCode: null });
      expect(house.of("user.message-created")[0]?.shell?.output).toStartWith("[Not run: ");
    }));

  test("given while a turn runs waits for its end, and what is said behind it passes by", () =>
    inHouse({ script: sequence([turn(bash("sleep 0.2")), say("Done.")]) }, async (house) => {
      const started = house.next("tool.started");
      house.submit("wait");
      await started;
      run(house, "echo later");
      house.engine.agent.dispatch({ kind: "steer", text: "quick" });
      await house.settled();
      const course = house.types().filter((type) => /^user|^task/.test(type));
      expect(course).toEqual([
        "user.message-created",
        "user.steering-queued",
        "user.steering-injected",
        "task.completed",
        "user.message-created",
      ]);
      expect(house.of("user.message-created")[1]?.shell?.output).toBe("later\n");
    }));

  test("that waited is not run after an interrupt", () =>
    inHouse({ script: sequence([turn(bash("sleep 306"))]) }, async (house) => {
      const started = house.next("tool.started");
      house.submit("wait");
      await started;
      run(house, "touch never");
      house.interrupt();
      await house.settled();
      expect(house.of("user.message-created").at(-1)?.shell?.output).toContain("the user interrupted");
      expect(readdirSync(house.cwd)).not.toContain("never");
    }));
});

test("what an image that is added costs of the cache is named after the message that brought it", () =>
  inHouse({ script: heard }, async (house) => {
    for (const side of [3, 5]) writeFileSync(join(house.cwd, `${side}.png`), png(side, side));
    await ask(house, "go on ".repeat(600));
    await ask(house, "look", "3.png");
    await ask(house, "on");
    await ask(house, "and here", "5.png");
    const { entries } = fold(cacheLedger(house.engine.models.price), house.events);
    const [, first, , second] = eventsOf(house.events, "user.message-created").map(({ seq }) => seq);
    expect(entries.map(({ reason, cause, breaks }) => [reason, cause, breaks])).toEqual([
      ["first", undefined, []],
      ["images", first, []],
      [undefined, undefined, []],
      ["images", second, []],
    ]);
  }));
