/** What a model reads of a search: results it can use as they are, and at each bound or failure what to do next. */
import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createStage, type Stage } from "./stage.ts";

function put({ folder }: Stage, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

const textOf = async (stage: Stage, tool: string, input: unknown) => (await stage.run(tool, input)).modelText;

const PROJECT = {
  "src/a.ts": "import { b } from './b';\nexport const a = b(1);\n\n\n\n// a\nconst last = a;\n",
  "src/b.ts": "export const b = (n: number) => n;\n",
  "src/deep/c.test.ts": "test('a', () => {});\n",
  "notes.md": "a\n",
  ".github/ci.yml": "run: a\n",
  ".gitignore": "dist/\n",
  "dist/out.js": "const a = 1;\n",
};

test("grep names files, shows lines, or counts; by default it names files", async () => {
  await using stage = createStage();
  put(stage, PROJECT);
  expect(await stage.run("grep", { pattern: "\\ba\\b" })).toEqual({
    modelText: ".github/ci.yml\nnotes.md\nsrc/a.ts\nsrc/deep/c.test.ts",
    ui: { kind: "search", summary: "4 files", matchCount: 4 },
  });
  expect(await stage.run("grep", { pattern: "const \\w+ =", output_mode: "content", glob: "*.ts" })).toEqual({
    modelText:
      "src/a.ts\n2:export const a = b(1);\n7:const last = a;\n\nsrc/b.ts\n1:export const b = (n: number) => n;",
    ui: { kind: "search", summary: "3 matches in 2 files", matchCount: 3 },
  });
  expect(await stage.run("grep", { pattern: "const", output_mode: "count", path: "src" })).toEqual({
    modelText: "src/a.ts:2\nsrc/b.ts:1\n[3 matching lines in 2 files]",
    ui: { kind: "search", summary: "3 matches in 2 files", matchCount: 3 },
  });
});

test("context stands around a match, with a mark where lines are left out", async () => {
  await using stage = createStage();
  put(stage, PROJECT);
  const shown = await textOf(stage, "grep", { pattern: "const", path: "src/a.ts", output_mode: "content", context: 1 });
  expect(shown).toBe(
    "src/a.ts\n1-import { b } from './b';\n2:export const a = b(1);\n3-\n--\n6-// a\n7:const last = a;",
  );
});

test("what is ignored is left out, unless it is named", async () => {
  await using stage = createStage();
  put(stage, { ...PROJECT, ".khaelorignore": "notes.md\n" });
  expect(await textOf(stage, "grep", { pattern: "const a" })).toBe("src/a.ts");
  expect(await textOf(stage, "grep", { pattern: "const a", path: "dist" })).toBe("dist/out.js");
  expect(await textOf(stage, "grep", { pattern: "const a", path: "dist/out.js" })).toBe("dist/out.js");
  expect(await textOf(stage, "glob", { pattern: "dist/*.js" })).toBe("dist/out.js");
  expect(await textOf(stage, "glob", { pattern: "*.md" })).toBe(
    "No file in the working directory fits *.md; ignored files are left out.",
  );
});

test("nothing found is an answer, and says how much was looked at", async () => {
  await using stage = createStage();
  put(stage, PROJECT);
  expect(await stage.run("grep", { pattern: "nowhere", glob: "*.ts", path: "src" })).toEqual({
    modelText: "No matches for nowhere in src (*.ts). 3 files searched.",
    ui: { kind: "search", summary: "no matches", matchCount: 0 },
  });
  expect(await textOf(stage, "grep", { pattern: "const", glob: "src/*.ts", path: "src" })).toBe(
    "No matches for const in src (src/*.ts). The glob is taken from src.",
  );
  expect(await textOf(stage, "grep", { pattern: "x", glob: "*.rs" })).toBe(
    "No file to search in the working directory (*.rs): there is none, or ignore files leave them out.",
  );
});

test("a folder in place of a pattern is told as one, with the pattern for what is in it", async () => {
  await using stage = createStage();
  put(stage, PROJECT);
  expect(await textOf(stage, "glob", { pattern: "src" })).toBe(
    'src is a folder. For the files in it: {"pattern":"src/**"}',
  );
  expect(await textOf(stage, "glob", { pattern: "src/nowhere" })).toBe(
    "No file in src fits src/nowhere; ignored files are left out.",
  );
});

test("a pattern that is no expression gets the reason, and how fixed text is written", async () => {
  await using stage = createStage();
  put(stage, { "a.ts": "call(1)\n" });
  const { modelText, errorKind } = await stage.run("grep", { pattern: "call(" });
  expect([errorKind, modelText]).toEqual(["invalid-input", expect.stringContaining("error: unclosed group")]);
  const hint = JSON.parse(modelText.slice(modelText.indexOf('{"pattern"')));
  expect(await textOf(stage, "grep", { ...hint, output_mode: "content" })).toBe("a.ts\n1:call(1)");
});

test("words that could be options, or shell text, are only words", async () => {
  await using stage = createStage();
  put(stage, { "a.txt": "--files\n$(touch made) `touch made` ; touch made\n", "-v": "--files\n" });
  expect(await textOf(stage, "grep", { pattern: "--files" })).toBe("-v\na.txt");
  expect(await textOf(stage, "grep", { pattern: "$(touch made)", path: "." })).toContain("No matches");
  expect(await textOf(stage, "grep", { pattern: "files", path: "-v" })).toBe("-v");
  expect(await textOf(stage, "glob", { pattern: "made" })).toContain("No file");
  for (const input of [{ pattern: "a\0b" }, { pattern: "a", path: "b\0" }, { pattern: "a", glob: "\0" }]) {
    expect((await stage.run("grep", input)).errorKind).toBe("invalid-input");
  }
});

test("nobody's configuration of ripgrep counts", async () => {
  const options = join(tmpdir(), `khaelor-ripgreprc-${process.pid}`);
  writeFileSync(options, "--glob=!*.ts\n--pre=/bin/false\n");
  await using stage = createStage({ env: { ...process.env, RIPGREP_CONFIG_PATH: options } });
  put(stage, PROJECT);
  expect(await textOf(stage, "grep", { pattern: "const a" })).toBe("src/a.ts");
  expect(await textOf(stage, "glob", { pattern: "src/*.ts" })).toContain("src/b.ts");
  rmSync(options);
});

test("expressions reach over lines, look around, and see lines that end in CRLF", async () => {
  await using stage = createStage();
  put(stage, { "a.txt": "one\r\ntwo\r\n", "b.txt": "one\ntwo\n" });
  expect(await textOf(stage, "grep", { pattern: "one$" })).toBe("a.txt\nb.txt");
  expect(await textOf(stage, "grep", { pattern: "one\\ntwo", output_mode: "content" })).toBe("b.txt\n1:one\n2:two");
  expect(await textOf(stage, "grep", { pattern: "o(?=ne)" })).toBe("a.txt\nb.txt");
  expect(await textOf(stage, "grep", { pattern: "\\r" })).toBe("a.txt");
});

test("a long line comes as the part around its match; bytes that are no text are said", async () => {
  await using stage = createStage();
  put(stage, { "long.js": `${"x".repeat(9000)}needle${"y".repeat(9000)}\n`, data: "needle\0\n" });
  const shown = await textOf(stage, "grep", { pattern: "needle", output_mode: "content" });
  expect([shown.length < 800, shown]).toEqual([
    true,
    expect.stringMatching(/^long\.js\n1:…x+needley+… \[part of a line of 18006 characters\]$/),
  ]);
  expect(await textOf(stage, "grep", { pattern: "needle", output_mode: "content", path: "data" })).toBe(
    "data\n(a binary file that matches)",
  );
});

test("a line too long even to be handed over is said, and others beside it are shown", async () => {
  await using stage = createStage();
  put(stage, { "huge.txt": `${"ab".repeat(1_000_000)}\nab\n` });
  const shown = await textOf(stage, "grep", { pattern: "ab", output_mode: "content" });
  expect(shown).toBe("huge.txt\n[a matching line that is too long to show]\n2:ab");
});

test("too much is cut at whole lines, and the rest is counted", async () => {
  await using stage = createStage();
  put(stage, Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`f${1000 + at}`, "hit\n".repeat(10)])));
  const names = await stage.run("grep", { pattern: "hit" });
  expect(names.modelText.split("\n").slice(-2)).toEqual([
    "f1199",
    "[200 of 250 files shown. Narrow it with path, glob or a more exact pattern.]",
  ]);
  expect(names.ui.matchCount).toBe(250);
  const lines = await stage.run("grep", { pattern: "hit", output_mode: "content" });
  expect(lines.modelText).toMatch(/\n\[\d+ of 2500 matching lines shown, in 250 files\. Narrow it/);
  const small = await stage.run("grep", { pattern: "hit", output_mode: "content" }, { maxResultBytes: 2048 });
  expect(Buffer.byteLength(small.modelText)).toBeLessThanOrEqual(2048);
  expect(small.modelText).toContain(" of 2500 matching lines shown");
  const files = await textOf(stage, "glob", { pattern: "f*" });
  expect(files.split("\n").at(-1)).toBe("[The newest 200 of 250 files. Narrow the pattern for the others.]");
});

