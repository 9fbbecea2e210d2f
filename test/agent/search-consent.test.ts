/** Searching through the house, with the evaluator as it judges reads: a search is no way round a rule. */
import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Flags } from "../../src/cli/settings.ts";
import { sequence } from "../../src/simulator/index.ts";
import { call, type Driven, edit, inHouse, say, turn } from "./driving.ts";

const FILES = {
  "src/app.ts": "export const token = process.env.TOKEN;\n",
  ".env": "TOKEN=very-secret\n",
  "certs/server.key": "TOKEN very-secret\n",
};
const RULES: Flags["permissions"] = [
  { capability: "file.read", pattern: "*.env", action: "deny" },
  { capability: "file.read", pattern: "certs/*", action: "ask" },
];
const grep = (more: object = {}) => call("grep", { pattern: "(?i)token", output_mode: "content", ...more });
const results = (house: Driven) => house.of("tool.completed").map(({ modelText }) => modelText);
const sentText = ({ simulator }: Driven) => simulator.requests.map(({ raw }) => raw).join("\n");

describe("a search of the project", () => {
  test.each(["ask", "plan", "bypass"] as const)(
    "runs without a question and without what %s would not read",
    async (mode) => {
      const script = sequence([
        turn(grep(), grep({ output_mode: "count" }), call("glob", { pattern: "**/*" })),
        turn(grep({ path: ".env" }), call("glob", { pattern: "certs/*" }), grep({ path: "src" })),
        say("Done."),
      ]);
      const flags = { permissionMode: mode, permissions: RULES };
      await inHouse({ script, files: FILES, flags }, async (house) => {
        await house.say("look");
        const [lines, counts, names, ...more] = results(house);
        const keyShown = mode === "bypass"; // nothing is asked there; what is denied stays denied
        expect(lines?.includes("src/app.ts\n1:export")).toBe(true);
        expect([lines, counts, names].map((one) => one?.includes("server.key"))).toEqual([
          keyShown,
          keyShown,
          keyShown,
        ]);
        expect([lines, counts, names, ...more].some((one) => /\.env\b(?!\.TOKEN)/.test(one ?? ""))).toBe(false);
        expect(sentText(house)).not.toContain("TOKEN=very-secret");
        expect(house.of("tool.failed").map(({ errorKind }) => errorKind)).toEqual(["permission-denied"]);
        expect(house.of("file.read")).toEqual([]);
      });
    },
  );

  test("is not a reading of what it shows: an edit still asks for that", async () => {
    const script = sequence([
      turn(grep({ path: "src" })),
      turn(edit("src/app.ts", "token", "secret")),
      say("I have to read it first."),
    ]);
    await inHouse({ script, files: FILES }, async (house) => {
      await house.say("rename");
      expect(house.of("tool.failed")).toMatchObject([{ modelText: expect.stringContaining("(unread)") }]);
      expect(house.of("tool.completed")).toMatchObject([{ ui: { kind: "search", matchCount: 1 } }]);
    });
  });
});

describe("a search of the program's own folder", () => {
  test("is free for long output that was kept there, and never shows a key", async () => {
    const folder = (path: string) => `../home/${path}`;
    const script = sequence([
      turn(
        grep({ path: folder("spill/output.txt") }),
        grep({ path: folder("credentials.json") }),
        grep({ path: folder("") }),
      ),
      say("Done."),
    ]);
    await inHouse({ script, files: FILES, flags: { permissionMode: "ask" } }, async (house) => {
      mkdirSync(join(house.home, "spill"), { recursive: true });
      writeFileSync(join(house.home, "spill/output.txt"), "token in a long output\n");
      writeFileSync(join(house.home, "credentials.json"), '{"token":"very-secret"}\n');
      await house.say("look");
      expect(results(house)).toEqual([expect.stringContaining("1:token in a long output")]);
      expect(house.of("tool.failed").map(({ errorKind }) => errorKind)).toEqual([
        "permission-denied",
        "permission-denied",
      ]);
      expect(sentText(house)).not.toContain("very-secret");
    });
  });
});

describe("a search elsewhere", () => {
  const elsewhere = (house: Driven) => {
    mkdirSync(join(house.cwd, "../elsewhere"));
    writeFileSync(join(house.cwd, "../elsewhere/notes.txt"), "token of another project\n");
  };
  const script = () =>
    sequence([turn(grep({ path: "../elsewhere" }), call("glob", { pattern: "../elsewhere/*.txt" })), say("Done.")]);

  test("asks, and with nobody to ask it is refused", async () => {
    await inHouse({ script: script(), files: FILES, flags: { permissionMode: "ask" } }, async (house) => {
      elsewhere(house);
      await house.say("look");
      expect(results(house)).toEqual([]);
      expect(house.of("tool.failed").map(({ errorKind }) => errorKind)).toEqual([
        "permission-denied",
        "permission-denied",
      ]);
      expect(sentText(house)).not.toContain("another project");
    });
  });

  test.each(["once", "session"] as const)("shows what is there once it is allowed (%s)", async (decision) => {
    const setup = { script: script(), files: FILES, flags: { permissionMode: "ask" as const }, somebodyToAsk: true };
    await inHouse(setup, async (house) => {
      elsewhere(house);
      house.engine.session.bus.on("permission.requested", ({ payload }) => {
        const { permissionRequestId: requestId } = payload;
        queueMicrotask(() => house.engine.agent.dispatch({ kind: "permission-response", requestId, decision }));
      });
      await house.say("look");
      expect(results(house)).toEqual([
        expect.stringContaining("elsewhere/notes.txt\n1:token of another project"),
        expect.stringMatching(/\/elsewhere\/notes\.txt$/),
      ]);
      expect(house.of("permission.requested").length).toBe(decision === "once" ? 2 : 1);
    });
  });
});
