/**
 * Which commands prove a change to this project: what the project itself declares, found by reading a few files at its root.
 * Nothing is run, and nothing is guessed from source files.
 */
import { join } from "node:path";
import type { Workspace } from "../workspace/index.ts";

const MAX_CHECKS = 3;
const MAX_FILE_BYTES = 256 * 1024;

interface ProjectFile {
  readonly text: string;
  readonly executable: boolean;
}

/** Reads a file at the root; undefined when there is none. */
type ReadFile = (name: string) => Promise<ProjectFile | undefined>;

/** At most three commands for a shell at `root`, the most specific first. Empty when the project declares none. */
export async function detectChecks(workspace: Workspace, root: string): Promise<readonly string[]> {
  const read: ReadFile = async (name) => {
    const file = await workspace.readFile(join(root, name), { maxBytes: MAX_FILE_BYTES });
    if (!file.ok) return undefined;
    return { text: new TextDecoder().decode(file.value.bytes), executable: (file.value.mode & 0o111) !== 0 };
  };
  const found = await Promise.all(DETECTORS.map((detect) => detect(read)));
  return found.filter((command) => command !== undefined).slice(0, MAX_CHECKS);
}

const exists = async (read: ReadFile, ...names: readonly string[]): Promise<boolean> =>
  (await Promise.all(names.map(read))).some((file) => file !== undefined);

const whenPresent =
  (command: string, ...names: readonly string[]) =>
  async (read: ReadFile): Promise<string | undefined> =>
    (await exists(read, ...names)) ? command : undefined;

const GRADLE = ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"];

/** A declared command first, then what a language's own tool does by convention, then scripts by their name. */
const DETECTORS: readonly ((read: ReadFile) => Promise<string | undefined>)[] = [
  packageScript,
  whenPresent("cargo test", "Cargo.toml"),
  whenPresent("go test ./...", "go.mod"),
  pytest,
  whenPresent("mix test", "mix.exs"),
  rspec,
  jvm("./gradlew test", "gradlew", "gradle test", ...GRADLE),
  jvm("./mvnw test", "mvnw", "mvn test", "pom.xml"),
  makeTarget,
  testScript,
];

/** The program that the project brings along, else the installed one. */
function jvm(wrapped: string, wrapper: string, command: string, ...names: readonly string[]) {
  return async (read: ReadFile): Promise<string | undefined> => {
    if (!(await exists(read, ...names))) return undefined;
    return (await exists(read, wrapper)) ? wrapped : command;
  };
}

async function packageScript(read: ReadFile): Promise<string | undefined> {
  const manifest = parsedManifest((await read("package.json"))?.text);
  const script = manifest?.scripts?.test;
  if (typeof script !== "string" || script.trim() === "" || PLACEHOLDER.test(script)) return undefined;
  return RUN_TEST[await packageManager(read, manifest?.packageManager, script)];
}

/** What `npm init` writes. */
const PLACEHOLDER = /Error: no test specified/;

type PackageManager = keyof typeof RUN_TEST;
const RUN_TEST = { npm: "npm test", pnpm: "pnpm test", yarn: "yarn test", bun: "bun run test" } as const;

async function packageManager(read: ReadFile, declared: unknown, script: string): Promise<PackageManager> {
  const named = typeof declared === "string" ? declared.split("@")[0] : undefined;
  if (named !== undefined && Object.hasOwn(RUN_TEST, named)) return named as PackageManager; // as: just checked
  if (await exists(read, "bun.lock", "bun.lockb")) return "bun";
  if (await exists(read, "pnpm-lock.yaml")) return "pnpm";
  if (await exists(read, "yarn.lock")) return "yarn";
  if (await exists(read, "package-lock.json", "npm-shrinkwrap.json")) return "npm";
  return /^bun\s/.test(script) ? "bun" : "npm";
}

interface Manifest {
  readonly scripts?: { readonly test?: unknown };
  readonly packageManager?: unknown;
}

function parsedManifest(text: string | undefined): Manifest | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined; // npm could not run it either
  }
}

const MAY_NAME_PYTEST = [
  ...["pyproject.toml", "setup.cfg", "tox.ini", "setup.py"],
  ...["requirements.txt", "requirements-dev.txt", "requirements-test.txt", "dev-requirements.txt"],
  ...["requirements/dev.txt", "requirements/test.txt"],
];

/** Where pytest is configured or can be expected to find something; a project that uses only unittest names neither. */
async function pytest(read: ReadFile): Promise<string | undefined> {
  const files = await Promise.all(MAY_NAME_PYTEST.map(read));
  const mentioned = files.some((file) => file !== undefined && /\bpytest\b/.test(file.text));
  if (!mentioned && !(await exists(read, "pytest.ini", "conftest.py", "tests/conftest.py", "test/conftest.py"))) {
    return undefined;
  }
  if (await exists(read, "uv.lock")) return "uv run pytest";
  if (await exists(read, "poetry.lock")) return "poetry run pytest";
  return "python -m pytest";
}

async function rspec(read: ReadFile): Promise<string | undefined> {
  const gemfile = await read("Gemfile");
  const declared = gemfile !== undefined && /\brspec\b/.test(gemfile.text);
  if (!declared && !(await exists(read, ".rspec"))) return undefined;
  return gemfile ? "bundle exec rspec" : "rspec";
}

async function makeTarget(read: ReadFile): Promise<string | undefined> {
  const files = await Promise.all(["GNUmakefile", "makefile", "Makefile"].map(read));
  const used = files.find((file) => file !== undefined); // the one that make takes
  const has = (target: string) =>
    used !== undefined && new RegExp(`^(?:[\\w-]+ +)*${target}(?: +[\\w-]+)*\\s*::?(?!=)`, "m").test(used.text);
  if (has("test")) return "make test";
  return has("check") ? "make check" : undefined; // as the GNU coding standards name it
}

const TEST_SCRIPTS = ["test.sh", "run-tests.sh", "run_tests.sh", "script/test", "scripts/test", "scripts/test.sh"];

/** Everything that `detectChecks` can find. */
export const POSSIBLE_CHECKS: readonly string[] = [
  ...Object.values(RUN_TEST),
  ...["cargo test", "go test ./...", "mix test", "rspec", "bundle exec rspec", "make test", "make check"],
  ...["./gradlew test", "gradle test", "./mvnw test", "mvn test"],
  ...["python -m pytest", "uv run pytest", "poetry run pytest"],
  ...TEST_SCRIPTS.flatMap((name) => [`./${name}`, `sh ${name}`]),
];

async function testScript(read: ReadFile): Promise<string | undefined> {
  const files = await Promise.all(TEST_SCRIPTS.map(read));
  const at = files.findIndex((file) => file !== undefined);
  const name = TEST_SCRIPTS[at];
  if (name === undefined) return undefined;
  return files[at]?.executable ? `./${name}` : `sh ${name}`;
}
