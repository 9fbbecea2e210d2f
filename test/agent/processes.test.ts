/** Background processes through the whole house: recorded, told with the next message, asked about, and never outliving it. */
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Engine } from "../../src/cli/engine.ts";
import { type Script, sequence } from "../../src/simulator/index.ts";
import { bash, call, type Driven, inHouse, say, sent, turn } from "./driving.ts";
import { cutHome, engineIn, recordingOf } from "./engines.ts";

const start = (command: string, wait = 30) => call("process", { action: "start", command, wait });
const write = (id: string, input: string) => call("process", { action: "write", id, input, wait: 30 });
const UNTIL_GO = "echo up; until [ -e go ]; do sleep 0.02; done; exit 3";

/** The captured blocks about processes, of each message that was sent. */
const told = (house: Driven): readonly string[] =>
  sent(house).flatMap(({ content }) =>
    content.flatMap(({ text = "" }) =>
      text.startsWith("<processes>") ? [text.split("\n").slice(1, -1).join("\n")] : [],
    ),
  );

const results = (house: Driven): readonly string[] => house.of("tool.completed").map(({ modelText }) => modelText);

const aliveAfterwards = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe("a background process", () => {
  test("outlives its turn; its end is recorded at once, and told once with the next message", async () => {
    const script = sequence([turn(start(UNTIL_GO)), say("Up."), say("Two."), say("Three."), say("Four.")]);
    await inHouse({ script }, async (house) => {
      await house.say("start");
      expect(results(house)).toEqual(["up\n[p1 is running]"]);
      expect(told(house)).toEqual([]);
      await house.say("again");
      const [running] = told(house);
      const exited = house.next("process.exited");
      writeFileSync(join(house.cwd, "go"), "");
      expect((await exited).payload).toMatchObject({ processId: "p1", exitCode: 3, cause: "exited" });
      expect(house.types().at(-1)).toBe("process.exited");
      await house.say("third");
      await house.say("fourth");
      const command = JSON.stringify(UNTIL_GO);
      expect(running).toBe(`p1: running: ${command}`);
      expect(told(house)).toEqual([`p1: running: ${command}`, `p1: exited with code 3: ${command}`]);
      const course = house.types().filter((type) => type.startsWith("process.") || type.startsWith("tool."));
      expect(course).toEqual([
        "tool.requested",
        "tool.approved",
        "tool.started",
        "process.started",
        "tool.completed",
        "process.exited",
      ]);
    });
  });

  test("shows its output live, cleaned, and records none of it", async () => {
    const script = sequence([turn(start("printf '\\033[31mred\\033[0m\\a\\n'; read x")), say("Done.")]);
    await inHouse({ script }, async (house) => {
      await house.say("start");
      const shown = house.everything.flatMap((event) => (event.type === "process.output" ? [event.payload] : []));
      expect(shown).toEqual([{ processId: "p1", stream: "stdout", chunk: "red\n" }]);
      expect(house.types()).not.toContain("process.output");
    });
  });

  test("survives an interrupt, which ends a wait for it at once", async () => {
    const wait = call("process", { action: "read", id: "p1", wait: 600 });
    const script: Script = ({ lastUserText, index }) =>
      /go on/.test(lastUserText()) ? say("Fine.") : index === 0 ? turn(start("echo up; read x")) : turn(wait);
    await inHouse({ script }, async (house) => {
      house.submit("start and wait");
      await house.next("tool.started", () => house.of("tool.started").length === 2);
      house.interrupt();
      await house.settled();
      expect(house.types()).not.toContain("process.exited");
      await house.say("go on");
      expect(house.types().at(-1)).toBe("task.completed");
      expect(told(house)).toEqual(['p1: running: "echo up; read x"']);
      const [{ pid } = { pid: 0 }] = house.of("process.started");
      expect(aliveAfterwards(pid)).toBe(true);
    });
  });

  test("ends with the engine, is recorded before the log closes, and its name is not given again", async () => {
    const script = sequence([turn(start("echo up; read x")), say("Up."), turn(start("echo two; read x")), say("Two.")]);
    await inHouse({ script }, async (house) => {
      await house.say("start");
      const [{ pid } = { pid: 0 }] = house.of("process.started");
      await house.reopen();
      expect(aliveAfterwards(pid)).toBe(false);
      const ends = house.of("process.exited");
      expect(ends).toMatchObject([{ processId: "p1", exitCode: null, signal: "SIGTERM", cause: "khaelor-shutdown" }]);
      await house.say("another");
      expect(told(house)).toEqual(['p1: ended with the program, and its output is gone: "echo up; read x"']);
      expect(house.of("process.started").map(({ processId }) => processId)).toEqual(["p1", "p2"]);
      expect(results(house).at(-1)).toBe("two\n[p2 is running]");
    });
  });

  test("that the log believes alive after a crash is recorded as ended by the resume, once", async () => {
    const script = sequence([turn(start("echo up; read x")), say("Up.")]);
    await inHouse({ script }, async (house) => {
      await house.say("start");
      const recorded = recordingOf(house);
      const home = cutHome(recorded, recorded.lines.length);
      const first = await engineIn({ ...house, home }, { resume: recorded.id });
      const ends = await exitsOf(first);
      await first.close();
      expect(ends).toEqual([{ processId: "p1", exitCode: null, cause: "khaelor-shutdown" }]);
      const second = await engineIn({ ...house, home }, { resume: recorded.id });
      expect(await exitsOf(second)).toEqual(ends);
      expect(second.session.state().processes).toMatchObject({ live: [], lastNumber: 1 });
      await second.close();
    });
  });

  test("is never spoken of where there was none", async () => {
    await inHouse({ script: sequence([turn(bash("echo x")), say("Done.")]) }, async (house) => {
      await house.say("run");
      expect(told(house)).toEqual([]);
      expect(house.of("user.message-created").flatMap(({ context = [] }) => context.map(({ name }) => name))).toEqual([
        "environment",
      ]);
    });
  });
});

