import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { importsIn } from "../../src/config/imports.ts";
import { discoverInstructions } from "../../src/config/index.ts";
import { openWorkshop, type Workshop } from "./workshop.ts";

let shop: Workshop;
beforeEach(() => {
  shop = openWorkshop();
});
afterEach(() => shop.remove());

async function discover(cwd = "project") {
  mkdirSync(shop.at(cwd), { recursive: true });
  const { home, userHome, projectRoot } = shop;
  const { files, problems } = await discoverInstructions({ home, userHome, projectRoot, cwd: shop.at(cwd) });
  const below = (path: string) => path.slice(shop.at("/").length);
  return {
    files: files.map(({ path, text }) => [below(path), text]),
    importers: files.map(({ importedBy }) => (importedBy === undefined ? "" : below(importedBy))),
    scopes: files.map(({ scope }) => scope),
    problems: problems.map((problem) => problem.replaceAll(shop.at("/"), "")),
  };
}

describe("which files apply", () => {
  test("the user's own, then from the root down to the working directory, and nothing beside the way", async () => {
    shop.write("home/.khaelor/AGENTS.md", "own");
    shop.write("project/AGENTS.md", "root");
    shop.write("project/a/b/CLAUDE.md", "nested");
    shop.write("project/a/c/AGENTS.md", "beside");
    shop.write("project/a/b/d/AGENTS.md", "below");
    shop.write("AGENTS.md", "above");
    expect(await discover("project/a/b")).toEqual({
      files: [
        ["home/.khaelor/AGENTS.md", "own"],
        ["project/AGENTS.md", "root"],
        ["project/a/b/CLAUDE.md", "nested"],
      ],
      importers: ["", "", ""],
      scopes: ["global", "project", "project"],
      problems: [],
    });
  });

  test("in one folder the first of KHAELOR.md, AGENTS.md and CLAUDE.md, whatever the others hold", async () => {
    for (const name of ["CLAUDE.md", "AGENTS.md", "KHAELOR.md"]) {
      shop.write(`project/${name}`, name);
      expect((await discover()).files).toEqual([[`project/${name}`, name]]);
    }
  });

  test("a file that is only a link to another name in the project is read once", async () => {
    shop.write("project/docs/guide.md", "guide");
    shop.link("project/AGENTS.md", "docs/guide.md");
    shop.link("project/a/AGENTS.md", "../docs/guide.md");
    expect((await discover("project/a")).files).toEqual([["project/AGENTS.md", "guide"]]);
  });

  test("none is no problem", async () => {
    expect(await discover()).toEqual({ files: [], importers: [], scopes: [], problems: [] });
  });
});

