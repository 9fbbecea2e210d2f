import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { detectChecks, isCheckCommand, leavesProject, mayBeCheck } from "../../src/repository/index.ts";
import { openWorkshop, type Workshop } from "./workshop.ts";

let shop: Workshop;
beforeEach(() => {
  shop = openWorkshop();
});
afterEach(() => shop.remove());

const npm = (scripts: object, more: object = {}) => JSON.stringify({ scripts, ...more });
const tested = npm({ test: "vitest run" });

describe("the checks of a project", () => {
  const cases: readonly (readonly [
    name: string,
    files: Readonly<Record<string, string>>,
    checks: readonly string[],
  ])[] = [
    ["nothing", { "README.md": "make test" }, []],
    ["npm without a lock file", { "package.json": tested }, ["npm test"]],
    ["npm", { "package.json": tested, "package-lock.json": "{}" }, ["npm test"]],
    ["bun", { "package.json": tested, "bun.lock": "" }, ["bun run test"]],
    ["bun by its script", { "package.json": npm({ test: "bun test" }) }, ["bun run test"]],
    ["pnpm", { "package.json": tested, "pnpm-lock.yaml": "" }, ["pnpm test"]],
    ["yarn", { "package.json": tested, "yarn.lock": "" }, ["yarn test"]],
    [
      "a declared package manager",
      { "package.json": npm({ test: "x" }, { packageManager: "pnpm@9" }), "yarn.lock": "" },
      ["pnpm test"],
    ],
    ["npm's placeholder", { "package.json": npm({ test: 'echo "Error: no test specified" && exit 1' }) }, []],
    ["a manifest that is no JSON", { "package.json": "{" }, []],
    ["a manifest that is a list", { "package.json": "[]" }, []],
    ["cargo", { "Cargo.toml": "" }, ["cargo test"]],
    ["go", { "go.mod": "" }, ["go test ./..."]],
    ["pytest in pyproject", { "pyproject.toml": "[tool.pytest.ini_options]" }, ["python -m pytest"]],
    ["pytest with uv", { "pyproject.toml": "dev = ['pytest']", "uv.lock": "" }, ["uv run pytest"]],
    ["pytest with poetry", { "pyproject.toml": "pytest = '*'", "poetry.lock": "" }, ["poetry run pytest"]],
    ["pytest by its files", { "tests/conftest.py": "" }, ["python -m pytest"]],
    ["python without tests", { "pyproject.toml": "[project]" }, []],
    ["mix", { "mix.exs": "" }, ["mix test"]],
    ["rspec", { Gemfile: "gem 'rspec'" }, ["bundle exec rspec"]],
    ["make", { Makefile: "all:\n\ntest: all\n\tsh x.sh\n" }, ["make test"]],
    ["make without a test", { Makefile: "test := 1\nmytest:\n\nall: test\n" }, []],
    ["make with a check", { Makefile: "check: all\n\tsh x.sh\n" }, ["make check"]],
    ["make with both", { Makefile: "check: test\ntest:\n\tsh x.sh\n" }, ["make test"]],
    ["pytest among the requirements", { "requirements-dev.txt": "pytest>=8\n" }, ["python -m pytest"]],
    ["gradle", { "build.gradle.kts": "" }, ["gradle test"]],
    ["gradle of its own", { "settings.gradle": "", gradlew: "" }, ["./gradlew test"]],
    ["maven", { "pom.xml": "" }, ["mvn test"]],
    ["maven of its own", { "pom.xml": "", mvnw: "" }, ["./mvnw test"]],
    ["a plain script", { "test.sh": "" }, ["sh test.sh"]],
    ["a script in a folder", { "scripts/test": "" }, ["sh scripts/test"]],
    [
      "many",
      { "package.json": tested, "Cargo.toml": "", Makefile: "test:\n", "test.sh": "", "go.mod": "" },
      ["npm test", "cargo test", "go test ./..."],
    ],
  ];
  for (const [name, files, checks] of cases) {
    test(name, async () => {
      for (const [file, text] of Object.entries(files)) shop.write(file, text);
      expect(await detectChecks(shop.workspaceAt(), shop.folder)).toEqual(checks);
      expect(checks.filter((check) => !mayBeCheck(check.split(" ")))).toEqual([]);
    });
  }

  test("an executable script is run as itself", async () => {
    shop.write("run-tests.sh", "", 0o755);
    expect(await detectChecks(shop.workspaceAt(), shop.folder)).toEqual(["./run-tests.sh"]);
  });
});

