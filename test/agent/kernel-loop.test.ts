/** The loop through the house: calls and their results, steering at its seams, and calls that cannot be run. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loop, type ScriptedBlock, sequence } from "../../src/simulator/index.ts";
import { bash, call, edit, inHouse, lastSaid, read, say, sent, text, thinking, turn } from "./driving.ts";

describe("a tool loop", () => {
  test("of ten steps reads, edits and runs, each result answering its call, no earlier byte changing", async () => {
    const steps = 10;
    const script = loop({
      steps,
      last: "Counted to ten.",
      turn: (index) => {
        const [from, to] = [`n=${index}\n`, `n=${index + 1}\n`];
        const what = index % 3 === 0 ? [read("n.md")] : index % 3 === 1 ? [bash(`cat n.md; echo step ${index}`)] : [];
        return turn(thinking(`step ${index}`), text(`Step ${index}.`), ...what, edit("n.md", from, to));
      },
    });
    await inHouse({ script, files: { "n.md": "n=0\n" } }, async (house) => {
      await house.say("count");
      expect(readFileSync(join(house.cwd, "n.md"), "utf8")).toBe("n=10\n");
      expect(house.of("task.completed")[0]?.evidence).toMatchObject({ objective: "count", changedFiles: ["n.md"] });
      expect(house.of("tool.completed")).toHaveLength(17);
      expect(house.of("tool.failed")).toEqual([]);
      expect(house.simulator.requests.map(({ outcome }) => outcome)).toEqual(Array(11).fill("answered"));
      expect(sent(house).map(({ role }) => role)).toEqual(
        Array.from({ length: 21 }, (_, at) => (at % 2 === 0 ? "user" : "assistant")),
      );
      expect(house.engine.session.bus.subscriptions()).toBe(1);
    });
  });

  test("runs the calls of one answer in their order, one at a time", async () => {
    const script = sequence([
      turn(bash("printf a >> log.md"), bash("printf b >> log.md"), read("log.md")),
      say("Done."),
    ]);
    await inHouse({ script }, async (house) => {
      await house.say("write");
      expect(house.of("tool.completed").at(-1)?.modelText).toContain("ab");
      const course = house.types().filter((type) => type === "tool.started" || type === "tool.completed");
      expect(course).toEqual(Array(3).fill(["tool.started", "tool.completed"]).flat());
    });
  });

  test("ends as failed when the turn has used up its requests, and the next message has new ones", async () => {
    const script = loop({ steps: 4, turn: (index) => turn(bash(`echo ${index}`)) });
    await inHouse({ script, flags: { limits: { maxTurns: 3 } } }, async (house) => {
      await house.say("loop");
      expect(house.of("task.failed")).toEqual([
        {
          reason: "iteration-budget-exhausted",
          detail:
            "The turn used the 3 requests that a message may cost, without finishing. Go on with --resume and a higher --max-turns.",
        },
      ]);
      expect(house.of("task.completed")).toEqual([]);
      expect(house.simulator.requests).toHaveLength(3);
      await house.say("go on");
      expect(house.types().at(-1)).toBe("task.completed");
      expect(lastSaid(house, 3)).toEqual(["result", "text: go on"]);
    });
  });
});

describe("steering", () => {
  const script = sequence([turn(bash("echo one"), bash("echo two")), say("Noted."), say("And that.")]);

  test("that comes during a batch stands behind its results, in the same message", async () => {
    await inHouse({ script }, async (house) => {
      const started = house.next("tool.started");
      house.submit("run");
      await started;
      house.engine.agent.dispatch({ kind: "steer", text: "be brief" });
      house.submit("use tabs");
      await house.settled();
      expect(lastSaid(house)).toEqual(["result", "result", "text: be brief", "text: use tabs"]);
      expect(house.of("user.steering-queued")).toEqual([
        { text: "be brief", deliver: "now" },
        { text: "use tabs", deliver: "now" },
      ]);
      const seams = house.of("user.steering-injected");
      expect(seams.map(({ seam }) => seam)).toEqual(["post-tool-batch", "pre-model-call"]);
      const lastResult = house.events.findLast(({ type }) => type === "tool.completed");
      expect(seams[0]?.afterSeq).toBe(lastResult?.seq ?? 0);
      expect(house.simulator.requests).toHaveLength(2);
    });
  });

  test("that comes while the last answer streams is answered before the turn ends", async () => {
    await inHouse({ script: sequence([say("First answer."), say("Second.")]) }, async (house) => {
      const delta = house.next("model.text-delta");
      house.submit("hello");
      await delta;
      house.engine.agent.dispatch({ kind: "steer", text: "and the tests?" });
      await house.settled();
      expect(lastSaid(house)).toEqual(["text: and the tests?"]);
      expect(house.of("user.steering-injected")[0]?.seam).toBe("pre-model-call");
      expect(house.of("task.completed")).toHaveLength(1);
    });
  });

  test("for the next turn waits for the end of this one, and then begins one of its own", async () => {
    await inHouse({ script }, async (house) => {
      const started = house.next("tool.started");
      house.submit("run");
      await started;
      house.engine.agent.dispatch({ kind: "steer", text: "now the docs", deliver: "next-turn" });
      await house.settled();
      expect(house.simulator.requests).toHaveLength(3);
      expect(lastSaid(house, 1)).toEqual(["result", "result"]);
      expect(lastSaid(house, 2)).toEqual(["text: now the docs"]);
      expect(house.of("task.completed").map(({ evidence }) => evidence.objective)).toEqual(["run", "now the docs"]);
    });
  });

  test("with nothing running is a message like any other", async () => {
    await inHouse({ script: sequence([say("Yes?")]) }, async (house) => {
      house.engine.agent.dispatch({ kind: "steer", text: "are you there" });
      await house.settled();
      expect(lastSaid(house)).toEqual(["text: are you there"]);
      expect(house.of("user.steering-queued")[0]?.context?.map(({ name }) => name)).toContain("environment");
      expect(sent(house)[0]?.content[0]?.text).toStartWith("<environment>");
      expect(house.of("task.completed")[0]?.evidence.objective).toBe("are you there");
    });
  });

  for (const deliver of ["now", "next-turn"] as const) {
    test(`in the last moment of a turn (${deliver}) is not forgotten`, async () => {
      await inHouse({ script: sequence([say("One."), say("Two.")]) }, async (house) => {
        const completed = house.next("task.completed");
        house.submit("first");
        await completed; // recorded, but the turn has not yet returned: it is making the log safe
        expect(house.engine.agent.isBusy()).toBe(true);
        house.engine.agent.dispatch({ kind: "steer", text: "second", deliver });
        await house.settled();
        expect(lastSaid(house)).toEqual(["text: second"]);
        expect(house.engine.session.state().turn).toMatchObject({ phase: "idle", queued: [] });
      });
    });
  }
});

describe("a call that cannot be run gets a result that helps", () => {
  const answered = async (block: ScriptedBlock, modelText: string) => {
    await inHouse({ script: sequence([turn(block), say("I see.")]), files: { "a.md": "x\n" } }, async (house) => {
      await house.say("go");
      expect(house.of("tool.failed")).toEqual([
        { toolUseId: expect.any(String), errorKind: "invalid-input", modelText, durationMs: 0 },
      ]);
      expect(house.of("tool.started")).toEqual([]);
      expect(lastSaid(house)).toEqual(["error"]);
      expect(house.types().at(-1)).toBe("task.completed");
    });
  };

  test("an unknown tool", () =>
    answered(
      call("nosuchtool", {}),
      'There is no tool named "nosuchtool". The tools are: read, write, edit, grep, glob, bash, process.',
    ));
  test("input that is not JSON", () =>
    answered(
      { type: "tool_use", name: "read", json: '{"file_path": "a' },
      "The input of this call to read was not complete JSON, so it was not run. Send the call again, whole.",
    ));
  test("input that is JSON, but no object", () =>
    answered(
      { type: "tool_use", name: "read", json: '["a.md"]' },
      "The input of this call to read was not complete JSON, so it was not run. Send the call again, whole.",
    ));
  test("a missing parameter", () =>
    answered(
      call("read", { path: "a.md" }),
      "Invalid input for read: expected `file_path` to be present. Correct it and call again.",
    ));

  test("one id for two calls of an answer, and again in the next: each call is run once, each has its own result", async () => {
    const twice = (name: string): ReturnType<typeof turn> =>
      turn(
        { type: "tool_use", name: "bash", id: "toolu_same", input: { command: `echo ${name} 1 >> log.md` } },
        { type: "tool_use", name: "bash", id: "toolu_same", input: { command: `echo ${name} 2 >> log.md` } },
      );
    await inHouse({ script: sequence([twice("a"), twice("b"), say("Done.")]) }, async (house) => {
      await house.say("go");
      expect(readFileSync(join(house.cwd, "log.md"), "utf8")).toBe("a 1\na 2\nb 1\nb 2\n");
      const ids = house.of("tool.requested").map(({ toolUseId }) => toolUseId);
      expect(ids).toEqual(["toolu_same", "toolu_same_2", "toolu_same_3", "toolu_same_4"]);
    });
  });
});
