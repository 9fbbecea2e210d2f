/** Commands that look as if they only read, but run what a file says or read what lies elsewhere: none is allowed unasked. */
import { expect, test } from "bun:test";
import { evaluatorFor, verdictOn } from "./ground.ts";

const allowed = (commands: readonly string[]) => commands.filter((command) => verdictOn(command).action === "allow");

test("a text that is not known is never calculated with, nor taken for a subscript or a name", () => {
  const commands = [
    "n=$(cat a.txt); echo $((n + 1))",
    "n=$(cat a.txt); (( n > 1 ))",
    "n=$(cat a.txt); [[ $n -gt 1 ]]",
    "n=$(cat a.txt); [[ n -gt 1 ]]",
    "read n < a.txt; echo $[n]",
    "echo $(( $(cat a.txt) ))",
    "[[ $(cat a.txt) -gt 1 ]]",
    "for f in *; do echo $((f)); done",
    "while read n; do t=$((t + n)); done < a.txt",
    "for ((i = $(cat a.txt); i < 3; i++)); do ls; done",
    "mapfile -t a < a.txt; echo $((a[0]))",
    "set -- $(cat a.txt); echo $(($1))",
    `n=$(cat a.txt); echo \${x[n]}`,
    `n=$(cat a.txt); echo \${x:n}`,
    `n=$(cat a.txt); echo \${x:0:$n}`,
    `n=$(cat a.txt); echo \${!n}`,
    "n=$(cat a.txt); let n+=1",
    "n=$(cat a.txt); x[n]=1",
    "n=$(cat a.txt); x=([n]=1)",
    "n=$(cat a.txt); [[ -v $n ]]",
    "n=$(cat a.txt); [ -v $n ]",
    "n=$(cat a.txt); printf -v $n x",
    "declare -i m; m=$(cat a.txt)",
    "printf -v 'x[$(touch made)]' y",
    "[[ -v 'x[$(touch made)]' ]]",
  ];
  expect(allowed(commands)).toEqual([]);
});

test("numbers are calculated with", () => {
  const commands = [
    "x=5; echo $((x * 2))",
    "n=$(wc -l < a.txt); echo $((n + 1))",
    "[[ $(wc -l < a.txt) -gt 10 ]] && echo many",
    "i=0; while true; do i=$((i + 1)); [[ $i -gt 3 ]] && break; done",
    "for ((i = 0; i < 3; i++)); do echo $((i * i)); done",
    "for n in $(seq 3); do echo $((n)); done",
    "n=0; if ls; then n=1; fi; echo $((n + 1))",
    "echo $((SECONDS / 60)) $((COLUMNS - 1))",
    `a=(x y); echo \${a[1]} \${a[@]:0:1} \${!a[@]}`,
    "n=$(cat a.txt); [ $n -gt 1 ]",
  ];
  expect(allowed(commands)).toEqual(commands);
});

test("where the shell was before is not known", () => {
  expect(allowed(["cat ~-/x", "cd ~-; cat x", "OLDPWD=/etc; cat ~-/passwd", "ls ~-", "pushd ~-; cat x"])).toEqual([]);
});

test("a value in an option, and an operand behind an option that takes none, are paths that are read", () => {
  const commands = [
    "git config --file=/etc/passwd --list",
    "git config -f/etc/passwd -l",
    "git blame --contents=/etc/passwd a.txt",
    "git grep -f/etc/passwd",
    "git log --pathspec-from-file=../x",
    "xargs -a /etc/passwd echo",
    "xargs --arg-file=/etc/passwd",
    "column -t /etc/passwd",
    "od -w /etc/passwd",
    "grep --color x /etc/passwd",
    "stat -f /etc/passwd",
    "fd --search-path /etc x",
    "awk 'BEGIN { ARGV[1] = \"/etc/passwd\"; ARGC = 2 } 1'",
    `jq -n 'import "credentials" as $x { search: "/home/dev/.khaelor" }; $x'`,
    "jq -f a.jq b.json",
  ];
  expect(allowed(commands)).toEqual([]);
  const plain = [
    "git log --grep=/x",
    "git log -L/a/,/b/:a.txt",
    "column -t a.txt",
    "grep --color x a.txt",
    "od -w8 a.txt",
  ];
  expect(allowed(plain)).toEqual(plain);
});

test("a program that loads or writes what the project says is no reader", () => {
  const commands = ["nm --plugin=./x.so a.o", "nm @options", "script -c ls", "script -qc ls ../x"];
  const versions = ["cargo", "rustc", "yarn", "pnpm", "mvn", "gradle", "dotnet"].map((name) => `${name} --version`);
  expect(allowed([...commands, ...versions])).toEqual([]);
});

test("git that only looks asks where the repository's own settings name a program, and plan mode refuses it", () => {
  const settingThatRuns = (folder: string) => (/\/evil$/.test(folder) ? "core.fsmonitor" : undefined);
  const verdict = (command: string, mode: "ask" | "plan" = "ask") => verdictOn(command, { settingThatRuns, mode });
  const commands = ["cd evil && git status", "git -C evil log", "git -C . -C evil diff", "env -C evil git show HEAD"];
  expect(commands.map((command) => verdict(command).action)).toEqual(commands.map(() => "ask"));
  expect(verdict("git -C evil log").because).toBe(
    "The repository's own settings (core.fsmonitor) make git run a program for it.",
  );
  expect([verdict("git -C evil log", "plan").action, verdict("git status", "plan").action]).toEqual(["deny", "allow"]);
  expect(verdict("git --version; cd evil; git --version").action).toBe("allow");
});

test("nothing is put into a `.git` by an accepted edit: that is how a repository is made that names programs", () => {
  const evaluator = evaluatorFor({ mode: "accept-edits" });
  const write = (path: string) => evaluator.evaluate({ kind: "path", op: "write", path }).tier;
  expect(["x/.git", "x/.git/commondir", ".git/modules/m/config"].map(write)).toEqual(["guarded", "guarded", "guarded"]);
  expect([".git/info/exclude", ".gitignore", "x.git/a"].map(write)).toEqual(["mode", "mode", "mode"]);
});
