/** A search keeps its bounds, stops when it is told, and is one program without a shell. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileMap, placeAt, type SearchPorts, search } from "../../src/repository/index.ts";
import { createLocalWorkspace, createRipgrep, type LocalWorkspace } from "../../src/workspace/index.ts";

let folder = "";
let workspace: LocalWorkspace;
let ports: SearchPorts;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "khaelor-search-")));
  workspace = createLocalWorkspace({ cwd: folder, env: { HOME: folder, PATH: process.env.PATH }, watchdog: false });
  ports = { workspace, ripgrep: createRipgrep({ cacheFolder: join(folder, "cache") }), projectRoot: folder };
});
afterEach(async () => {
  await workspace.close();
  rmSync(folder, { recursive: true, force: true });
});

const { signal: never } = new AbortController();
const here = () => ({ root: folder, isFolder: true });
const mayShow = () => true;

/** An ignore file at which ripgrep waits, because it is a pipe that nobody writes to. Resolves once ripgrep has opened it. */
function block(): { readonly reached: Promise<unknown>; free(): void } {
  Bun.spawnSync(["mkfifo", join(folder, ".gitignore")]);
  const script = "exec 3>.gitignore; echo reached; read -r forever";
  const holder = Bun.spawn(["/bin/sh", "-c", script], { cwd: folder, stdin: "pipe", stdout: "pipe" });
  return { reached: holder.stdout.getReader().read(), free: () => holder.kill("SIGKILL") };
}

test("an interrupt ends it while it waits", async () => {
  writeFileSync(join(folder, "a"), "hit\n");
  const { reached, free } = block();
  const abort = new AbortController();
  const found = search(ports, { place: here(), pattern: "hit", want: "files", mayShow, signal: abort.signal });
  await reached;
  abort.abort();
  expect(await found).toEqual({ ok: false, error: { kind: "cancelled", message: "The search was interrupted." } });
  free();
});

test("the time limit ends it, and what was found until then counts", async () => {
  const { free } = block();
  const limited = { ...ports, timeLimitMs: 300 };
  const query = { place: here(), pattern: "hit", want: "files", mayShow, signal: never } as const;
  expect(await search(limited, query)).toEqual({ ok: true, value: { files: [], end: "time", unreadable: false } });
  free();
});

test("a flood of matches is stopped at its size, and counted as far as it was seen", async () => {
  writeFileSync(join(folder, "a"), "a\n".repeat(400_000));
  const query = { place: here(), pattern: "a", want: "lines", mayShow, signal: never } as const;
  const found = await search(ports, query);
  const [file] = found.ok ? found.value.files : [];
  expect([found.ok && found.value.end, (file?.matches ?? 0) > 100_000, (file?.matches ?? 0) < 400_000]).toEqual([
    "size",
    true,
    true,
  ]);
});

test("the file map is bounded, by path or by time, and says how many there are", async () => {
  for (const name of ["b", "a", "c"]) writeFileSync(join(folder, name), "");
  const query = { place: here(), order: "path", maxFiles: 2, mayShow, signal: never } as const;
  expect(await fileMap(ports, query)).toEqual({
    ok: true,
    value: { files: [join(folder, "a"), join(folder, "b")], total: 3, end: "complete", unreadable: false },
  });
  const shown = await fileMap(ports, { ...query, mayShow: (path) => !path.endsWith("/a") });
  expect(shown).toMatchObject({ value: { files: [join(folder, "b"), join(folder, "c")], total: 2 } });
});

test("a search begins at a folder or a file; what is neither, or is not there, is told", async () => {
  mkdirSync(join(folder, "sub"));
  writeFileSync(join(folder, "sub/a"), "hit\n");
  expect(await placeAt(workspace, join(folder, "sub"))).toEqual({
    ok: true,
    value: { root: join(folder, "sub"), isFolder: true },
  });
  expect(await placeAt(workspace, join(folder, "sub/a"))).toMatchObject({ value: { isFolder: false } });
  expect(await placeAt(workspace, join(folder, "none"))).toMatchObject({ error: { kind: "not-found" } });
  expect(await placeAt(workspace, "/dev/zero")).toMatchObject({ error: { kind: "not-regular" } });
});

test("without ripgrep there is a reason and no search", async () => {
  const ripgrep = { program: async () => ({ ok: false as const, error: "There is none." }) };
  const query = { place: here(), pattern: "a", want: "files", mayShow, signal: never } as const;
  expect(await search({ ...ports, ripgrep }, query)).toEqual({
    ok: false,
    error: { kind: "unavailable", message: "There is none." },
  });
});

test("a program is run by its words, without a shell", async () => {
  const words = ["/bin/echo", "$HOME", "a b", "`x`", "'"] as const;
  const ran = await workspace.exec({ command: words, timeoutMs: 5000 });
  expect(ran.ok && new TextDecoder().decode(ran.value.head)).toBe("$HOME a b `x` '\n");
  const missing = await workspace.exec({ command: [join(folder, "nothing")], timeoutMs: 5000 });
  expect(missing).toMatchObject({ ok: false, error: { kind: "io" } });
  const nul = await workspace.exec({ command: ["/bin/echo", "a\0b"], timeoutMs: 5000 });
  expect(nul).toMatchObject({ ok: false, error: { kind: "io" } });
});
