/** Whether a command that was run proves anything: the project's own check, or a test runner that is known by name. */
import { resolve } from "node:path";
import { POSSIBLE_CHECKS } from "./checks.ts";

/**
 * Whether the words of one simple command run a check. `detected` is what `detectChecks` found. Static checks (a type check, a
 * linter, a bare build) count only for a project without a test command of its own. A call that only lists or explains does
 * not count. What was found is a check only at the root: below it a script of that name is another.
 */
export function isCheckCommand(words: readonly string[], detected: readonly string[], isAtRoot = true): boolean {
  const command = withoutWrappers(words);
  if (command.length === 0 || command.some(runsNothing) || provesNothing(command)) return false;
  const own = detected.map((check) => withoutWrappers(check.split(" ")));
  if (isAtRoot && own.some((check) => startsWith(command, check))) return true;
  return matches(TEST_RUNNERS, command) || (detected.length === 0 && matches(STATIC_CHECKS, command));
}

/**
 * Whether `isCheckCommand` could say yes, whatever the project declares: false for most commands, without a look at the disk.
 */
export function mayBeCheck(words: readonly string[]): boolean {
  const command = withoutWrappers(words);
  return (
    [TEST_RUNNERS, STATIC_CHECKS].some((known) => matches(known, command)) ||
    OWN.some((check) => startsWith(command, check))
  );
}

/**
 * Whether these words, run in `folder`, speak of something outside of `root`: then they say nothing of the project. The program may
 * lie anywhere, a script may not.
 */
export function leavesProject([program = "", ...words]: readonly string[], folder: string, root: string): boolean {
  const values = words.map((word) => word.replace(/^(?:-{0,2}[\w.-]+=|-[A-Za-z](?=[/.~]))/, ""));
  const paths = [".", ...values, ...(program.endsWith(".sh") ? [program] : [])];
  return paths.some(
    (path) => path.startsWith("~") || !`${resolve(folder, path)}/`.startsWith(root === "/" ? "/" : `${root}/`),
  );
}

const listed = (text: string): readonly string[] => text.trim().split(/\s*,\s*/);

/** They list, explain or skip, or are content with no test at all, and end well whatever the tests would say. */
const RUNS_NOTHING: ReadonlySet<string> = new Set(
  listed(`--help, -h, --version, --collect-only, --co, --fixtures, --markers, --listTests, --list, --list-tests, --no-run,
    --dry-run, --just-print, --recon, --touch, --question, --ignore-errors, --show-only, --if-present, -DskipTests,
    -Dmaven.test.skip, -Dmaven.test.failure.ignore, -DtestFailureIgnore, -DfailIfNoTests,
    -Dsurefire.failIfNoSpecifiedTests, --fail-never, --passWithNoTests, --pass-with-no-tests, --no-tests,
    --permit-no-files, --suppress-no-test-exit-code, --do-not-fail-on-empty-test-suite, --failure-exit-code,
    --exit-status, --setup-plan, --setup-only, --cache-show, --funcargs, --listenvs, --listenvs-all, --showconfig,
    --notest, --install-only, --list-sessions, --list-suites, --list-groups, --list-files, --list-reporters,
    --list-steps, --print-labels, --generate-configuration, --init, --showConfig, --clearCache, --no-run-tests,
    --build-plan, --graph, --dry, --show, --summary, --status, --exclude-task, --script-shell, --eval`),
);

const runsNothing = (word: string): boolean => RUNS_NOTHING.has(word.split("=", 1)[0] ?? "");

/** Short options and words with the same effect, which mean something else to other programs. */
const PROVE_NOTHING: readonly (readonly [program: string, options: RegExp])[] = [
  ["make", /^(?:-[A-Za-z]*[inqtov]|MAKEFLAGS=|SHELL=|--old-file|--assume-old)/],
  ["gradle", /^-[mx]/],
  ["gradlew", /^-[mx]/],
  ["mvn", /^-(?:v|fn)$/],
  ["mvnw", /^-(?:v|fn)$/],
  ["ctest", /^-[NR]/],
  ["go", /^--?(?:c|n|list|run|skip|exec)(?:=|$)/],
  ["gotestsum", /^(?:tool|--?(?:run|skip|exec)(?:=.*)?)$/],
  ["cargo", /^-V$/],
  ["pytest", /^-V$/],
  ["rspec", /^-[ve]/],
  ["rake", /^-[nTPDW]/],
  ["tox", /^(?:-[lan]|list|config|devenv)$/],
  ["nox", /^-l$/],
  ["node", /^-[vepc]$/],
  ["npm", /^-[vl?]$/],
  ["vitest", /^(?:list|bench|init)$/],
  ["dotnet", /^(?:-t|--filter)/],
  ["swift", /^(?:list|-l|--filter|--skip)/],
  ["bats", /^(?:-[cf]|--count|--filter)/],
  ["just", /^-[nls]$/],
  ["task", /^-[nls]$/],
];

/** Options that choose tests by their name: with most runners a name that no test has ends well. */
const CHOOSES_BY_NAME = /^(?:-[tg]|--f?grep|--testNamePattern|--test-name-pattern|--test-only)(?:=|$)/;
const CHOOSES: ReadonlySet<string> = new Set(listed("npm, pnpm, yarn, bun, jest, vitest, mocha, node, ava, deno"));

const provesNothing = ([program = "", ...words]: readonly string[]): boolean =>
  PROVE_NOTHING.some(([name, options]) => name === program && words.some((word) => options.test(word))) ||
  (CHOOSES.has(program) && words.some((word) => CHOOSES_BY_NAME.test(word)));

