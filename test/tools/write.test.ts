/** The write tool: what it makes and replaces, what it refuses, what it says and what it records. */
import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { sha256 } from "../../src/shared/index.ts";
import { createStage } from "./stage.ts";

const write = (file_path: string, content: string) => ({ file_path, content });

describe("a write", () => {
  test("makes a file and the folders above it, and records that there was none", async () => {
    await using stage = createStage();
    const result = await stage.run("write", write("src/deep/a.ts", "one\ntwo\n"));
    const diffStats = { added: 2, removed: 0 };
    const path = `${stage.folder}/src/deep/a.ts`;
    expect(result).toEqual({
      modelText: "Created src/deep/a.ts.",
      ui: { kind: "edit", summary: "src/deep/a.ts: new, +2", diffStats },
      modified: [
        {
          path,
          operation: "write",
          diffStats,
          diff: "--- src/deep/a.ts\n+++ src/deep/a.ts\n@@ -0,0 +1,2 @@\n+one\n+two\n",
          beforeSha256: null,
          afterSha256: sha256("one\ntwo\n"),
          mode: statSync(path).mode & 0o777,
        },
      ],
    });
    expect([readFileSync(path, "utf8"), stage.saved]).toEqual(["one\ntwo\n", [{ path, before: null }]]);
  });

  test("replaces a file that was read, keeps its mode and stores what it held", async () => {
    await using stage = createStage();
    const path = `${stage.folder}/run.sh`;
    writeFileSync(path, "echo 1\n");
    chmodSync(path, 0o755);
    await stage.run("read", { file_path: "run.sh" });
    const result = await stage.run("write", write("run.sh", "echo 2\n"));
    expect(result.modelText).toBe("Replaced run.sh (+1 -1 lines).");
    expect(result.modified?.[0]).toMatchObject({ beforeSha256: sha256("echo 1\n"), mode: 0o755 });
    expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual(["echo 2\n", 0o755]);
    expect(stage.saved).toEqual([{ path, before: "echo 1\n" }]);
    const again = await stage.run("edit", { file_path: "run.sh", old_string: "2", new_string: "3" });
    expect(again.errorKind).toBeUndefined(); // what it wrote it knows
  });

  test("of what is there already says so and records nothing, read or not", async () => {
    await using stage = createStage();
    writeFileSync(`${stage.folder}/a`, "same\n");
    const result = await stage.run("write", write("a", "same\n"));
    expect(result).toEqual({
      modelText: "a holds exactly this already. Nothing was written.",
      ui: { kind: "edit", summary: "a: unchanged", diffStats: { added: 0, removed: 0 } },
    });
    expect(stage.saved).toEqual([]);
  });

  test("takes line ends literally and says when they change; a byte order mark, which no text shows, stays", async () => {
    await using stage = createStage();
    const path = `${stage.folder}/a.cs`;
    writeFileSync(path, "\ufeffone\r\ntwo\r\n");
    await stage.run("read", { file_path: "a.cs" });
    const result = await stage.run("write", write("a.cs", "one\ntwo\nthree\n"));
    expect(result.modelText).toBe("Replaced a.cs (+3 -2 lines). Its lines ended in CRLF; now they end in LF.");
    expect(readFileSync(path, "utf8")).toBe("\ufeffone\ntwo\nthree\n");
    const back = await stage.run("write", write("a.cs", "\ufeffone\r\n"));
    expect([back.errorKind, readFileSync(path, "utf8")]).toEqual([undefined, "\ufeffone\r\n"]);
  });

  test("through a link replaces the target and keeps the link", async () => {
    await using stage = createStage();
    mkdirSync(`${stage.folder}/src`);
    writeFileSync(`${stage.folder}/src/a`, "1\n");
    symlinkSync("src/a", `${stage.folder}/link`);
    await stage.run("read", { file_path: "link" });
    const result = await stage.run("write", write("link", "2\n"));
    expect(result.modified?.[0]?.path).toBe(`${stage.folder}/src/a`);
    expect(readFileSync(`${stage.folder}/src/a`, "utf8")).toBe("2\n");
  });

  test("of a huge text keeps a bounded diff with the right counts", async () => {
    await using stage = createStage();
    const result = await stage.run("write", write("big", "a line of text\n".repeat(200_000)));
    expect(result.modified?.[0]).toMatchObject({ diffStats: { added: 200_000, removed: 0 } });
    expect(result.modified?.[0]?.diff?.length).toBeLessThan(33_000);
    const other = await stage.run("write", write("big", "another line\n".repeat(190_000)));
    expect(other.modified?.[0]).toMatchObject({ diffStats: { added: 190_000, removed: 200_000 } });
  });
});

