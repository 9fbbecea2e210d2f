/** The read tool: what a model is shown of a file, and what is recorded about it. */
import { describe, expect, test } from "bun:test";
import { mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { sha256 } from "../../src/shared/index.ts";
import { createStage } from "./stage.ts";

const reading = async (content: string | Uint8Array, input: object = {}, name = "a.txt") => {
  await using stage = createStage();
  writeFileSync(`${stage.folder}/${name}`, content);
  return await stage.run("read", { file_path: name, ...input });
};
const textOf = async (content: string | Uint8Array, input: object = {}, name = "a.txt"): Promise<string> =>
  (await reading(content, input, name)).modelText;

describe("read", () => {
  test("numbers the lines and records the hash of the whole file", async () => {
    await using stage = createStage();
    const path = `${stage.folder}/a.txt`;
    writeFileSync(path, "one\ntwo\n");
    expect(await stage.run("read", { file_path: path })).toEqual({
      modelText: "     1\tone\n     2\ttwo",
      shows: "lines",
      ui: { kind: "read", summary: "a.txt: 2 lines" },
      read: [{ path, bytes: 8, mtimeMs: statSync(path).mtimeMs, sha256: sha256("one\ntwo\n") }],
    });
  });

  test("shows a range and names the next call", async () => {
    const result = await reading("1\n2\n3\n4\n5\n", { offset: 2, limit: 2 });
    expect(result.modelText).toBe(
      '     2\t2\n     3\t3\n[Lines 2-3 of 5. For more: read {"file_path":"a.txt","offset":4,"limit":2}]',
    );
    expect(result.read?.[0]).toMatchObject({
      range: { start: 2, end: 3 },
      bytes: 10,
      sha256: sha256("1\n2\n3\n4\n5\n"),
    });
    expect(result.ui.summary).toBe("a.txt: lines 2-3 of 5");
  });

  test("keeps within 2000 lines and the bytes of a result, and goes on where it stopped", async () => {
    const many = Array.from({ length: 5000 }, (_, n) => `${n}\n`).join("");
    expect(await textOf(many)).toEndWith('[Lines 1-2000 of 5000. For more: read {"file_path":"a.txt","offset":2001}]');
    const wide = `${"é".repeat(900)}\n`.repeat(100);
    const text = await textOf(wide);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(32 * 1024);
    const next = Number(/"offset":(\d+)/.exec(text)?.[1]);
    expect(text).toContain(`${String(next - 1).padStart(6)}\t`);
    expect(await textOf(wide, { offset: next, limit: 1 })).toStartWith(`${String(next).padStart(6)}\té`);
  });

  test("cuts a long line, not through a character", async () => {
    const text = await textOf(`${"x".repeat(1999)}😀${"y".repeat(100)}\n`);
    expect(text).toBe(`     1\t${"x".repeat(1999)}… [line cut: 102 more characters]`);
  });

  test("says in words what lines cannot show", async () => {
    expect(await textOf("")).toBe("a.txt is empty.");
    expect(await textOf("one\n", { offset: 7 })).toBe("a.txt has only 1 lines; there is no line 7.");
    expect(await textOf("one\n", { offset: 1e300 })).toMatch(/^a\.txt has only 1 lines; there is no line \d+\.$/);
    expect(await textOf("\ufeffa\r\nb\r\n")).toBe(
      "     1\ta\n     2\tb\n[It begins with a UTF-8 BOM, which edit keeps.]\n[Its lines end in CRLF, which edit keeps: write plain line ends.]",
    );
    expect(await textOf(Buffer.from([0x93, 0xfa, 0x0a]))).toContain("edit refuses it");
    expect(await textOf(Buffer.from("\ufeffhi\n", "utf16le"))).toContain("     1\thi");
    expect(await textOf("a\u2028b\n")).toBe("     1\ta\u2028b");
  });

  test("shows neither images nor other binary files", async () => {
    const png = await reading(Buffer.from("89504e470d0a1a0a", "hex"), {}, "a.png");
    expect([png.errorKind, png.modelText.slice(0, 41)]).toEqual([
      "invalid-input",
      "a.png is a PNG image of 8 bytes. Its cont",
    ]);
    expect(await textOf(Buffer.from([1, 0, 2]))).toStartWith("a.txt is a binary file of 3 bytes.");
  });

  test("helps after a wrong path", async () => {
    await using stage = createStage();
    mkdirSync(`${stage.folder}/src`);
    writeFileSync(`${stage.folder}/src/config.ts`, "");
    writeFileSync(`${stage.folder}/src/re\u0301sume\u0301.md`, "");
    const said = async (file_path: string) =>
      (await stage.run("read", { file_path })).modelText.replaceAll(stage.folder, ".");
    expect(await said("src/confg.ts")).toBe("./src/confg.ts does not exist. Did you mean ./src/config.ts?");
    expect(await said("src/config.js")).toBe("./src/config.js does not exist. Did you mean ./src/config.ts?");
    expect(await said("src/r\u00e9sum\u00e9.md")).toContain("re\u0301sume\u0301.md");
    expect(await said("scr/config.ts")).toBe(
      "./scr/config.ts does not exist. The nearest folder that exists is ..\nIn it: src/",
    );
    expect(await said("src")).toBe("./src is a directory.\nIn it: config.ts, re\u0301sume\u0301.md");
    expect((await stage.run("read", { file_path: "src/confg.ts" })).errorKind).toBe("not-found");
    expect(await said("a\0b")).toContain("NUL");
    expect(await said("/dev/zero")).toContain("is a device");
    symlinkSync("nowhere", `${stage.folder}/src/lost`);
    expect(await said("src/lost")).toContain("A link to nothing has this name");
  });

  test("takes `~/` as the home folder", async () => {
    await using stage = createStage();
    writeFileSync(`${stage.folder}/../home/notes`, "mine\n");
    expect((await stage.run("read", { file_path: "~/notes" })).modelText).toBe("     1\tmine");
  });
});
