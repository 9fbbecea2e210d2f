/** Over random small trees, searching finds what a slow walk finds: neither more nor less. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import fc from "fast-check";
import { fileMap, type SearchPlace, type SearchPorts, search } from "../../src/repository/index.ts";
import { createLocalWorkspace, createRipgrep, type LocalWorkspace } from "../../src/workspace/index.ts";
import { naiveFiles, naiveGlob, naiveLines } from "../support/naive-search.ts";

setDefaultTimeout(60_000);

let root = "";
let workspace: LocalWorkspace;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "khaelor-search-")));
  workspace = createLocalWorkspace({ cwd: root, env: { HOME: root }, watchdog: false });
});
afterAll(async () => {
  await workspace.close();
  rmSync(root, { recursive: true, force: true });
});

const folderName = fc.constantFrom("a", "b", "build", ".hidden", "odd name", "[id]", "é");
const fileName = fc.constantFrom("c.ts", "d.js", "e.test.ts", "x.log", ".env", "a", "[id].ts", "odd name.md", "ü.ts");
const line = fc.constantFrom("foo", "foo bar", "bar", "", "  FOO(1)", "a.b", "føø", "bar\r", "--foo", "x".repeat(600));
const content = fc.array(line, { maxLength: 6 }).map((lines) => lines.join("\n"));
const path = fc
  .tuple(fc.array(folderName, { maxLength: 3 }), fileName)
  .map(([folders, name]) => [...folders, name].join("/"));
const ignoreLine = fc.constantFrom(
  ...[
    "*.log",
    "build",
    "build/",
    "/a",
    "!x.log",
    "a/*.ts",
    "**/b",
    "b/**",
    "!c.ts",
    "*.ts",
    "odd name",
    ".env",
    "!build/",
  ],
);
const ignoreFile = fc.tuple(
  fc.array(folderName, { maxLength: 2 }).map((folders) => folders.join("/")),
  fc.constantFrom(".gitignore", ".ignore", ".khaelorignore"),
  fc.array(ignoreLine, { minLength: 1, maxLength: 3 }).map((lines) => lines.join("\n")),
);
interface Tree {
  readonly files: readonly (readonly [name: string, text: string])[];
  readonly ignores: readonly (readonly [folder: string, kind: string, text: string])[];
  readonly isRepository: boolean;
}
const tree: fc.Arbitrary<Tree> = fc.record({
  files: fc.array(fc.tuple(path, content), { minLength: 1, maxLength: 10 }),
  ignores: fc.array(ignoreFile, { maxLength: 3 }),
  isRepository: fc.boolean(),
});
const glob = fc.constantFrom(
  ...[
    "*.ts",
    "**/*.ts",
    "a/*",
    "a/**",
    "b/",
    "/c.ts",
    "./a/*.ts",
    "{a,b}/**",
    "*.{ts,js}",
    "!*.ts",
    "**",
    "?.ts",
    ".*",
    "é/**/*.ts",
  ],
);
const expression = fc.constantFrom(
  ...([
    ["foo", /foo/],
    ["fo+", /fo+/],
    ["^bar$", /^bar$/],
    ["(?i)foo\\(", /foo\(/i],
    ["a\\.b", /a\.b/],
    ["--foo", /--foo/],
    ["foo(?= bar)", /foo(?= bar)/],
    ["f.o$", /f.o$/u],
    ["x{500}", /x{500}/],
  ] as const),
);

let count = 0;

/** Makes the tree; what is in the way of a file stays, and the file is left out. */
function make({ files, ignores, isRepository }: Tree): string {
  const project = join(root, String(++count));
  mkdirSync(project);
  const put = (name: string, text: string) => {
    try {
      mkdirSync(dirname(join(project, name)), { recursive: true });
      writeFileSync(join(project, name), text);
    } catch {
      // a file where a folder should be, or the other way round
    }
  };
  for (const [name, text] of files) put(name, text);
  for (const [folder, kind, text] of ignores) put(join(folder, kind), text);
  if (isRepository) put(".git/HEAD", "ref: refs/heads/foo\n");
  symlinkSync("/etc", join(project, "way-out"));
  return project;
}

const portsFor = (projectRoot: string): SearchPorts => ({
  workspace,
  ripgrep: createRipgrep({ cacheFolder: join(root, "cache") }),
  projectRoot,
});
const { signal } = new AbortController();
const mayShow = () => true;

/** The project, or one of the folders that a search of it would enter. */
const placesOf = (project: string): readonly SearchPlace[] => {
  const folders = new Set(naiveFiles(project).map((name) => dirname(name)));
  return [...new Set(["", ...folders])].slice(0, 3).map((folder) => ({ root: join(project, folder), isFolder: true }));
};

test("glob finds the files that a walk finds", async () => {
  const property = fc.asyncProperty(tree, glob, async (given, pattern) => {
    const project = make(given);
    for (const place of placesOf(project)) {
      const query = { place, glob: pattern, order: "path", maxFiles: 1000, mayShow, signal } as const;
      const found = await fileMap(portsFor(project), query);
      const expected = naiveFiles(project, relative(project, place.root))
        .map((name) => join(project, name))
        .filter((name) => naiveGlob(pattern, relative(place.root, name)))
        .sort();
      expect([place.root, pattern, found]).toEqual([
        place.root,
        pattern,
        { ok: true, value: { files: expected, total: expected.length, end: "complete", unreadable: false } },
      ]);
    }
  });
  await fc.assert(property, { seed: 20261130, numRuns: 80 });
});

test("grep finds the lines that a walk finds, and counts them", async () => {
  const property = fc.asyncProperty(tree, expression, fc.option(glob), async (given, [pattern, naive], narrowed) => {
    const project = make(given);
    for (const place of placesOf(project)) {
      const query = { place, pattern, ...(narrowed !== null && { glob: narrowed }), mayShow, signal };
      const expected = naiveFiles(project, relative(project, place.root))
        .map((name) => join(project, name))
        .filter((name) => narrowed === null || naiveGlob(narrowed, relative(place.root, name)))
        .map((name) => ({ path: name, lines: naiveLines(name, naive) }))
        .filter(({ lines }) => lines.length > 0)
        .sort((one, other) => (one.path < other.path ? -1 : 1));
      const [lines, counts, files] = await Promise.all(
        (["lines", "counts", "files"] as const).map((want) => search(portsFor(project), { ...query, want })),
      );
      const rows = lines?.ok ? lines.value.files.map((file) => file.rows.map((row) => `${row.line} ${file.path}`)) : [];
      const numbered = expected.map((file) => file.lines.map((number) => `${number} ${file.path}`));
      expect({ root: place.root, pattern, narrowed, rows }).toEqual({
        root: place.root,
        pattern,
        narrowed,
        rows: numbered,
      });
      const counted = counts?.ok ? counts.value.files.map(({ path, matches }) => `${matches} ${path}`) : [];
      expect(counted).toEqual(expected.map((file) => `${file.lines.length} ${file.path}`));
      const named = files?.ok ? files.value.files.map(({ path }) => path) : [];
      expect([files?.ok, named]).toEqual([true, expected.map(({ path }) => path)]);
    }
  });
  await fc.assert(property, { seed: 20261130, numRuns: 60 });
});
