/** Reading commands for other rooms: is the exit code that of one simple command, and which? */
import { describe, expect, test } from "bun:test";
import { folderOfLast, lastOfAndChain, simpleCommands } from "../../src/permissions/index.ts";

describe("the last command of an && chain", () => {
  const found: readonly (readonly [string, readonly string[]])[] = [
    ["npm test", ["npm", "test"]],
    ["  npm   test  ", ["npm", "test"]],
    ["npm run 'test:unit' -- \"a b\"", ["npm", "run", "test:unit", "--", "a b"]],
    ["cd packages/ui && npm test", ["npm", "test"]],
    ["npm run build && npm test", ["npm", "test"]],
    ["mkdir -p x && cd x && cargo test", ["cargo", "test"]],
    ["CI=1 npm test", ["npm", "test"]],
    ["timeout 60 npm test", ["npm", "test"]],
    ["time npm test", ["npm", "test"]],
    ["env CI=1 npm test", ["npm", "test"]],
    ["cd x && CI=1 timeout -k 5 60s nice -n 5 npm test", ["npm", "test"]],
    ["npm test > out.log 2>&1", ["npm", "test"]],
    ["npm test # the unit tests", ["npm", "test"]],
    ["npm \\\n  test", ["npm", "test"]],
    ["D=src; : ", []],
    ["FILE=a.test.ts && bun test $FILE", ["bun", "test", "a.test.ts"]],
    ["bash -c 'npm test'", ["bash", "-c", "npm test"]],
    ["npm test && echo ok", ["echo", "ok"]],
  ];
  for (const [command, words] of found.filter(([, words]) => words.length > 0)) {
    test(`is found in ${JSON.stringify(command)}`, () => expect(lastOfAndChain(command)).toEqual(words));
  }

  const masked = [
    "", "   ", "npm test | tail", "npm test |& cat", "npm test || true", "npm test; echo ok", "npm test\necho ok", "npm test &", "npm test & wait", "! npm test",
    "! time npm test", "(npm test)", "{ npm test; }", "if npm test; then :; fi", "npm test && echo ok || true", "npm run lint || true && npm test", "npm test &&",
    "echo 'npm test", "npm test $X", "$RUNNER test", "npm test $(cat args)", "PATH=./fake:$PATH npm test", "env PATH=./fake npm test", "export PATH=./fake && npm test",
    "trap 'exit 0' EXIT && npm test", "alias npm=true && npm test", "eval 'npm() { :; }' && npm test", "source ./env.sh && npm test", ". ./env.sh && npm test",
    "npm() { :; } && npm test", "exec true && npm test", "exit 0 && npm test", "shopt -s expand_aliases && npm test", "hash -p /bin/true npm && npm test", "enable -f x.so npm && npm test",
    "set -e && npm test", "$X && npm test", "LD_PRELOAD=./x.so npm test", "PATH=x && npm test", "for i in 1; do npm test; done", "npm test <(exit 1)", "coproc npm test", "a\0b", "env -C /x npm test", "timeout --preserve-status 9 npm test", "timeout -k 5 -p 9 npm test",
  ]; // biome-ignore format: a list
  for (const command of masked) {
    test(`is not claimed for ${JSON.stringify(command)}`, () => expect(lastOfAndChain(command)).toBeUndefined());
  }
});

describe("the folder of the last command", () => {
  const folders: readonly (readonly [string, string | undefined])[] = [
    ["npm test", "/p"],
    ["cd sub && npm test", "/p/sub"],
    ["cd /tmp/x && npm test", "/tmp/x"],
    ["cd sub && cd .. && timeout 5 npm test", "/p"],
    ['cd "$ELSEWHERE" && npm test', undefined],
  ];
  for (const [command, folder] of folders) {
    test(`of ${command}`, () => expect(folderOfLast(command, "/p")).toBe(folder));
  }
});

describe("the simple commands of a text", () => {
  test("stand in the order in which they run, wrappers marked", () => {
    expect(simpleCommands('timeout 5 npm test && echo "$(git log)" | cat > x')).toEqual({
      ok: true,
      value: [
        { words: ["timeout", "5", "npm", "test"], resolved: true, wrapper: true },
        { words: ["npm", "test"], resolved: true, wrapper: false },
        { words: ["git", "log"], resolved: true, wrapper: false },
        { words: ["echo", "$(git log)"], resolved: false, wrapper: false },
        { words: ["cat"], resolved: true, wrapper: false },
      ],
    });
  });

  test("cannot be told when the text does not parse", () => {
    expect(simpleCommands("echo 'x")).toEqual({ ok: false, error: "unterminated single quote" });
  });
});