const commands = (text: string): readonly (readonly string[])[] => listed(text).map((entry) => entry.split(" "));

/** Each is the beginning of a command. `test` stands for `test:unit` and the like as well. */
const TEST_RUNNERS = commands(`
  npm test, npm t, npm run test, pnpm test, pnpm t, pnpm run test, yarn test, yarn run test, bun test, bun run test,
  deno test, deno task test, node --test, vitest, jest, mocha, ava, tap, playwright test, cypress run, ng test, nx test,
  turbo test, turbo run test, pytest, py.test, tox, nox, unittest, nose2, manage.py test, cargo test, cargo nextest run,
  go test, gotestsum, mix test, rspec, rake test, rake spec, rails test, phpunit, pest, composer test, gradle test,
  gradlew test, gradle check, gradlew check, mvn test, mvn verify, mvnw test, mvnw verify, sbt test, dotnet test,
  swift test, ctest, make test, make check, meson test, zig build test, zig test, dart test, flutter test, stack test,
  cabal test, bats, just test, task test, lein test`);

const STATIC_CHECKS = commands(`
  tsc, biome check, biome ci, eslint, cargo check, cargo clippy, cargo build, go vet, go build, mypy, pyright, ruff check,
  flake8, shellcheck, node --check, bash -n, sh -n, npm run build, npm run lint, npm run typecheck, npm run check`);

function matches(known: readonly (readonly string[])[], command: readonly string[]): boolean {
  const past = pastOptions(command);
  return known.some((entry) => startsWith(command, entry) || startsWith(past, entry));
}

const startsWith = (command: readonly string[], beginning: readonly string[]): boolean =>
  beginning.length > 0 &&
  beginning.every((word, at) => command[at] === word || (word === "test" && NAMED_TEST.test(command[at] ?? "")));

/** `test:unit`, but not what only prepares tests or tidies up behind them. */
const NAMED_TEST =
  /^test[:.-](?!(?:o|clean|deps|data|setup|prepare|fixtures?|list|build|install|update|watch|help|debug|report)$)/;

const TAKES_VALUE: ReadonlySet<string> = new Set(
  listed("-C, -F, -f, -p, -w, --cwd, --dir, --directory, --filter, --manifest-path, --prefix, --project, --workspace"),
);

/** The command without the options between the program and its own command: `pnpm --filter app test` is `pnpm test`. */
function pastOptions([program, ...words]: readonly string[]): readonly string[] {
  let at = 0;
  while (words[at]?.startsWith("-")) at += TAKES_VALUE.has(words[at] ?? "") ? 2 : 1;
  return program === undefined ? [] : [program, ...words.slice(at)];
}

/** Programs that run what follows them, with the number of words of their own that stand between. */
const WRAPPERS: readonly (readonly [words: readonly string[], takes: number])[] = [
  [["env"], 0],
  [["time"], 0],
  [["command"], 0],
  [["exec"], 0],
  [["timeout"], 1],
  [["npx"], 0],
  [["bunx"], 0],
  [["pnpm", "exec"], 0],
  [["pnpm", "dlx"], 0],
  [["yarn", "dlx"], 0],
  [["npm", "exec"], 0],
  [["uv", "run"], 0],
  [["poetry", "run"], 0],
  [["pipenv", "run"], 0],
  [["hatch", "run"], 0],
  [["bundle", "exec"], 0],
  [["python", "-m"], 0],
  [["python"], 0],
  [["sh"], 0],
  [["bash"], 0],
];

/** Down to what is really run: `CI=1 timeout 60 npx vitest run` is `vitest run`, and `sh ./test.sh` is `test.sh`. */
function withoutWrappers(words: readonly string[]): readonly string[] {
  let rest = [...words];
  for (;;) {
    const wrapped = unwrapped(rest);
    if (wrapped === undefined) return rest;
    rest = wrapped;
  }
}

const OPTION_THAT_MATTERS = /^-([A-Za-z]*[ncmvVhDs][A-Za-z]*|-version|-help|-call|-dump-(po-)?strings|-pretty-print)$/;

/** One layer less, or undefined when there is none. */
function unwrapped(words: readonly string[]): string[] | undefined {
  const [first, ...others] = words;
  if (first === undefined) return undefined;
  if (/^[A-Za-z_]\w*=/.test(first)) return others;
  const name = programName(first);
  if (name !== first) return [name, ...others];
  for (const [wrapper, takes] of WRAPPERS) {
    if (!startsWith(words, wrapper)) continue;
    const inner = withoutOptions(words.slice(wrapper.length));
    if (inner !== undefined) return inner.slice(takes);
  }
  return undefined;
}

/** Undefined when an option makes the program itself do the work, as in `bash -n` or `sh -c`. */
function withoutOptions(words: readonly string[]): string[] | undefined {
  const start = words.findIndex((word) => !word.startsWith("-"));
  const options = start === -1 ? words : words.slice(0, start);
  return options.some((option) => OPTION_THAT_MATTERS.test(option)) ? undefined : words.slice(options.length);
}

/** `./node_modules/.bin/jest` is jest, `python3.12` is python, `./scripts/test` stays what it is: `scripts/test`. */
function programName(word: string): string {
  const path = word.replace(/^(\.\/)+/, "");
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (/^python[\d.]*$/.test(name)) return "python";
  return path.startsWith("node_modules/.bin/") || word.startsWith("/") ? name : path;
}

/** What a project can declare. */
const OWN = POSSIBLE_CHECKS.map((check) => withoutWrappers(check.split(" ")));
