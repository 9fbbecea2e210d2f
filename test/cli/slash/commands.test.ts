/** The table of slash commands, and those about sessions, through a real house: what each records, says and refuses. */
import { describe, expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SLASH_COMMANDS } from "../../../src/cli/slash/commands.ts";
import { SLASH_GROUPS } from "../../../src/cli/slash/define.ts";
import type { KhaelorEvent } from "../../../src/shared/index.ts";
import { inTerminalHouse, payloadsOf, saying } from "../../support/terminal-house.ts";

describe("the table", () => {
  test("has each name once, every group, and words for all", () => {
    const names = SLASH_COMMANDS.flatMap(({ name, aliases }) => [name, ...aliases]);
    expect(names.length).toBe(new Set(names).size);
    expect([...new Set(SLASH_COMMANDS.map(({ group }) => group))]).toEqual([...SLASH_GROUPS]);
    expect(SLASH_COMMANDS.filter(({ about }) => about === "" || about.endsWith("."))).toEqual([]);
  });

  test("names what comes later, and what was probably meant", async () => {
    await inTerminalHouse({}, async ({ unknownCommand }) => {
      expect(unknownCommand("/modl")).toBe("There is no command /modl; did you mean /model?");
      expect(unknownCommand("rewind")).toContain("/rewind comes in a later version");
      expect(unknownCommand("xyzzy")).toBe("There is no command /xyzzy; /help lists them");
      for (const { name, aliases } of SLASH_COMMANDS) {
        for (const known of [name, ...aliases]) expect(unknownCommand(known)).not.toContain("later version");
      }
    });
  });

  test("commands that concern the interface alone are its actions", async () => {
    await inTerminalHouse({}, async (house) => {
      await house.open();
      const acted = await Promise.all(
        [
          "/vim",
          "/keybindings",
          "/details",
          "/thinking",
          "/raw",
          "/mouse",
          "/redraw",
          "/editor",
          "/help",
          "/exit",
          "/copy code",
        ].map((line) => house.run(line)),
      );
      expect(acted.flat().map((one) => ("act" in one ? one.act : one))).toEqual([
        { kind: "vim" },
        { kind: "keys" },
        { kind: "details" },
        { kind: "thinking" },
        { kind: "raw" },
        { kind: "mouse" },
        { kind: "redraw" },
        { kind: "editor" },
        { kind: "help" },
        { kind: "quit" },
        { kind: "copy", what: "code" },
      ]);
    });
  });
});

