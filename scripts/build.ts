/**
 * Compiles the program to one self-contained executable: `scripts/build.ts [ENTRY] [OUTFILE]`. It runs inside repositories
 * that nobody vouches for, so it reads no file of the directory it is started in and loads no code from there. Refuses a
 * build that would look up a package at run time, or that has a heavy package on the way to the first paint.
 * `--check-reproducible` builds copies of the tree in two folders instead, and fails when the bytes differ.
 */
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, utimesSync } from "node:fs";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";

const ROOT = join(import.meta.dir, "..");
/** What the program's own entry loads next, for all but the version; and then on a terminal, until the interface is drawn. */
const LATER_STAGES = ["src/cli/main.ts", "src/cli/commands/interactive.ts", "src/tui/index.ts"];
const HEAVY = /(?:^|\/)node_modules\/(@anthropic-ai|@opentui|@ark|arktype|diff|unbash|web-tree-sitter)\//;

interface Input {
  readonly imports?: readonly { readonly path: string; readonly external?: boolean; readonly entryPoint?: string }[];
}
interface Output {
  readonly entryPoint?: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly imports?: readonly { readonly path: string; readonly kind?: string }[];
}
interface Metafile {
  readonly inputs: Readonly<Record<string, Input>>;
  readonly outputs: Readonly<Record<string, Output>>;
}

const isBuiltin = (path: string) => /^(node:|bun:|bun$)/.test(path) || builtinModules.includes(path);

/** Imports that the bundle would resolve from the user's directory. */
function leftToRunTime({ inputs }: Metafile): string[] {
  return Object.entries(inputs).flatMap(([file, { imports = [] }]) =>
    imports
      .filter(({ external, entryPoint, path }) => external && !entryPoint && !path.startsWith(".") && !isBuiltin(path))
      .map(({ path }) => `${path} (from ${file})`),
  );
}

/** The modules of a stage of the start: the chunk that begins with this file, and what it imports statically. */
function stageModules({ outputs }: Metafile, entry: string): string[] | undefined {
  const first = Object.keys(outputs).find((name) => {
    const { entryPoint } = outputs[name] ?? {};
    return entryPoint !== undefined && resolve(entryPoint) === entry;
  });
  if (first === undefined) return undefined;
  const chunks = new Set([first]);
  for (const name of chunks) {
    const needed = outputs[name]?.imports?.filter(({ kind }) => kind === "import-statement") ?? [];
    for (const { path } of needed) {
      if (path in outputs) chunks.add(path);
      else if (!isBuiltin(path)) throw new Error(`the chunk ${path} is not among the outputs`);
    }
  }
  return [...chunks].flatMap((name) => Object.keys(outputs[name]?.inputs ?? {}));
}

/**
 * The package's build for browsers takes chance from the global `crypto`, the one for node from `node:crypto`, which takes
 * three milliseconds to load, at every start.
 */
const lightUlid: Bun.BunPlugin = {
  name: "light-ulid",
  setup(builder) {
    builder.onResolve({ filter: /^ulid$/ }, () => ({ path: join(ROOT, "node_modules/ulid/dist/browser/index.js") }));
  },
};

/**
 * What draws the screen. Here and on the machine of the user it is the same platform, for nothing is built across. There is one
 * for Linux on x64, where it must be installed; elsewhere a build without it works in lines.
 */
const PLATFORM = `${process.platform}-${process.arch}`;
const NATIVE_PACKAGE = `@opentui/core-${PLATFORM}`;
const hasScreen = PLATFORM === "linux-x64" || existsSync(join(ROOT, "node_modules", NATIVE_PACKAGE));

/**
 * The terminal library names every platform's native package. Those that are not installed must not be left to run time, where
 * they would be looked for in the user's directory: here they become modules that throw.
 */
const oneNativeLibrary: Bun.BunPlugin = {
  name: "one-native-library",
  setup(builder) {
    builder.onResolve({ filter: /^@opentui\/core-(darwin|linux|win32)-/ }, ({ path }) =>
      hasScreen && path === NATIVE_PACKAGE ? undefined : { path, namespace: "absent" },
    );
    builder.onLoad({ filter: /.*/, namespace: "absent" }, ({ path }) => ({
      contents: `throw new Error(${JSON.stringify(`${path} is not in this build`)}); export default "";`,
      loader: "js",
    }));
  },
};

const sha256 = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");

/** What the program compares its copy of ripgrep with. Without the package there would be no search in it. */
function ripgrepSha256(): string {
  const name = `@vscode/ripgrep-${process.platform}-${process.arch}`;
  const path = join(ROOT, "node_modules", name, "bin/rg");
  if (!existsSync(path)) throw new Error(`${name} is not installed: run scripts/bun install`);
  return sha256(path);
}

/**
 * Without its native part the screen would be missed only on the user's machine. It has to be a file of the bundle, whole; where
 * the bundle draws no screen at all, as a program of the bench may, there is nothing to look for.
 */
