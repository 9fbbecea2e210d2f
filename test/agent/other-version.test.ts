/** A session goes on under another version, with other instruction files, or with a part of its prefix lost. */
import { describe, expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolSchema } from "../../src/anthropic/index.ts";
import type { Opening } from "../../src/cli/opening.ts";
import { prefixOnResume } from "../../src/cli/session-prefix.ts";
import { systemClock } from "../../src/shared/index.ts";
import { createRegistry, createTools } from "../../src/tools/index.ts";
import { bash, type Driven, inHouse, read, say, text, thinking, turn } from "./driving.ts";
import { engineIn } from "./engines.ts";

const talk = (request: { readonly index: number }) => say(`answer ${request.index}`);

const bodyAt = ({ simulator }: Driven, at: number) =>
  simulator.requests.at(at)?.body as { readonly system: unknown; readonly tools: readonly ToolSchema[] };

const prefixSent = (house: Driven, at: number): string => {
  const { system, tools } = bodyAt(house, at);
  return JSON.stringify([system, tools]);
};

const toolsSent = (house: Driven, at: number): readonly string[] => bodyAt(house, at).tools.map(({ name }) => name);

/** As an earlier version would have begun it: with other tools in its prefix. */
async function asWithTools(house: Driven, change: (tools: ToolSchema[]) => ToolSchema[]): Promise<void> {
  const { session } = house.engine;
  const { toolsSha256 = "" } = session.state().conversation;
  const stored = await session.blobs.get(toolsSha256);
  const tools = JSON.parse(new TextDecoder().decode(stored)) as ToolSchema[];
  const older = await session.blobs.put(new TextEncoder().encode(JSON.stringify(change(tools))));
  await house.engine.close();
  writeFileSync(session.path, readFileSync(session.path, "utf8").replaceAll(toolsSha256, older));
  house.engine = await engineIn(house, { resume: session.id });
}

describe("under another version", () => {
  test("instruction files that have changed since leave the prefix as it was, to the byte", () =>
    inHouse({ script: talk, files: { "CLAUDE.md": "Be brief.\n" } }, async (house) => {
      await house.say("one");
      writeFileSync(join(house.cwd, "CLAUDE.md"), "Be long.\n");
      const { breaks } = house.engine.session.state().conversation;
      await house.reopen();
      await house.say("two");
      expect(prefixSent(house, 1)).toBe(prefixSent(house, 0));
      expect(house.engine.session.state().conversation.breaks).toBe(breaks);
      expect(house.engine.notices).toEqual([]);
    }));

  test("tools that were only added to since stay as the session has them", () =>
    inHouse({ script: talk }, async (house) => {
      const withoutGrep = (tools: ToolSchema[]) => tools.filter(({ name }) => name !== "grep");
      await asWithTools(house, withoutGrep);
      await house.say("one");
      await house.reopen();
      await house.say("two");
      expect(house.engine.notices).toEqual([]);
      expect(prefixSent(house, 1)).toBe(prefixSent(house, 0));
      expect(toolsSent(house, 1)).not.toContain("grep");
    }));

  test("a tool that is gone, or needs more than it did, begins a new epoch with this version's tools", () =>
    inHouse({ script: talk }, async (house) => {
      const gone = { name: "teleport", description: "beams", input_schema: { type: "object" } };
      const { systemSha256 } = house.engine.session.state().conversation;
      await asWithTools(house, (tools) => [
        gone,
        ...tools.map((tool) => (tool.name === "read" ? { ...tool, input_schema: { type: "object" } } : tool)),
      ]);
      expect(house.engine.notices).toEqual([
        'Tools that this session began with are not the same in this version (teleport: it is gone; read: it now needs "file_path"); ' +
          "it goes on with this version's.",
      ]);
      await house.say("one");
      expect(toolsSent(house, 0)).toEqual(["read", "write", "edit", "grep", "glob", "bash", "process"]);
      expect(house.engine.session.state().conversation.systemSha256).toBe(systemSha256 ?? "");
      await house.reopen();
      expect(house.engine.notices).toEqual([]);
    }));

  test("while a loop is open its prefix stays, and the user is told when that ends", () =>
    inHouse(
      {
        script: () => turn(thinking("Look."), text("Looking."), bash("sh look.sh")),
        files: { "look.sh": "echo seen\n" },
      },
      async (house) => {
        const completed = house.next("tool.completed");
        house.submit("look around");
        await completed;
        house.interrupt();
        await house.settled();
        const { session, workspace, search } = house.engine;
        const all = createTools({ workspace, search, home: house.home, processes: NO_PROCESSES });
        const tools = createRegistry(all.all.filter(({ name }) => name !== "bash"));
        const { prefix, notices } = await prefixOnResume({ ...openingOf(house), tools }, session);
        const { toolsSha256 } = session.state().conversation;
        expect(prefix.toolsSha256).toBe(toolsSha256 ?? "");
        expect(notices).toEqual([
          expect.stringMatching(/\(bash: it is gone\)\. It gets this version's when it is resumed after/),
        ]);
      },
    ));
});

const NO_PROCESSES = {} as Parameters<typeof createTools>[0]["processes"]; // as: no tool runs, only their schemas are asked for

const openingOf = ({ engine, home, cwd }: Driven): Opening => ({
  store: engine.store,
  clock: systemClock,
  workspace: engine.workspace,
  tools: createRegistry([]),
  hasChosenTools: false,
  config: engine.config,
  places: { home, userHome: home, cwd },
  projectRoot: engine.projectRoot,
  typed: {},
  prompt: {},
  outputSchema: undefined,
});

describe("with one part of the prefix lost", () => {
  const lose = async (house: Driven, part: "systemSha256" | "toolsSha256") => {
    const { [part]: name = "" } = house.engine.session.state().conversation;
    rmSync(join(house.home, "blobs", name));
    await house.reopen();
  };

  test("the other part stays", () =>
    inHouse({ script: talk, files: { "CLAUDE.md": "Be brief.\n" } }, async (house) => {
      await house.say("one");
      writeFileSync(join(house.cwd, "CLAUDE.md"), "Be long.\n");
      await lose(house, "toolsSha256");
      expect(house.engine.notices).toEqual([expect.stringMatching(/^The stored tools of .* goes on with new ones\.$/)]);
      await house.say("two");
      expect(prefixSent(house, 1)).toBe(prefixSent(house, 0)); // this version makes the same tools
      await lose(house, "systemSha256");
      expect(house.engine.notices).toEqual([expect.stringMatching(/^The stored system prompt of /)]);
      await house.say("three");
      expect(JSON.stringify(bodyAt(house, 2).system)).toContain("Be long.");
      expect(bodyAt(house, 2).tools).toEqual(bodyAt(house, 0).tools);
    }));

  test("a session that was given few tools gets no more of them", () =>
    inHouse(
      { script: ({ index }) => (index === 0 ? turn(read("a")) : talk({ index })), files: { a: "a\n" } },
      async (house) => {
        await house.engine.close();
        house.engine = await engineIn(house, { tools: "read,grep" });
        await house.say("one");
        await lose(house, "toolsSha256");
        await house.say("two");
        expect([toolsSent(house, 0), toolsSent(house, -1)]).toEqual([
          ["read", "grep"],
          ["read", "grep"],
        ]);
      },
    ));
});
