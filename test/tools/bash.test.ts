/** The bash tool beyond the shared cases: how long output is cut, how endings are said, what a screen sees. */
import { describe, expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { createStage } from "./stage.ts";

describe("bash", () => {
  test("says how a command ended", async () => {
    await using stage = createStage();
    const ended = async (command: string, timeout_ms = 5000) => {
      const { modelText, errorKind, ui } = await stage.run("bash", { command, timeout_ms });
      return { modelText, errorKind, ui };
    };
    expect(await ended("true")).toEqual({
      modelText: "(no output)",
      errorKind: undefined,
      ui: { kind: "exec", summary: "exit code 0", exitCode: 0 },
    });
    expect((await ended("echo; echo")).modelText).toBe("(no output)");
    expect(await ended("printf oops; exit 3")).toEqual({
      modelText: "oops\n[exit code 3]",
      errorKind: undefined,
      ui: { kind: "exec", summary: "exit code 3", exitCode: 3 },
    });
    expect(await ended("kill -9 $$")).toMatchObject({
      modelText: "(no output)\n[killed by SIGKILL]",
      errorKind: "exec-error",
    });
    expect((await ended("echo begun; sleep 30.61", 300)).modelText).toStartWith("begun\n[timed out after 300 ms");
    expect(await ended("a\0b")).toMatchObject({ errorKind: "invalid-input" });
  });

  test("keeps the whole of a cut output in the file it names, however large it is", async () => {
    await using stage = createStage();
    for (const count of [8000, 300_000]) {
      const result = await stage.run("bash", { command: `seq 1 ${count}` });
      const path = result.spillFile ?? "";
      const whole = Array.from({ length: count }, (_, n) => `${n + 1}\n`).join("");
      expect([readFileSync(path, "utf8") === whole, statSync(path).mode & 0o777]).toEqual([true, 0o600]);
      const [, left] = /\[… (\d+) bytes left out\./.exec(result.modelText) ?? [];
      const shown = result.modelText.replace(/\[….*…\]\n/, "");
      expect(shown.length + Number(left)).toBe(whole.length);
      expect(result.modelText).toContain(`${whole.length} bytes, is in ${path}`);
      expect(Buffer.byteLength(result.modelText)).toBeLessThanOrEqual(32 * 1024);
    }
  });

  test("leaves no file when nothing was cut", async () => {
    await using stage = createStage();
    const result = await stage.run("bash", { command: "seq 1 100" });
    expect(result.spillFile).toBeUndefined();
    expect(() => statSync(stage.spillFile())).toThrow();
  });

  test("never shows half a character or half a sequence beside the cut", async () => {
    await using stage = createStage();
    const command = `for i in $(seq 1 60000); do printf '\\e[3%dmé日本🚀\\e[0m\\n' $((i % 8)); done`;
    const { modelText } = await stage.run("bash", { command });
    const lines = new Set(modelText.split("\n").filter((line) => !line.startsWith("[…")));
    expect([...lines].sort()).toEqual(["", "é日本🚀"]);
  });

  test("shows output while the command runs, and of a flood only the newest", async () => {
    await using stage = createStage();
    const chunks: string[] = [];
    const first = Promise.withResolvers<void>();
    const emitOutput = (chunk: string) => {
      chunks.push(chunk);
      first.resolve();
    };
    const running = stage.run(
      "bash",
      { command: "echo early; until [ -e go ]; do sleep 0.02; done; echo late" },
      { emitOutput },
    );
    await first.promise;
    expect(chunks).toEqual(["early\n"]);
    writeFileSync(`${stage.folder}/go`, "");
    await running;
    expect(chunks).toEqual(["early\n", "late\n"]);
    await stage.run("bash", { command: "seq 1 2000000" }, { emitOutput });
    expect(chunks.join("").length).toBeLessThan(4_000_000);
    expect(chunks.at(-1)).toEndWith("1999999\n2000000\n");
  }, 20_000);
});
