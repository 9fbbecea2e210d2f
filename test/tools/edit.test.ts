/** The edit tool beyond the shared cases: what it says, what it records, and properties that no single case shows. */
import { describe, expect, test } from "bun:test";
import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { sha256 } from "../../src/shared/index.ts";
import { applyEdit } from "../../src/tools/edit/apply.ts";
import { createStage } from "./stage.ts";

const edit = (file_path: string, old_string: string, new_string: string) => ({ file_path, old_string, new_string });

describe("an edit", () => {
  test("shows the place as it now stands, and records hashes, mode, counts and a diff", async () => {
    await using stage = createStage();
    const path = `${stage.folder}/a.ts`;
    writeFileSync(path, "one\ntwo\nthree\n", { mode: 0o600 });
    await stage.run("read", { file_path: "a.ts" });
    const result = await stage.run("edit", edit("a.ts", "two", "zwei"));
    const diffStats = { added: 1, removed: 1 };
    expect(result).toEqual({
      modelText: "Edited a.ts. It now reads:\n     1\tone\n     2\tzwei\n     3\tthree",
      ui: { kind: "edit", summary: "a.ts: +1 -1", diffStats },
      modified: [
        {
          path,
          operation: "edit",
          diffStats,
          diff: "--- a.ts\n+++ a.ts\n@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n",
          beforeSha256: sha256("one\ntwo\nthree\n"),
          afterSha256: sha256("one\nzwei\nthree\n"),
          mode: 0o600,
        },
      ],
    });
    expect(stage.saved).toEqual([{ path, before: "one\ntwo\nthree\n" }]);
  });

  test("far down in a file gives a diff with the file's line numbers", async () => {
    await using stage = createStage();
    writeFileSync(`${stage.folder}/a`, Array.from({ length: 100 }, (_, n) => `${n + 1}\n`).join(""));
    await stage.run("read", { file_path: "a" });
    const result = await stage.run("edit", edit("a", "\n50\n", "\n50\nnew\n"));
    expect(result.modified?.[0]?.diff).toBe("--- a\n+++ a\n@@ -48,6 +48,7 @@\n 48\n 49\n 50\n+new\n 51\n 52\n 53\n");
  });

  test("may follow another edit without a new read, but not somebody else's", async () => {
    await using stage = createStage();
    const path = `${stage.folder}/a`;
    writeFileSync(path, "1\n");
    expect((await stage.run("edit", edit("a", "1", "2"))).modelText).toStartWith("Nothing was edited (unread).");
    await stage.run("read", { file_path: "a" });
    expect((await stage.run("edit", edit("a", "1", "2"))).errorKind).toBeUndefined();
    expect((await stage.run("edit", edit("a", "2", "3"))).errorKind).toBeUndefined();
    writeFileSync(path, "3\nmore\n");
    expect((await stage.run("edit", edit("a", "3", "4"))).modelText).toStartWith("Nothing was edited (stale).");
    expect(readFileSync(path, "utf8")).toBe("3\nmore\n");
  });

  test("stores the old content before it writes, and writes nothing when that fails", async () => {
    await using stage = createStage();
    writeFileSync(`${stage.folder}/a`, "1\n");
    await stage.run("read", { file_path: "a" });
    const contents: string[] = [];
    const beforeWrite = async (path: string) => {
      contents.push(readFileSync(path, "utf8"));
      throw new Error("the blob store is full");
    };
    await expect(stage.run("edit", edit("a", "1", "2"), { beforeWrite })).rejects.toThrow("the blob store is full");
    expect([contents, readFileSync(`${stage.folder}/a`, "utf8")]).toEqual([["1\n"], "1\n"]);
  });

  test("refuses a file that changes between the check and the write", async () => {
    await using stage = createStage();
    const path = `${stage.folder}/a`;
    writeFileSync(path, "1\n");
    await stage.run("read", { file_path: "a" });
    const beforeWrite = async () => writeFileSync(path, "theirs\n");
    const result = await stage.run("edit", edit("a", "1", "2"), { beforeWrite });
    expect([result.modelText.slice(0, 27), readFileSync(path, "utf8")]).toEqual([
      "Nothing was edited (stale).",
      "theirs\n",
    ]);
  });

  test("through a link changes the target and keeps the link", async () => {
    await using stage = createStage();
    mkdirSync(`${stage.folder}/src`);
    writeFileSync(`${stage.folder}/src/a`, "1\n");
    symlinkSync("src/a", `${stage.folder}/link`);
    await stage.run("read", { file_path: "src/a" });
    const result = await stage.run("edit", edit("link", "1", "2"));
    expect(result.modified?.[0]?.path).toBe(`${stage.folder}/src/a`);
    expect(lstatSync(`${stage.folder}/link`).isSymbolicLink()).toBe(true);
  });

  test("of a very long line shows only what is around the change", async () => {
    await using stage = createStage();
    writeFileSync(`${stage.folder}/min.js`, `${"var a=1;".repeat(5000)}needle;${"var b=2;".repeat(5000)}`);
    await stage.run("read", { file_path: "min.js" });
    const { modelText } = await stage.run("edit", edit("min.js", "needle", "thread"));
    expect(modelText).toContain("thread");
    expect(modelText.length).toBeLessThan(600);
  });

  test("of thousands of lines keeps a bounded diff with the right counts", async () => {
    await using stage = createStage();
    writeFileSync(`${stage.folder}/big`, "old\nkept\n".repeat(20_000));
    await stage.run("read", { file_path: "big", limit: 1 });
    const result = await stage.run("edit", { ...edit("big", "old", "new"), replace_all: true });
    expect(result.modified?.[0]).toMatchObject({ diffStats: { added: 20_000, removed: 20_000 } });
    expect(result.modified?.[0]?.diff?.length).toBeLessThan(33_000);
    expect(result.modelText).toContain("Edited big in 20000 places.");
  });

  test("never makes a file that nobody could hold", async () => {
    await using stage = createStage();
    writeFileSync(`${stage.folder}/big`, "a".repeat(50_000));
    await stage.run("read", { file_path: "big" });
    const result = await stage.run("edit", { ...edit("big", "a", "b".repeat(50_000)), replace_all: true });
    expect([result.errorKind, result.modelText]).toEqual([
      "invalid-input",
      "Nothing was edited (invalid-input). old_string occurs 50000 times, and the file would become too large. Replace fewer, or use bash.",
    ]);
  });
});

