/** What counts as a command that changes nothing, and so costs no look at the project. */
import { expect, test } from "bun:test";
import { commandReader } from "../../src/permissions/index.ts";

const onlyReads = commandReader({
  home: "/home/u",
  projectRoot: "/p",
  stateFolder: "/home/u/.khaelor",
  resolvePath: (path) => path,
});
const told = (commands: readonly string[]) =>
  commands.filter((command) => onlyReads({ kind: "command", command, cwd: "/p" }));

test("commands of the known read-only set, also in loops, chains, pipes and substitutions, change nothing", () => {
  const reading = ["true", "# nothing", "git status", "cat a | sort | uniq -c", "cd src && ls 2>/dev/null; pwd"];
  const nested = [
    "for f in *; do cat $f; done",
    "cat $(ls)",
    "sh -c 'git log'",
    "timeout 5 ls",
    "test -f a && echo yes",
  ];
  expect(told([...reading, ...nested])).toEqual([...reading, ...nested]);
});

test("whatever else it is may change something", () => {
  const programs = ["npm test", "make", "python -c 1", "./run.sh", "git checkout x", "curl http://x", "xargs rm"];
  const writers = [
    "cat a > b",
    "sed -i s/a/b/ x",
    "find . -name x -delete",
    "sort -o a a",
    "tee x",
    "git log --output=x",
  ];
  const unclear = ["$CMD", "cat a; $(make)", "if", "PATH=/x ls"];
  expect(told([...programs, ...writers, ...unclear])).toEqual([]);
});