describe("a write is refused, and every byte stays,", () => {
  const bytes = (...list: number[]) => Uint8Array.from(list);
  const refusals: readonly (readonly [string, Uint8Array | string, string])[] = [
    ["when the file was never read", "theirs\n", "unread"],
    ["when a binary file stands there", bytes(1, 0, 2), "binary"],
    ["when text of another encoding stands there", bytes(0xff, 0xfe, 0x61, 0x00), "encoding"],
  ];
  for (const [when, content, reason] of refusals) {
    test(when, async () => {
      await using stage = createStage();
      const path = `${stage.folder}/a`;
      writeFileSync(path, content);
      const result = await stage.run("write", write("a", "mine\n"));
      expect(result.modelText).toStartWith(`Nothing was written (${reason}).`);
      expect([result.errorKind, result.modified, stage.saved]).toEqual(["invalid-input", undefined, []]);
      expect(Buffer.compare(readFileSync(path), Buffer.from(content))).toBe(0);
    });
  }

  test("when the file was changed since it was read, also in the last moment", async () => {
    await using stage = createStage();
    const path = `${stage.folder}/a`;
    writeFileSync(path, "1\n");
    await stage.run("read", { file_path: "a" });
    const beforeWrite = async () => writeFileSync(path, "theirs\n");
    const raced = await stage.run("write", write("a", "mine\n"), { beforeWrite });
    expect(raced.modelText).toStartWith("Nothing was written (stale).");
    const stale = await stage.run("write", write("a", "mine\n"));
    expect(stale.modelText).toBe(
      "Nothing was written (stale). a was changed on disk since you last saw it: read it again, then write.",
    );
    expect(readFileSync(path, "utf8")).toBe("theirs\n");
  });

  test("when somebody makes the file in the last moment", async () => {
    await using stage = createStage();
    const beforeWrite = async () => writeFileSync(`${stage.folder}/a`, "theirs\n");
    const result = await stage.run("write", write("a", "mine\n"), { beforeWrite });
    expect(result.modelText).toStartWith("Nothing was written (stale).");
    expect(readFileSync(`${stage.folder}/a`, "utf8")).toBe("theirs\n");
  });

  test("when a folder, a device or a file in place of a folder is named", async () => {
    await using stage = createStage();
    mkdirSync(`${stage.folder}/src`);
    writeFileSync(`${stage.folder}/file`, "");
    const said = async (path: string) => (await stage.run("write", write(path, "x"))).modelText.slice(0, 40);
    expect(await said("src")).toStartWith("Nothing was written (is-directory).");
    expect(await said("/dev/null")).toStartWith("Nothing was written (invalid-input).");
    expect(await said("file/below")).toStartWith("Nothing was written (file-not-found)");
  });

  test("when half a character stands in it, and when the turn is over", async () => {
    await using stage = createStage();
    const half = await stage.run("write", write("a", "\ud800"));
    expect(half.modelText).toStartWith("Nothing was written (invalid-input).");
    const late = await stage.run("write", write("a", "x"), { signal: AbortSignal.abort() });
    expect(late.modelText).toStartWith("Nothing was written (cancelled).");
    expect(existsSync(`${stage.folder}/a`)).toBe(false);
  });
});