describe("a refusal says", () => {
  const said = async (content: string | undefined, old: string, next: string): Promise<string> => {
    await using stage = createStage();
    if (content !== undefined) writeFileSync(`${stage.folder}/a.ts`, content);
    await stage.run("read", { file_path: "a.ts" });
    return (await stage.run("edit", edit("a.ts", old, next))).modelText;
  };

  test("which lines match", async () => {
    expect(await said("x\ny\nx\n", "x", "z")).toBe(
      "Nothing was edited (ambiguous). old_string occurs 2 times, in lines 1, 3. Add lines around it to old_string until it is unique, or set replace_all.",
    );
  });

  test("what stands there instead", async () => {
    expect(await said("a\nfunction go() {\n  return 1;\n}\n", "function go() {\n  return 2;\n}", "x")).toBe(
      "Nothing was edited (not-found). old_string is not in the file. The nearest text is:\n     2\tfunction go() {\n     3\t  return 1;\n     4\t}\nold_string must equal the file's text.",
    );
    expect(await said("a\nconst colour = 'red';\nb\n", "const color = 'red';", "x")).toContain(
      "     2\tconst colour = 'red';",
    );
  });

  test("that the numbers of read do not belong, and that an edit is there already", async () => {
    for (const copied of ["     1\tone", "     1\tone\n     2\t\n", "one\n     2\ttwo\n"]) {
      expect(await said("one\n\n", copied, "two")).toContain("line numbers");
    }
    expect(await said("one\n2\n", "one\n3\n", "two")).not.toContain("line numbers");
    expect(await said("x\ntwo lines\n", "one line", "two lines")).toContain("new_string is in it already, in line 2.");
  });

  test("that the file is missing, with near names, or that nothing would change", async () => {
    expect(await said(undefined, "a", "b")).toContain("Nothing was edited (file-not-found).");
    expect(await said("a\n", "a", "a")).toContain("Nothing was edited (no-change).");
    expect(await said("a\n", "", "b")).toContain("Nothing was edited (invalid-input).");
    expect(await said("a\n", "a", "\ud83d")).toContain("Nothing was edited (invalid-input).");
    expect(await said("a\0b", "a", "b")).toContain("Nothing was edited (binary).");
  });
});

