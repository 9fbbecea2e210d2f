/** Questions of consent in lines: all that is known of it is printed, and only a line that can be nothing else answers it. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Engine } from "../../../src/cli/engine.ts";
import { answerOf, answerPrompt } from "../../../src/tui/lines/question.ts";
import type { OpenQuestion } from "../../../src/tui/model/items.ts";
import { type LineStage, onLineStage, STAGE_TIMEOUT_MS } from "./line-stage.ts";

setDefaultTimeout(STAGE_TIMEOUT_MS);

const PROMPT = "\n> ";
const ASKS = { flags: { permissionMode: "ask" } } as const;
const ONCE = "Answer y, n, or n and why: ";
const LASTING = "Answer y, s, a, A, n, or n and why: ";

/** The interface opens its session itself, so that the house hears nothing of it: the log does. */
const recorded = ({ store, session }: Engine) => Array.fromAsync(store.read(session.id));

const outcomes = async ({ house }: LineStage) =>
  (await recorded(house.host.engine())).map(({ type }) => type).filter((type) => type.startsWith("permission."));

async function asked({ type, waitFor }: LineStage, message: string, prompt = ONCE): Promise<void> {
  await waitFor(PROMPT);
  type(message);
  await waitFor(`\n${prompt}`);
}

describe("a question", () => {
  test("shows the command, why it asks and what could be taken back", () =>
    onLineStage(ASKS, async (stage) => {
      await asked(stage, "run touch made; chmod 600 made");
      expect(stage.text().slice(stage.text().indexOf("Run a command?"))).toBe(
        [
          "Run a command?",
          "   $ touch made; chmod 600 made",
          "   process.execute · No rule matches.",
          "   cannot be taken back by khaelor",
          "   no rule would be safe here: it can be allowed once",
          ONCE,
        ].join("\n"),
      );
    }));

  test("shows a change line by line, and what a lasting yes would store", () =>
    onLineStage(ASKS, async (stage) => {
      await asked(stage, "write a.txt one two", LASTING);
      expect(stage.text()).toContain("   a.txt  the whole file, 1 line\n   + one two\n   file.write.project");
      expect(stage.text()).toContain("what the file holds now is kept\n   always: allow file.write.project");
    }));

  test("spells out what cannot be seen", () =>
    onLineStage(ASKS, async (stage) => {
      await asked(stage, "run chmod 600 \u202egpj.exe\u200b");
      expect(stage.text()).toContain("   $ chmod 600 \\u202egpj.exe\\u200b\n");
    }));
});

describe("a question is answered", () => {
  test("by y, and the turn goes on", () =>
    onLineStage(ASKS, async (stage) => {
      await asked(stage, "run touch made; chmod 600 made");
      stage.type("y");
      await stage.waitFor(/✓ bash touch made; chmod 600 made[\s\S]*Done\.\n[\s\S]*\n> /);
      expect([existsSync(join(stage.house.cwd, "made")), await outcomes(stage)]).toEqual([
        true,
        ["permission.requested", "permission.granted"],
      ]);
    }));

  test("by n and why, which the model is told", () =>
    onLineStage(ASKS, async (stage) => {
      await asked(stage, "run touch made; chmod 600 made");
      stage.type("n  make it elsewhere ");
      await stage.waitFor("The user refused: make it elsewhere");
      await stage.waitFor(PROMPT);
      expect(existsSync(join(stage.house.cwd, "made"))).toBe(false);
      expect(stage.house.simulator.requests.at(-1)?.raw).toContain("The user refused: make it elsewhere");
    }));

  test("by s for the session: it is not asked again", () =>
    onLineStage(ASKS, async (stage) => {
      await asked(stage, "write a.txt one", LASTING);
      stage.type("s");
      await stage.waitFor("· Allowed for this session: file.write.project");
      await stage.waitFor(PROMPT);
      stage.type("write a.txt two");
      await stage.waitFor("two");
      await stage.waitFor(PROMPT);
      expect(await outcomes(stage)).toEqual(["permission.requested", "permission.granted"]);
    }));
});

describe("a question is not answered", () => {
  const NOT = ["", "yes", "Y", "y please", "ok", "no", "/exit", "d", "s", "a", "!true", "always", "yn"];
  test("by anything else, and nothing of it is sent", () =>
    onLineStage(ASKS, async (stage) => {
      await asked(stage, "run touch made; chmod 600 made");
      stage.type(...NOT);
      for (const _line of NOT.filter((line) => line !== "")) {
        await stage.waitFor("! That is no answer, and it was not sent");
        await stage.waitFor(ONCE);
      }
      expect([await outcomes(stage), stage.house.simulator.requests.length]).toEqual([["permission.requested"], 1]);
      stage.type("n");
      await stage.waitFor(PROMPT);
    }));

  test("by a line that came with it, or was begun before it", () =>
    onLineStage(ASKS, async (stage) => {
      await asked(stage, "run touch made; chmod 600 made");
      stage.typeEarly("y");
      await stage.waitFor("! That line came with the question and answers nothing; it was not sent either.");
      await stage.waitFor(ONCE);
      stage.typeBegun("y", 60_000);
      await stage.waitFor("! That line came with the question");
      await stage.waitFor(ONCE);
      expect(await outcomes(stage)).toEqual(["permission.requested"]);
      stage.type("y");
      await stage.waitFor(PROMPT);
    }));
});