/** What the log, as it stands, says of ends; how long it took is the machine's. */
async function exitsOf({ store, session }: Engine) {
  const found = [];
  for await (const event of store.read(session.id)) {
    if ("opaque" in event || event.type !== "process.exited") continue;
    const { durationMs: _ms, ...rest } = event.payload;
    found.push(rest);
  }
  return found;
}

describe("consent for a process", () => {
  const ASK = {
    flags: { permissionMode: "ask" },
    somebodyToAsk: true,
    files: { "echo.sh": "cat -u\n" },
  } as const;

  test("is asked for its command and for each input, but not for listing, reading and stopping", async () => {
    const others = [
      call("process", { action: "list" }),
      call("process", { action: "read", id: "p1" }),
      call("process", { action: "stop", id: "p1" }),
    ];
    const script = sequence([
      turn(start("sh echo.sh", 0)),
      turn(write("p1", "hello\n")),
      turn(...others),
      say("Done."),
    ]);
    await inHouse({ ...ASK, script }, async (house) => {
      house.engine.session.bus.on("permission.requested", ({ payload: { permissionRequestId: requestId } }) => {
        const answer = { kind: "permission-response", requestId, decision: "once" } as const;
        queueMicrotask(() => house.engine.agent.dispatch(answer));
      });
      await house.say("start");
      expect(house.of("permission.requested").map(({ descriptor, suggestion }) => [descriptor, suggestion])).toEqual([
        ["Run `sh echo.sh`", { capability: "process.execute", pattern: "sh echo.sh" }],
        ["Type `hello` into the process `sh echo.sh`", undefined],
      ]);
      expect(results(house).slice(1)).toEqual([
        "hello\n[p1 is running]",
        "p1 is running: sh echo.sh",
        "(no new output)\n[p1 is running]",
        "(no new output)\n[p1 was stopped]",
      ]);
    });
  });

  test("is never had for an input that as a command would be denied always, whatever the mode", async () => {
    const script = sequence([turn(start("bash", 0)), turn(write("p1", "cd /\nrm -rf /\n")), say("Done.")]);
    await inHouse({ script }, async (house) => {
      await house.say("start");
      expect(house.of("tool.failed")).toMatchObject([
        { errorKind: "permission-denied", modelText: expect.stringContaining("Never allowed") },
      ]);
      expect(house.types()).not.toContain("process.exited");
    });
  });
});