const textAfter = (body: string, old: string, next: string, all = false): string => {
  const edited = applyEdit(body, { old, next }, all);
  return edited.ok ? edited.value.text : `refused: ${edited.error.kind}`;
};

describe("layout is forgiven", () => {
  test.each([
    ["CRLF in a mixed block", "a\r\nb\nc\r\n", "a\nb\nc", "a\nB\nc", "a\r\nB\r\nc\r\n"],
    ["a deliberate change of line ends", "a\r\nb\r\n", "a\r\n", "a\n", "a\nb\r\n"],
    ["a CRLF that the file does not have", "a\nb\n", "a\r\nb", "a\r\nc", "a\nc\n"],
    ["CR alone as line end", "a\rb\rc", "a\nb", "a\nx\nb", "a\rx\rb\rc"],
    [
      "blanks inside a block that begins and ends within lines",
      "f(x,  \n  y) + 1\n",
      "x,\n  y",
      "x,\n  z",
      "f(x,  \n  z) + 1\n",
    ],
    ["a moved block", "  if a:\n    b()\n", "if a:\n  b()\n", "if a:\n  b()\n  c()\n", "  if a:\n    b()\n    c()\n"],
    [
      "tabs for spaces, with a level the old text does not show",
      "\tx\n",
      "    x\n",
      "    x\n        y\n",
      "\tx\n\t\ty\n",
    ],
    ["one blank line for two", "a\n\n\nb\nc\n", "a\n\nb\n", "a\n\nB\n", "a\n\n\nB\nc\n"],
    ["a blank line that the file does not have", "a\nb\n", "a\n\nb", "a\n\nB", "a\nB\n"],
    ["blank lines around", "x\na\ny\n", "\n\na\n\n", "\n\nb\n\n", "x\nb\ny\n"],
    ["deleting with another indentation", "x\n\ta\n\tb\ny\n", "    a\n    b\n", "", "x\ny\n"],
    ["deleting a block that stands deeper", "x\n    a\n    b\n    y\n", "a\nb\n", "", "x\n    y\n"],
    [
      "an empty line added to a block that stands deeper",
      "  a\r\n  b\r\n",
      "a\nb",
      "a\n\nb\n",
      "  a\r\n\r\n  b\r\n\r\n",
    ],
    ["backslashes doubled", "re = /\\d+/;\n", "/\\\\d+/", "/\\\\w+/", "re = /\\w+/;\n"],
  ])("%s", (_what, body, old, ...[next, expected]) => {
    expect(textAfter(body, old, next)).toBe(expected);
  });

  test.each([
    ["another nesting", "if a:\n    b()\nc()\n", "if a:\n    b()\n    c()\n", "new"],
    ["a flattened block", "a\n  b\n", "a\nb", "new"],
    ["a reversed nesting", "  a\nb\n", "a\n  b", "new"],
    ["an escape with two readings of the new text", 'say("a")\n', 'say(\\"a\\")', 'say(\\"a\\n\\")'],
    ["blanks inside a line", "a = 1\n", "a  =  1", "new"],
    ["letter case", "Value\n", "value", "new"],
    ["another composition of an accent", "cafe\u0301 = 1\n", "caf\u00e9 = 1", "new"],
    ["another quote", "say \u2018hi\u2019\n", "say 'hi'", "new"],
    ["a no-break space at a line's end", "a\u00a0\nb\n", "a\nb", "new"],
    ["a trailing blank that is not at a line's end", "foobar\n", "foo  ", "new"],
    ["only blanks", "a\n", "  \n", "new"],
  ])("but not %s", (_what, body, old, next) => {
    expect(textAfter(body, old, next)).toBe("refused: not-found");
  });
});