function withoutScreen({ inputs }: Metafile, artefact: string): string | undefined {
  if (!hasScreen || !Object.keys(inputs).some((path) => path.includes("node_modules/@opentui/core/"))) return undefined;
  const library = Object.keys(inputs).find((path) => path.includes(`node_modules/${NATIVE_PACKAGE}/`));
  if (library === undefined) return `${NATIVE_PACKAGE} is not in the bundle`;
  const native = readFileSync(join(ROOT, "node_modules", NATIVE_PACKAGE, LIBRARY_FILE));
  return readFileSync(artefact).includes(native) ? undefined : `${LIBRARY_FILE} is not in the executable`;
}

const LIBRARY_FILE = `libopentui.${process.platform === "darwin" ? "dylib" : "so"}`;

async function build(entry: string, outfile: string): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
  const started = new Date();
  const scratch = join(dirname(outfile), `.building-${process.pid}`);
  mkdirSync(scratch, { recursive: true });
  try {
    const made = join(scratch, basename(outfile)); // the name is part of the bytes: the same name gives the same file
    const result = await Bun.build({
      entrypoints: [entry],
      target: "bun",
      format: "esm", // bytecode alone would choose a format without splitting
      splitting: true,
      minify: true,
      bytecode: true,
      sourcemap: "linked", // embedded, so that a stack names our files
      metafile: true,
      plugins: [lightUlid, oneNativeLibrary],
      define: {
        "process.env.OPENTUI_LIBC": JSON.stringify("glibc"),
        KHAELOR_VERSION: JSON.stringify(version),
        KHAELOR_RELEASE_NOTES: JSON.stringify(readFileSync(join(ROOT, "CHANGELOG.md"), "utf8")),
        KHAELOR_RIPGREP_SHA256: JSON.stringify(ripgrepSha256()),
      },
      compile: {
        outfile: made,
        execArgv: ["--disallow-code-generation-from-strings=strict"],
        autoloadDotenv: false,
        autoloadBunfig: false,
        autoloadTsconfig: false,
        autoloadPackageJson: false,
      },
    });
    if (!result.success) throw new AggregateError(result.logs, "the bundle failed");
    const metafile = result.metafile as Metafile;
    const loose = leftToRunTime(metafile);
    if (loose.length > 0) throw new Error(`left to run time: ${loose.join(", ")}`);
    const boot = stageModules(metafile, entry);
    if (!boot) throw new Error("the bundle has no entry chunk");
    const later = LATER_STAGES.flatMap((path) => stageModules(metafile, join(ROOT, path)) ?? []);
    const heavy = [...boot, ...later].filter((path) => HEAVY.test(path));
    if (heavy.length > 0) throw new Error(`loaded before the first paint: ${heavy.join(", ")}`);
    const missing = withoutScreen(metafile, made);
    if (missing !== undefined) throw new Error(`the screen could not be drawn: ${missing}`);
    utimesSync(made, started, started); // a source saved while this ran is newer
    renameSync(made, outfile); // a running copy keeps its file
    const chunks = Object.keys(metafile.outputs).length;
    return `${outfile}: version ${version}, ${chunks} chunks, ${boot.length} modules at start`;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Of the tree, what a build reads: without what only checks sources, or describes them. */
const SETTINGS = ["package.json", "bun.lock", "tsconfig.json", "bunfig.toml"];
const TREE = ["src", "scripts/build.ts", ...SETTINGS, "CHANGELOG.md", "node_modules"];
const LEFT_OUT =
  /\/node_modules\/(@biomejs|@types(cript)?|typescript|bun-types|\.bin|fast-check)(\/|$)|\/node_modules\/.*\.(d\.[cm]?ts|map|md)$/;

/** The folders' names differ in length, for a path that got into the bytes would move everything behind it. */
async function checkReproducible(): Promise<string> {
  const scratch = mkdtempSync(join(tmpdir(), "khaelor-twice-"));
  try {
    const hashes: string[] = [];
    let from = ROOT; // the second copy is made from the first: nobody edits that meanwhile
    for (const folder of ["a", "another/and-a-longer-one"]) {
      const root = join(scratch, folder);
      for (const path of TREE) {
        cpSync(join(from, path), join(root, path), { recursive: true, filter: (name) => !LEFT_OUT.test(name) });
      }
      const child = Bun.spawn([process.execPath, join(root, "scripts/build.ts")], {
        cwd: root,
        stdio: ["ignore", "ignore", "inherit"],
      });
      if ((await child.exited) !== 0) throw new Error(`the build in ${root} failed`);
      hashes.push(sha256(join(root, "dist/khaelor")));
      from = root;
    }
    const [first, second] = hashes;
    if (first !== second) throw new Error(`two builds of the same sources differ: ${first} and ${second}`);
    return `two builds from two folders are the same: sha256 ${first}`;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const [first, second] = process.argv.slice(2);
const entry = resolve(first ?? join(ROOT, "src/cli/start.ts"));
const outfile = resolve(second ?? join(ROOT, "dist/khaelor"));
try {
  console.log(first === "--check-reproducible" ? await checkReproducible() : await build(entry, outfile));
} catch (error) {
  const causes = error instanceof AggregateError ? error.errors.map((cause) => `\n  ${cause}`) : [];
  console.error(`build: ${error instanceof Error ? error.message : error}${causes.join("")}`);
  process.exit(1);
}