describe("imports", () => {
  test("follow their importer, in the order named, each once, with cycles cut", async () => {
    shop.write("project/AGENTS.md", "See @docs/a.md, then (@docs/b.md).\n@docs/a.md");
    shop.write("project/docs/a.md", "A @../AGENTS.md @b.md");
    shop.write("project/docs/b.md", "B @a.md");
    const found = await discover();
    expect(found.files.map(([path]) => path)).toEqual(["project/AGENTS.md", "project/docs/a.md", "project/docs/b.md"]);
    expect(found.importers).toEqual(["", "project/AGENTS.md", "project/docs/a.md"]);
    expect(found.problems).toEqual([]);
  });

  test("end after five levels", async () => {
    shop.write("project/AGENTS.md", "@1.md");
    for (let at = 1; at <= 7; at++) shop.write(`project/${at}.md`, `@${at + 1}.md`);
    const found = await discover();
    expect(found.files.map(([path]) => path).at(-1)).toBe("project/5.md");
    expect(found.problems).toEqual(["project/5.md imports 6.md more than 5 levels deep; it was not read."]);
  });

  test("of a project stay inside the project, links followed", async () => {
    shop.write("home/secret.md", "secret");
    shop.write("outside.md", "outside");
    shop.link("project/link.md", "../outside.md");
    shop.link("project/folder", "../home");
    const wanted = ["../outside.md", "~/secret.md", shop.at("outside.md"), "link.md", "folder/secret.md"];
    shop.write("project/AGENTS.md", wanted.map((path) => `@${path}`).join("\n"));
    const found = await discover();
    expect(found.files.map(([path]) => path)).toEqual(["project/AGENTS.md"]);
    expect(found.problems.length).toBe(wanted.length);
    for (const problem of found.problems) expect(problem).toContain("leads outside the project's documents");
  });

  test("of the user's own file reach the user's home and no further", async () => {
    shop.write("home/.khaelor/AGENTS.md", "@~/notes/style.md\n@more.md\n@~/../outside.md");
    shop.write("home/notes/style.md", "style");
    shop.write("home/.khaelor/more.md", "more");
    shop.write("outside.md", "outside");
    const found = await discover();
    expect(found.files.map(([, text]) => text).slice(1)).toEqual(["style", "more"]);
    expect(found.problems).toEqual([expect.stringContaining("leads outside your home folder's documents")]);
  });

  test("take documents only: no key, no environment file, not even by a link", async () => {
    shop.write("project/.env", "SECRET=1");
    shop.write("project/id_rsa", "SECRET");
    shop.write("home/.khaelor/credentials.json", '{"apiKey": "SECRET"}');
    shop.link("project/innocent.md", ".env");
    shop.write("project/AGENTS.md", "@.env\n@id_rsa\n@innocent.md");
    shop.write("home/.khaelor/AGENTS.md", "@credentials.json");
    const found = await discover();
    expect(JSON.stringify(found.files)).not.toContain("SECRET");
    expect(found.problems).toEqual([expect.stringContaining("project/innocent.md leads outside")]);
  });

  test("that do not exist are told only where nothing else was meant", async () => {
    shop.write("project/AGENTS.md", "ask @team.md about it\n@missing.md");
    expect((await discover()).problems).toEqual(["project/AGENTS.md imports missing.md, which does not exist."]);
  });
});

test("what only looks like an import is none", () => {
  const text = [
    "write to me@example.md or use @types/node, @Override and `@code.md`",
    "``a `@code.md` b``",
    "```md\n@fenced.md\n~~~\n@fenced.md\n```",
    "~~~~\n@fenced.md\n~~~\n@fenced.md\n~~~~~",
    "@README and (@docs/x.md), @package.json. @./rel/y.txt!",
    "\t@alone.md  ",
    "```\n@never-closed.md",
  ].join("\n");
  expect(importsIn(text)).toEqual([
    { path: "README", alone: false },
    { path: "docs/x.md", alone: false },
    { path: "package.json", alone: false },
    { path: "./rel/y.txt", alone: false },
    { path: "alone.md", alone: true },
  ]);
});

describe("bounds", () => {
  test("a long file is cut at a character, and says so", async () => {
    shop.write("project/AGENTS.md", "é".repeat(50_000));
    const [[, text = ""] = []] = (await discover()).files;
    expect(text).toBe(`${"é".repeat(32 * 1024)}\n[KHAELOR left out the rest of this file: 34464 bytes]\n`);
  });

  test("all files together are cut, and say so", async () => {
    shop.write("project/AGENTS.md", "@1.md @2.md @3.md @4.md");
    for (const name of ["1", "2", "3", "4"]) shop.write(`project/${name}.md`, name.repeat(60_000));
    const { files } = await discover();
    const total = files.reduce((sum, [, text = ""]) => sum + text.length, 0);
    expect(total).toBeLessThan(193 * 1024);
    expect(files.at(-1)?.[1]).toContain("[KHAELOR left out the rest of this file:");
  });

  test("what is not text is not read", async () => {
    shop.write("project/AGENTS.md", "a\0b");
    expect(await discover()).toMatchObject({
      files: [],
      problems: ["project/AGENTS.md is not text; it was not read as instructions."],
    });
  });
});