test("overlapping matches are ambiguous", () => {
  expect(textAfter("aaa\n", "aa", "b")).toBe("refused: ambiguous");
  expect(textAfter("aaa\n", "aa", "b", true)).toBe("ba\n");
});

describe("properties", () => {
  const line = fc.string({ unit: fc.constantFrom("a", "b", " ", "\t", "$&", "é", "😀", "\\", "\u2028"), maxLength: 8 });
  const lines = fc.array(fc.tuple(line, fc.constantFrom("\n", "\r\n")), { maxLength: 12 });
  const joined = (parts: readonly (readonly [string, string])[]): string => parts.map((part) => part.join("")).join("");

  test("a unique line is replaced literally and every other byte stays", () => {
    fc.assert(
      fc.property(lines, lines, line, fc.constantFrom("\n", "\r\n", ""), (above, below, next, lineEnd) => {
        const [before, after] = [joined(above), lineEnd === "" ? "" : lineEnd + joined(below)];
        expect(textAfter(`${before}NEEDLE${after}`, "NEEDLE", next)).toBe(`${before}${next}${after}`);
      }),
      { seed: 11, numRuns: 500 },
    );
  });

  test("the bytes outside a block that was typed in another layout stay, and a line added to it gets the block's indentation", () => {
    const units = fc.constantFrom(["\t", "    "], ["\t", "  "], ["  ", "\t"], ["    ", "\t"]);
    const depths = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 2, maxLength: 6 });
    const ends = fc.constantFrom("\n", "\r\n");
    fc.assert(
      fc.property(units, depths, ends, fc.constantFrom("", "  "), ([fileUnit, typedUnit], levels, end, blanks) => {
        const written = levels.map((depth, at) => `${fileUnit.repeat(depth + 1)}word${at}${blanks}`);
        const typed = levels.map((depth, at) => `${typedUnit.repeat(depth + 1)}word${at}`);
        const last = levels.at(-1) ?? 0;
        const body = ["  top \t", ...written, "bottom  ", ""].join(end);
        const next = [...typed, `${typedUnit.repeat(last + 1)}added`].join("\n");
        const expected = ["  top \t", ...written, `${fileUnit.repeat(last + 1)}added`, "bottom  ", ""].join(end);
        const after = textAfter(body, typed.join("\n"), next);
        // The blanks after the last old line may stand after the new last one instead: they lie outside the match.
        expect(after.replace(/added {2}/, "added").replace(/(word\d)( {2})?(?=\r?\n)/g, "$1")).toBe(
          expected.replace(/(word\d)( {2})?(?=\r?\n)/g, "$1"),
        );
      }),
      { seed: 12, numRuns: 500 },
    );
  });

  test("an edit and its reverse give the same bytes again", () => {
    fc.assert(
      fc.property(lines, lines, (above, below) => {
        const body = `${joined(above)}ONE\n${joined(below)}`;
        const there = textAfter(body, "ONE", "TWO\nTHREE");
        expect(textAfter(there, "TWO\nTHREE", "ONE")).toBe(body);
      }),
      { seed: 13, numRuns: 300 },
    );
  });
});