test("glob gives the newest first, by a name at any depth or by a path", async () => {
  await using stage = createStage();
  put(stage, PROJECT);
  for (const [at, name] of ["src/b.ts", "src/deep/c.test.ts", "src/a.ts", "notes.md"].entries()) {
    utimesSync(join(stage.folder, name), 1000 - at, 1000 - at);
  }
  expect(await textOf(stage, "glob", { pattern: "**/*.ts" })).toBe("src/b.ts\nsrc/deep/c.test.ts\nsrc/a.ts");
  expect(await textOf(stage, "glob", { pattern: "*.ts" })).toBe("src/b.ts\nsrc/deep/c.test.ts\nsrc/a.ts");
  expect(await textOf(stage, "glob", { pattern: "src/*.ts" })).toBe("src/b.ts\nsrc/a.ts");
  expect(await textOf(stage, "glob", { pattern: "src/{a,deep/c.test}.ts" })).toBe("src/deep/c.test.ts\nsrc/a.ts");
  expect(await textOf(stage, "glob", { pattern: "src/" })).toBe("src/b.ts\nsrc/deep/c.test.ts\nsrc/a.ts");
  expect(await textOf(stage, "glob", { pattern: "*.ts", path: "src/deep" })).toBe("src/deep/c.test.ts");
  expect(await textOf(stage, "glob", { pattern: `${stage.folder}/**/*.test.ts` })).toBe("src/deep/c.test.ts");
  expect(await textOf(stage, "glob", { pattern: "src/a.ts" })).toBe("src/a.ts");
});

