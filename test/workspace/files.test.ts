/** Files as the workspace reads and replaces them: never blocking, never half, never through surprise. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { sha256, toBytes } from "../../src/shared/index.ts";
import { createLocalWorkspace, type FileError } from "../../src/workspace/index.ts";

let folder = "";
const workspace = () => createLocalWorkspace({ cwd: folder, env: process.env });
const kindOf = async (answer: Promise<{ ok: boolean; error?: FileError }>): Promise<string> => {
  const { error } = await answer;
  return error?.kind ?? "ok";
};

beforeEach(() => {
  folder = realpathSync(mkdtempSync(`${tmpdir()}/khaelor-files-`));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a working directory that is missing or a file is refused with its name", () => {
  writeFileSync(`${folder}/file`, "");
  for (const cwd of [`${folder}/missing`, `${folder}/file`]) {
    expect(() => createLocalWorkspace({ cwd, env: process.env })).toThrow(cwd);
  }
});

describe("reading", () => {
  test("a FIFO, a device, a socket and a folder are refused at once, also through a link", async () => {
    Bun.spawnSync(["mkfifo", `${folder}/fifo`]);
    symlinkSync("/dev/zero", `${folder}/zero`);
    symlinkSync("fifo", `${folder}/to-fifo`);
    mkdirSync(`${folder}/src`);
    writeFileSync(`${folder}/src/a.ts`, "");
    const server = createServer().listen(`${folder}/socket`);
    await new Promise((resolve) => server.once("listening", resolve));
    const kinds = await Promise.all(
      ["fifo", "to-fifo", "zero", "/dev/tty", "socket", "src"].map((path) => kindOf(workspace().readFile(path))),
    );
    server.close();
    expect(kinds).toEqual(["not-regular", "not-regular", "not-regular", "not-regular", "not-regular", "is-directory"]);
  });

  test("gives the real path, the mode, the whole size, and at most the bytes asked for", async () => {
    writeFileSync(`${folder}/a.txt`, "0123456789");
    chmodSync(`${folder}/a.txt`, 0o751);
    symlinkSync("a.txt", `${folder}/link`);
    const file = await workspace().readFile("link", { maxBytes: 4 });
    const stats = statSync(`${folder}/a.txt`);
    expect(file).toEqual({
      ok: true,
      value: {
        realPath: `${folder}/a.txt`,
        bytes: Buffer.from("0123"),
        sizeBytes: 10,
        mtimeMs: stats.mtimeMs,
        ctimeMs: stats.ctimeMs,
        mode: 0o751,
      },
    });
    const stat = await workspace().readFile("a.txt", { maxBytes: 0 });
    expect(stat.ok && [stat.value.bytes.length, stat.value.sizeBytes]).toEqual([0, 10]);
  });

  test("a file that claims to be empty is read to its end", async () => {
    const file = await workspace().readFile("/proc/self/status");
    expect(file.ok && Buffer.from(file.value.bytes).toString()).toContain("Pid:");
  });

  test("links are followed before `..`, as the kernel does", async () => {
    mkdirSync(`${folder}/elsewhere/deep`, { recursive: true });
    mkdirSync(`${folder}/project`);
    symlinkSync(`${folder}/elsewhere/deep`, `${folder}/project/out`);
    writeFileSync(`${folder}/elsewhere/a.ts`, "outer");
    writeFileSync(`${folder}/project/a.ts`, "inner");
    const file = await workspace().readFile(`${folder}/project/out/../a.ts`);
    expect(file.ok && [file.value.realPath, Buffer.from(file.value.bytes).toString()]).toEqual([
      `${folder}/elsewhere/a.ts`,
      "outer",
    ]);
  });

  test("a missing file comes with the names in the nearest folder that exists", async () => {
    mkdirSync(`${folder}/src/lib`, { recursive: true });
    writeFileSync(`${folder}/src/main.ts`, "");
    const missing = await workspace().readFile("src/gone/deeper/a.ts");
    expect(missing).toEqual({
      ok: false,
      error: {
        kind: "not-found",
        message: `${folder}/src/gone/deeper/a.ts does not exist.`,
        nearby: { folder: `${folder}/src`, entries: ["lib/", "main.ts"] },
      },
    });
  });

  test("a NUL, a circle of links and a file used as a folder are told apart", async () => {
    symlinkSync("b", `${folder}/a`);
    symlinkSync("a", `${folder}/b`);
    writeFileSync(`${folder}/file`, "");
    const kinds = ["a\0.png", "a", "file/x", "x".repeat(5000)].map((path) => kindOf(workspace().readFile(path)));
    expect(await Promise.all(kinds)).toEqual(["invalid-path", "invalid-path", "not-found", "invalid-path"]);
  });
});

describe("writing", () => {
  test("replaces the target of a link, keeps the link and the mode, and leaves nothing beside it", async () => {
    writeFileSync(`${folder}/real`, "old");
    chmodSync(`${folder}/real`, 0o640);
    symlinkSync("real", `${folder}/link`);
    const receipt = await workspace().writeFile("link", toBytes("new"));
    expect(receipt).toEqual({
      ok: true,
      value: {
        realPath: `${folder}/real`,
        sha256: sha256("new"),
        mode: 0o640,
        mtimeMs: statSync(`${folder}/real`).mtimeMs,
      },
    });
    expect([readFileSync(`${folder}/real`, "utf8"), readlinkSync(`${folder}/link`)]).toEqual(["new", "real"]);
    expect(readdirSync(folder).sort()).toEqual(["link", "real"]);
  });

  test("makes a new file below missing folders, with the mode asked for less the umask", async () => {
    await workspace().writeFile("a/b/plain", toBytes("x"));
    await workspace().writeFile("a/b/private", toBytes("x"), { mode: 0o600 });
    const umask = process.umask();
    const modes = ["plain", "private"].map((name) => statSync(`${folder}/a/b/${name}`).mode & 0o777);
    expect(modes).toEqual([0o644 & ~umask, 0o600]);
  });

  test("a link to a file that does not exist yet is followed", async () => {
    symlinkSync("later/target", `${folder}/link`);
    const receipt = await workspace().writeFile("link", toBytes("x"));
    expect(receipt.ok && receipt.value.realPath).toBe(`${folder}/later/target`);
    expect(lstatSync(`${folder}/link`).isSymbolicLink()).toBe(true);
  });

  test("another name of the same file keeps the old content: it is replaced, not written into", async () => {
    writeFileSync(`${folder}/one`, "shared");
    linkSync(`${folder}/one`, `${folder}/two`);
    await workspace().writeFile("one", toBytes("mine"));
    expect([readFileSync(`${folder}/one`, "utf8"), readFileSync(`${folder}/two`, "utf8")]).toEqual(["mine", "shared"]);
  });

  test("refuses when the content is no longer what was expected, and leaves it", async () => {
    writeFileSync(`${folder}/a`, "theirs");
    const answers = [
      kindOf(workspace().writeFile("a", toBytes("mine"), { expectedSha256: sha256("mine once") })),
      kindOf(workspace().writeFile("a", toBytes("mine"), { expectedSha256: null })),
      kindOf(workspace().writeFile("b", toBytes("mine"), { expectedSha256: sha256("gone") })),
    ];
    expect(await Promise.all(answers)).toEqual(["changed", "changed", "changed"]);
    expect([readFileSync(`${folder}/a`, "utf8"), readdirSync(folder)]).toEqual(["theirs", ["a"]]);
    expect(await kindOf(workspace().writeFile("a", toBytes("mine"), { expectedSha256: sha256("theirs") }))).toBe("ok");
    expect(await kindOf(workspace().writeFile("c", toBytes("mine"), { expectedSha256: null }))).toBe("ok");
  });

  test("refuses a folder, a FIFO, a read-only file and a bad path, whoever runs it", async () => {
    mkdirSync(`${folder}/dir`);
    Bun.spawnSync(["mkfifo", `${folder}/fifo`]);
    writeFileSync(`${folder}/locked`, "locked");
    chmodSync(`${folder}/locked`, 0o444);
    writeFileSync(`${folder}/file`, "");
    const paths = ["dir", "fifo", "locked", "file/below", "a\0b", "missing/../x"];
    const kinds = await Promise.all(paths.map((path) => kindOf(workspace().writeFile(path, toBytes("x")))));
    expect(kinds).toEqual(["is-directory", "not-regular", "read-only", "not-found", "invalid-path", "not-found"]);
    expect(readFileSync(`${folder}/locked`, "utf8")).toBe("locked");
  });
});

const room = JSON.stringify(`${import.meta.dir}/../../src/workspace/index.ts`);

describe("a write that does not end", () => {
  test("on a file system without room the old file stays, and nothing beside it", async () => {
    writeFileSync(`${folder}/a`, "old");
    writeFileSync(
      `${folder}/../${folder.split("/").at(-1)}.ts`,
      `import { createLocalWorkspace } from ${room};
       const workspace = createLocalWorkspace({ cwd: ${JSON.stringify(folder)}, env: {} });
       const answer = await workspace.writeFile("a", new Uint8Array(200_000));
       console.log(answer.ok ? "ok" : answer.error.kind);`,
    );
    const script = `${folder}.ts`;
    const child = Bun.spawn(["/bin/bash", "-c", `ulimit -f 64; exec "$0" "$1"`, process.execPath, script]);
    expect((await new Response(child.stdout).text()).trim()).toBe("full");
    rmSync(script);
    expect([readFileSync(`${folder}/a`, "utf8"), readdirSync(folder)]).toEqual(["old", ["a"]]);
  });

  test("killed at any moment, it leaves the old file or the new one, whole", async () => {
    const size = 2_000_000;
    writeFileSync(`${folder}/a`, "x".repeat(size));
    const script = `${folder}.ts`;
    writeFileSync(
      script,
      `import { createLocalWorkspace } from ${room};
       const workspace = createLocalWorkspace({ cwd: ${JSON.stringify(folder)}, env: {} });
       for (let round = 0; ; round++) {
         await workspace.writeFile("a", new Uint8Array(${size}).fill(97 + (round % 26)));
         if (round === 0) console.log("writing");
       }`,
    );
    for (const delayMs of [0, 3, 7, 12, 20]) {
      const child = Bun.spawn([process.execPath, script]);
      await child.stdout.getReader().read();
      await Bun.sleep(delayMs);
      child.kill("SIGKILL");
      await child.exited;
      const content = readFileSync(`${folder}/a`);
      expect([content.length, new Set(content).size]).toEqual([size, 1]);
    }
    rmSync(script);
  });
});