describe("sessions", () => {
  test("/new, /rename, /sessions and /resume", async () => {
    await inTerminalHouse({}, async (house) => {
      const { id: first } = await house.open();
      await house.say("say apples");
      await house.run("/rename Fruit  salad");
      expect(payloadsOf(house, "session.renamed")).toEqual([{ title: "Fruit salad" }]);
      expect(await house.run("/new")).toEqual([{ switchTo: {} }]);
      await house.say("say pears");
      const second = house.session().id;
      const [chosen] = await house.run("/sessions", undefined);
      expect(chosen).toMatchObject({ choose: { isFiltered: true, rows: [{ value: first, label: "Fruit salad" }] } });
      expect(await house.run("/resume apples")).toEqual([{ switchTo: { resume: first } }]);
      expect(house.session().id).toBe(first);
      expect(await house.refusal("/resume plums")).toBe('No other session has the words "plums".');
      await house.run("/new");
      const [both, went] = await house.run("/resume say", second);
      expect(both).toMatchObject({ choose: { title: 'Sessions with "say"' } });
      expect(went).toEqual({ switchTo: { resume: second } });
      expect(await house.refusal("/rename   ")).toContain("not refused"); // the title is asked for, and was not given
    });
  });

  test("/resume shows a log that is damaged as far as it can be read, and /fork goes on before the damage", async () => {
    await inTerminalHouse({}, async (house) => {
      const { id, path } = await house.open();
      await house.say("say one");
      await house.run("/new");
      const lines = readFileSync(path, "utf8").split("\n");
      const broken = [lines[0], "{broken", ...lines.slice(1)].join("\n");
      writeFileSync(path, broken);
      await house.run(`/resume ${id}`);
      expect(house.session().readOnly?.why).toContain("/fork goes on in a copy that ends at event 1");
      expect(saying(await house.run("/log fsck"))[0]).toContain("Damaged at line 2 (byte");
      expect(await house.run("/fork")).toEqual([{ switchTo: { fork: { id, seq: 1 } } }]);
      expect(house.session().readOnly).toBeUndefined();
      expect(readFileSync(path, "utf8")).toBe(broken);
    });
  });

  test("a log that only a newer version can read whole is called damaged nowhere, until a line really is", async () => {
    await inTerminalHouse({}, async (house) => {
      const { id, path } = await house.open();
      await house.say("say one");
      await house.run("/new");
      const { store } = house.host.engine();
      const lines = readFileSync(path, "utf8").split("\n");
      const newer = lines.with(2, (lines[2] ?? "").replace('"v":1', '"v":99'));
      writeFileSync(path, newer.join("\n"));
      const [row] = await house.queries.sessions("", new AbortController().signal);
      expect(row?.title).toBe("say one (of a newer version)");
      await house.run(`/resume ${id}`);
      expect(house.session().readOnly?.why).toContain(`update khaelor, then /resume ${id}.`);
      const gaps = await Array.fromAsync(house.session().history());
      expect(gaps.flatMap((line) => ("gap" in line ? [line.gap] : []))[0]).toStartWith("Left out here: line 3 (byte");
      expect(saying(await house.run("/log fsck"))[0]).toStartWith("Sound, but line 3 (byte");
      await house.run("/export seen.md");
      const exported = readFileSync(join(house.cwd, "seen.md"), "utf8");
      expect(exported).toContain("> **Left out here:** line 3 (byte");
      writeFileSync(path, newer.with(4, "{broken").join("\n"));
      await expect(store.open(id)).rejects.toThrow(`session ${id} is damaged at line 5 (byte`);
      expect(saying(await house.run("/log fsck"))[0]).toStartWith("Damaged at line 5 (byte");
    });
  });

  test("/fork goes on in a copy, of all or up to an event, and the session stays as it is", async () => {
    await inTerminalHouse({}, async (house) => {
      const { id, path } = await house.open();
      expect(await house.refusal("/fork")).toContain("Nothing was said in this session yet");
      await house.say("say one");
      const said = readFileSync(path, "utf8");
      expect(await house.refusal("/fork here")).toContain("the number of an event");
      expect(await house.run("/fork")).toEqual([{ switchTo: { fork: { id } } }]);
      const all = readFileSync(house.session().path, "utf8");
      expect(all.startsWith(said)).toBe(true);
      await house.run("/fork @2");
      expect(readFileSync(house.session().path, "utf8").split("\n").slice(0, 2)).toEqual(said.split("\n").slice(0, 2));
      expect(readFileSync(path, "utf8")).toBe(said);
    });
  });

  test("and one that is open in another process, with what that records", async () => {
    await inTerminalHouse({}, async (house) => {
      const { id } = await house.open();
      await house.say("say one");
      await house.run("/new");
      const other = await house.host.engine().store.open(id);
      await house.run(`/resume ${id}`);
      const session = house.session();
      expect(session.readOnly?.why).toContain("is open in another khaelor");
      await Array.fromAsync(session.history());
      const { promise: heard, resolve } = Promise.withResolvers<KhaelorEvent>();
      session.subscribe(resolve);
      other.publish({ type: "session.renamed", payload: { title: "from over there" } });
      expect(await heard).toMatchObject({ type: "session.renamed", payload: { title: "from over there" } });
      await other.close();
      await house.run("/new");
      expect(await house.run(`/resume ${id}`)).toEqual([{ switchTo: { resume: id } }]);
      expect(house.session().readOnly).toBeUndefined();
    });
  });

  test("/export writes a file for the user alone, and never over another", async () => {
    await inTerminalHouse({}, async (house) => {
      const { id } = await house.open();
      await house.say("say hello there");
      await house.run("/export");
      const path = join(house.cwd, `khaelor-${id}.md`);
      expect([readFileSync(path, "utf8").includes("hello there"), statSync(path).mode & 0o777]).toEqual([true, 0o600]);
      expect(await house.refusal("/export")).toContain("is there already");
      await house.run("/export log.jsonl");
      expect(readFileSync(join(house.cwd, "log.jsonl"), "utf8")).toBe(readFileSync(house.session().path, "utf8"));
      expect(await house.refusal("/export --html")).toBe("--html: there is only --md, --jsonl here.");
    });
  });

  test("/log and /search", async () => {
    await inTerminalHouse({}, async (house) => {
      await house.open();
      await house.say("say needle");
      const first = house.session().id;
      expect(saying(await house.run("/log"))).toEqual([house.session().path]);
      expect(saying(await house.run("/log tail"))[0]).toContain("model.response-completed");
      expect(saying(await house.run("/log fsck"))[0]).toMatch(/^\d+ events, ok\. khaelor fsck/);
      expect(await house.refusal("/log tial")).toBe("/log tial: did you mean tail?");
      expect(await house.run("/search needle")).toEqual([{ act: { kind: "search", text: "needle" } }]);
      await house.run("/new");
      const [found, went] = await house.run("/search --all needle", `${first}@4`);
      expect(found).toMatchObject({
        choose: {
          rows: expect.arrayContaining([expect.objectContaining({ label: expect.stringContaining("needle") })]),
        },
      });
      expect(went).toEqual({ switchTo: { resume: first } });
    });
  });
});