test("several are put one after the other, each for itself", () =>
  onLineStage(
    {
      ...ASKS,
      script: ({ index }) =>
        index > 0
          ? { content: [{ type: "text", text: "All asked." }] }
          : {
              content: ["one", "two", "three"].map((name) => ({
                type: "tool_use" as const,
                name: "bash",
                input: { command: `touch ${name}; chmod 600 ${name}` },
              })),
            },
    },
    async (stage) => {
      await asked(stage, "hello");
      for (const [answer, name] of [
        ["y", "one"],
        ["n not this", "two"],
        ["y", "three"],
      ] as const) {
        expect(stage.text()).toContain(`$ touch ${name}; chmod`);
        stage.type(answer);
        await stage.waitFor(name === "three" ? "All asked.\n" : ONCE);
      }
      expect(["one", "two", "three"].map((name) => existsSync(join(stage.house.cwd, name)))).toEqual([
        true,
        false,
        true,
      ]);
    },
  ));

test("Ctrl+C stops the turn that asks", () =>
  onLineStage(ASKS, async (stage) => {
    await asked(stage, "run touch made; chmod 600 made");
    stage.interrupt();
    await stage.waitFor(/! Stopped\.[\s\S]*\n> /);
    expect(existsSync(join(stage.house.cwd, "made"))).toBe(false);
  }));

test("at the end of the input nobody is there to ask: it is refused, and the turn goes on to its end", () =>
  onLineStage(ASKS, async (stage) => {
    await asked(stage, "run touch made; chmod 600 made");
    const engine = stage.house.host.engine();
    stage.endInput();
    expect((await stage.ended).kind).toBe("quit");
    expect(stage.text()).toMatch(/✗ bash touch made; chmod 600 made {2}[\s\S]*\n {3}Done\.\n$/);
    const denied = (await recorded(engine)).filter(({ type }) => type === "permission.denied");
    expect(denied.map(({ payload }) => payload)).toMatchObject([{ source: "timeout" }]);
  }));

test("one that was open when the session was left returns with it, and can be answered", () =>
  onLineStage(
    {
      ...ASKS,
      async start(house) {
        const { id, path } = await house.open();
        house.session().dispatch({ kind: "submit-message", text: "run touch made; chmod 600 made", mentions: [] });
        while (!house.events.some(({ type }) => type === "permission.requested")) await Bun.sleep(5);
        const bytes = readFileSync(path); // as a kill in this moment leaves it
        await house.host.close();
        writeFileSync(path, bytes);
        return { session: { resume: id } };
      },
    },
    async (stage) => {
      await stage.waitFor(
        "1 message so far. The last exchange follows, /raw prints all.\n\n> run touch made; chmod 600 made\n",
      );
      await stage.waitFor(ONCE);
      stage.type("y");
      await stage.waitFor("   Done.\n");
      expect(existsSync(join(stage.house.cwd, "made"))).toBe(true);
    },
  ));

describe("which lines are answers", () => {
  const question: OpenQuestion = {
    requestId: "1",
    toolUseId: "2",
    call: { name: "bash", input: { command: "true" } },
    capability: "process.execute",
    descriptor: "true",
    suggestion: { capability: "process.execute", pattern: "true" },
    because: undefined,
    tier: undefined,
    mention: undefined,
  };
  const loop = { ...question, capability: "loop.continue", suggestion: undefined };
  const mention = { ...question, toolUseId: undefined, mention: "a.txt", suggestion: undefined };

  test("depends on the question", () => {
    const typed = ["y", "s", "a", "A", "n", "n why", "n\twhy ", "y ", " y", "d", "nwhy", "N", "", "n  "];
    const decided = (one: OpenQuestion) => typed.map((line) => answerOf(one, line)?.decision ?? "");
    expect([question, loop, mention].map((one) => [answerPrompt(one), decided(one).join(" ")])).toEqual([
      [LASTING, "once session always-project always-user deny deny deny once      deny"],
      [ONCE, "once    deny deny deny once      deny"],
      ["Answer y or n: ", "once    deny   once      deny"],
    ]);
  });

  test("the reason is what stands behind", () => {
    expect(["n why not", "n   x ", "n"].map((line) => answerOf(question, line)?.feedback)).toEqual([
      "why not",
      "x",
      undefined,
    ]);
  });
});