describe("a command that is a check", () => {
  const cases: readonly (readonly [command: string, detected: readonly string[], is: boolean])[] = [
    ["npm test", ["npm test"], true],
    ["npm test -- --watch=false", ["npm test"], true],
    ["npm run test:unit", ["npm test"], true],
    ["pnpm --filter app test", [], true],
    ["npm install", ["npm test"], false],
    ["npm install test", ["npm test"], false],
    ["bun test test/a.test.ts", ["bun run test"], true],
    ["bun run build", ["bun run test"], false],
    ["npx vitest run src", ["npm test"], true],
    ["./node_modules/.bin/jest", [], true],
    ["CI=1 timeout 60 npx jest", [], true],
    ["python -m pytest -q", [], true],
    ["python3.12 -m pytest tests/a.py", ["pytest"], true],
    ["pytest --collect-only", [], false],
    ["python setup.py install", [], false],
    ["python -c print(1)", ["python -m pytest"], false],
    ["uv run pytest", ["uv run pytest"], true],
    ["cargo test --workspace", ["cargo test"], true],
    ["cargo test --no-run", ["cargo test"], false],
    ["cargo build", ["cargo test"], false],
    ["cargo build", [], true],
    ["go test ./pkg/...", ["go test ./..."], true],
    ["node --test", [], true],
    ["node test", [], false],
    ["tsc --noEmit", [], true],
    ["npx tsc --noEmit", ["npm test"], false],
    ["make test-unit", ["make test"], true],
    ["make -C sub test", ["make test"], true],
    ["make install", ["make test"], false],
    ["sh test.sh", ["./test.sh"], true],
    ["./test.sh --fast", ["sh test.sh"], true],
    ["bash scripts/test", ["sh scripts/test"], true],
    ["bash -n test.sh", ["./test.sh"], false],
    ["bash -en test.sh", ["./test.sh"], false],
    ["bash -ex test.sh", ["./test.sh"], true],
    ["make -n test", ["make test"], false],
    ["make test -i", ["make test"], false],
    ["make -j4 -k test", ["make test"], true],
    ["npm test --if-present", ["npm test"], false],
    ["mvn test -DskipTests", [], false],
    ["gradle test -x test", [], false],
    ["go test -c ./...", [], false],
    ["go test -count=1 ./...", [], true],
    ["bash -c test.sh", ["./test.sh"], false],
    ["cat test.sh", ["./test.sh"], false],
    ["echo npm test", ["npm test"], false],
    ["./gradlew test", [], true],
    ["npm test --help", ["npm test"], false],
    ["", ["npm test"], false],
    ["npm test -- --passWithNoTests", ["npm test"], false],
    ["npm test -- -t nothing", ["npm test"], false],
    ["npx vitest run --passWithNoTests=true", [], false],
    ["npx vitest list", [], false],
    ["npx vitest run src", [], true],
    ["go test -run ^$ ./...", [], false],
    ["go test --run=^$ ./...", [], false],
    ["go test -exec true ./...", [], false],
    ["go test -cover -race ./...", [], true],
    ["cargo -V test", [], false],
    ["mvn test -Dmaven.test.failure.ignore=true", [], false],
    ["mvn -v test", [], false],
    ["make test SHELL=true", [], false],
    ["make test-clean", [], false],
    ["npm run test:list", [], false],
    ["rspec --failure-exit-code 0", [], false],
    ["rake -n test", [], false],
    ["tox -l", [], false],
    ["pytest --setup-plan", [], false],
    ["node --test -e 0", [], false],
    ["npm -v test", [], false],
    ["npx -v jest", [], false],
    ["npx -y jest", [], true],
    ["command -v npm test", ["npm test"], false],
    ["bash -D test.sh", ["./test.sh"], false],
    ["setsid npm test", ["npm test"], false],
  ];
  for (const [command, detected, is] of cases) {
    test(`${is ? "yes" : "no"}: ${command || "nothing"} (of ${detected.join(", ") || "none"})`, () => {
      const words = command.split(" ").filter(Boolean);
      expect(isCheckCommand(words, detected)).toBe(is);
      expect(mayBeCheck(words) || !is).toBe(true);
    });
  }
  test("most commands cannot be a check, whatever the project declares", () => {
    const others = [
      "git status",
      "ls -la",
      "rg main src",
      "sed -i s/a/b/ x.ts",
      "node build.js",
      "npm install",
      "true 1",
    ];
    expect(others.filter((command) => mayBeCheck(command.split(" ")))).toEqual([]);
  });
});

describe("a check of another project", () => {
  const leaves = (command: string, folder = "/p/sub") => leavesProject(command.split(" "), folder, "/p");
  test("is one that runs elsewhere, or is told to look elsewhere", () => {
    const elsewhere = [
      "npm --prefix /tmp/x test",
      "npm --prefix=../../x test",
      "make -C/tmp/x test",
      "pytest ~/x",
      "pytest --rootdir=/p2",
      "sh /tmp/x/test.sh",
      "/tmp/x/test.sh",
      "make -f /dev/null test",
    ];
    expect(elsewhere.filter((command) => !leaves(command))).toEqual([]);
    expect(leaves("npm test", "/p2")).toBe(true);
  });

  test("is not one that stays inside, wherever its program lies", () => {
    const inside = [
      "npm test",
      "npm --prefix .. test",
      "/usr/bin/python3 -m pytest /p/tests",
      "make -C../lib test",
      "/p/test.sh",
    ];
    expect(inside.filter((command) => leaves(command))).toEqual([]);
    expect(leavesProject(["npm", "test"], "/", "/")).toBe(false);
  });
});