test("a place that is not there is told with what is", async () => {
  await using stage = createStage();
  put(stage, PROJECT);
  const found = await stage.run("grep", { pattern: "a", path: "source" });
  expect([found.errorKind, found.modelText]).toEqual(["not-found", expect.stringContaining("does not exist")]);
  const listed = await stage.run("glob", { pattern: "lib/*.ts" });
  expect([listed.errorKind, listed.modelText]).toEqual(["not-found", expect.stringContaining("src/")]);
});

test("links are not followed on the way, but a place that is named by one is where it leads", async () => {
  await using stage = createStage();
  put(stage, { ...PROJECT, "../outside/secret.txt": "const secret = 1;\n" });
  symlinkSync(join(stage.folder, "../outside"), join(stage.folder, "way-out"));
  symlinkSync("src", join(stage.folder, "sources"));
  expect(await textOf(stage, "grep", { pattern: "secret" })).toContain("No matches");
  expect(await textOf(stage, "glob", { pattern: "**/secret.txt" })).toContain("No file");
  expect(await textOf(stage, "grep", { pattern: "const b", path: "sources" })).toBe("src/b.ts");
});

test("what may not be shown is neither shown nor counted, in any mode", async () => {
  await using stage = createStage({ mayShow: (path) => !path.endsWith(".env") });
  put(stage, { ".env": "TOKEN=abc\nTOKEN=abd\n", "a.sh": "echo $TOKEN\n", "sub/.env": "TOKEN=x\n" });
  expect(await stage.run("grep", { pattern: "TOKEN" })).toEqual({
    modelText: "a.sh",
    ui: { kind: "search", summary: "1 file", matchCount: 1 },
  });
  expect(await textOf(stage, "grep", { pattern: "TOKEN", output_mode: "count" })).toBe(
    "a.sh:1\n[1 matching line in 1 file]",
  );
  const [right, wrong] = await Promise.all(
    ["TOKEN=a", "TOKEN=q"].map((pattern) => stage.run("grep", { pattern, output_mode: "content" })),
  );
  expect(right?.modelText.replace("=a", "=q")).toBe(wrong?.modelText ?? "");
  expect(await textOf(stage, "glob", { pattern: "**/.env" })).toBe(
    "No file in the working directory fits **/.env; ignored files are left out.",
  );
});

const isRoot = process.getuid?.() === 0;

test("a folder that cannot be opened is said, and the rest is searched", async () => {
  await using stage = createStage();
  put(stage, { "a.txt": "hit\n", "closed/b.txt": "hit\n" });
  const closed = join(stage.folder, "closed");
  chmodSync(closed, 0);
  const shown = await textOf(stage, "grep", { pattern: "hit" });
  chmodSync(closed, 0o700);
  const unopened = "a.txt\n[Some files or folders could not be opened and were not searched.]";
  expect(shown).toBe(isRoot ? "a.txt\nclosed/b.txt" : unopened); // nothing is closed to root
});

test("a name that could pass for other text is quoted", async () => {
  await using stage = createStage();
  put(stage, { "a\nb\u001b[31m": "hit\n" });
  expect(await textOf(stage, "grep", { pattern: "hit" })).toBe('"a\\nb\\u001b[31m"');
  expect(await textOf(stage, "glob", { pattern: "a*" })).toBe('"a\\nb\\u001b[31m"');
});

test("an interrupt ends a search at once, and it says so", async () => {
  await using stage = createStage();
  put(stage, PROJECT);
  const { modelText, errorKind } = await stage.run("grep", { pattern: "a" }, { signal: AbortSignal.abort() });
  expect([errorKind, modelText]).toEqual(["exec-error", "The search was interrupted."]);
});

test("what was found has not been read: an edit still asks for that", async () => {
  await using stage = createStage();
  put(stage, PROJECT);
  const found = await stage.run("grep", { pattern: "const b", output_mode: "content" });
  expect(Object.keys(found).sort()).toEqual(["modelText", "ui"]);
  const edited = await stage.run("edit", { file_path: "src/b.ts", old_string: "const b", new_string: "const c" });
  expect(edited.modelText).toContain("(unread)");
});
