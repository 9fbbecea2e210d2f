/** Help and completion of the compiled program. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { BUILD_TIMEOUT_MS } from "../support/binary.ts";
import { openStage, type Stage } from "./stage.ts";

const EXIT_USAGE = 2;
let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
}, BUILD_TIMEOUT_MS);
afterAll(() => stage.close());

describe("help and completion", () => {
  test("a subcommand has a help of its own, and a slip in its name is answered", async () => {
    const log = await stage.run(["help", "log"]);
    expect(log).toMatchObject({ code: 0, stderr: "" });
    for (const word of ["khaelor log", "--follow", "--type GLOB", "--json"]) expect(log.stdout).toContain(word);
    expect(log.stdout).not.toContain("--output-format");
    expect((await stage.run(["log", "--help"])).stdout).toBe(log.stdout);
    const slip = await stage.run(["help", "logg"]);
    expect([slip.code, slip.stderr]).toEqual([EXIT_USAGE, expect.stringContaining("did you mean log?")]);
  });

  test("bash takes the script, and completes subcommands, verbs, flags and values", async () => {
    const script = `
      eval "$("$KHAELOR" completion bash)"
      try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _khaelor; echo "\${COMPREPLY[*]}"; }
      try khaelor se; try khaelor sessions re; try khaelor log --fo; try khaelor -p --output-format str;
      try khaelor -p --output-format = j; try khaelor -p --permission-mode =; try khaelor permissions s; complete -p khaelor`;
    const { stdout, stderr } = await stage.run([], { shell: script });
    expect([stdout.split("\n"), stderr]).toEqual([
      [
        "sessions search",
        "rename",
        "--follow --fork --fork-session",
        "stream-json",
        "json",
        "ask accept-edits plan bypass",
        "suggest",
        "complete -o default -F _khaelor khaelor",
        "",
      ],
      "",
    ]);
  });

  test("bash completes files as it always does, also with blanks in their names", async () => {
    const script = `
      eval "$("$KHAELOR" completion bash)"; touch "a file.json"
      try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _khaelor; echo "\${#COMPREPLY[@]}"; }
      try khaelor -p --settings a; try khaelor -f "a f"`;
    const { stdout, stderr } = await stage.run([], { shell: script });
    expect([stdout, stderr]).toEqual(["0\n0\n", ""]); // nothing of ours: then "-o default" takes over
  });

  test("every shell's script names every subcommand; another shell is refused", async () => {
    for (const shell of ["bash", "zsh", "fish"]) {
      const { stdout, code } = await stage.run(["completion", shell]);
      expect(code).toBe(0);
      if (Bun.which(shell)) expect(Bun.spawnSync([shell, "-n"], { stdin: Buffer.from(stdout) }).exitCode).toBe(0);
      for (const word of ["sessions", "prune", "permission-mode", "accept-edits"]) expect(stdout).toContain(word);
    }
    expect((await stage.run(["completion", "fishh"])).stderr).toContain("Did you mean fish?");
  });
});
