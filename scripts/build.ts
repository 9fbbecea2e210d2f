/**
 * Compiles the program to one self-contained executable: `scripts/build.ts [ENTRY] [OUTFILE]`. It runs inside repositories
 * that nobody vouches for, so it reads no file of the directory it is started in and loads no code from there. Refuses a
 * build that would look up a package at run time, or that has a heavy package on the way to the first paint.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, utimesSync } from "node:fs";
import { builtinModules } from "node:module";
import { basename, dirname, join, resolve } from "node:path";

const ROOT = join(import.meta.dir, "..");
const HEAVY = /(?:^|\/)node_modules\/(@anthropic-ai|@opentui|@ark|arktype|diff|unbash)\//;

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

/** The modules that are loaded before the first line of the program runs: the entry chunk and what it imports statically. */
function bootModules({ outputs }: Metafile, entry: string): string[] {
  const first = Object.keys(outputs).find((name) => {
    const { entryPoint } = outputs[name] ?? {};
    return entryPoint !== undefined && resolve(entryPoint) === entry;
  });
  if (first === undefined) throw new Error("the bundle has no entry chunk");
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
      plugins: [lightUlid],
      define: { KHAELOR_VERSION: JSON.stringify(version) },
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
    const boot = bootModules(metafile, entry);
    const heavy = boot.filter((path) => HEAVY.test(path));
    if (heavy.length > 0) throw new Error(`loaded before the first paint: ${heavy.join(", ")}`);
    utimesSync(made, started, started); // a source saved while this ran is newer
    renameSync(made, outfile); // a running copy keeps its file
    const chunks = Object.keys(metafile.outputs).length;
    return `${outfile}: version ${version}, ${chunks} chunks, ${boot.length} modules at start`;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const [, , entry = join(ROOT, "src/cli/main.ts"), outfile = join(ROOT, "dist/khaelor")] = process.argv;
try {
  console.log(await build(resolve(entry), resolve(outfile)));
} catch (error) {
  const causes = error instanceof AggregateError ? error.errors.map((cause) => `\n  ${cause}`) : [];
  console.error(`build: ${error instanceof Error ? error.message : error}${causes.join("")}`);
  process.exit(1);
}
