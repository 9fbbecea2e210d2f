/** Commands as the workspace runs them: what comes back, what is left behind, and what it costs. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import fc from "fast-check";
import { createLocalWorkspace, type LocalWorkspace, type ProcessResult } from "../../src/workspace/index.ts";
import { createOutputSink } from "../../src/workspace/output.ts";

let folder = "";
let workspace: LocalWorkspace;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(`${tmpdir()}/khaelor-exec-`));
  workspace = createLocalWorkspace({ cwd: folder, env: process.env });
});
afterAll(async () => {
  await workspace.close();
  rmSync(folder, { recursive: true, force: true });
});

async function run(command: string, more: Partial<Parameters<LocalWorkspace["exec"]>[0]> = {}): Promise<ProcessResult> {
  const ran = await workspace.exec({ command, timeoutMs: 10_000, ...more });
  if (!ran.ok) throw new Error(ran.error.message);
  return ran.value;
}
const text = ({ head }: ProcessResult): string => Buffer.from(head).toString();

describe("a command", () => {
  test("gives stdout and stderr in the order written, and its exit code", async () => {
    const ran = await run("echo a; echo b >&2; echo c; exit 3");
    expect({ ...ran, head: text(ran), durationMs: 0 }).toEqual({
      exitCode: 3,
      signal: null,
      ended: "exited",
      head: "a\nb\nc\n",
      tail: new Uint8Array(),
      omittedBytes: 0,
      totalBytes: 6,
      durationMs: 0,
    });
  });

  test("can open its output by name", async () => {
    expect(text(await run("echo x > /dev/stdout; echo y | tee /dev/stderr"))).toBe("x\ny\ny\n");
  });

  test("has a session of its own, no terminal, no input, and the default signals", async () => {
    const ran = await run(
      `[ -t 0 ] || [ -t 1 ] || echo none; (: < /dev/tty) 2>/dev/null || echo no-tty; yes | head -1; echo \${PIPESTATUS[0]}`,
    );
    expect(text(ran)).toBe("none\nno-tty\ny\n141\n");
  });

  test("sees the user's environment less the agent's secrets and switches", async () => {
    const own = createLocalWorkspace({
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        MINE: "kept",
        ANTHROPIC_API_KEY: "secret",
        ANTHROPIC_BASE_URL: "http://x",
        BUN_OPTIONS: "--smol",
        BUN_INSTALL: "/home/me/.bun",
        KHAELOR_HOME: "/k",
        KHAELOR_PASSED: "by name",
        PAGER: "less",
      },
      passEnv: ["KHAELOR_PASSED"],
      watchdog: false,
    });
    const ran = await own.exec({ command: "env | sort", timeoutMs: 5000, env: { EXTRA: "1" } });
    const names = ["_", "PWD", "OLDPWD", "SHLVL", "PATH"];
    const seen = ran.ok
      ? text(ran.value)
          .trim()
          .split("\n")
          .filter((line) => !names.includes(line.split("=")[0] ?? ""))
      : [];
    expect(seen).toEqual([
      "BUN_INSTALL=/home/me/.bun",
      "EXTRA=1",
      "GIT_CONFIG_COUNT=1",
      "GIT_CONFIG_KEY_0=safe.bareRepository",
      "GIT_CONFIG_VALUE_0=explicit",
      "GIT_OPTIONAL_LOCKS=0",
      "GIT_PAGER=cat",
      "GIT_TERMINAL_PROMPT=0",
      "KHAELOR_PASSED=by name",
      "MINE=kept",
      "PAGER=cat",
      "TERM=dumb",
    ]);
  });

  test("in a missing folder, and too long a command, are refused by name", async () => {
    const missing = await workspace.exec({ command: "pwd", cwd: "/nonexistent-7291", timeoutMs: 1000 });
    expect(missing).toEqual({
      ok: false,
      error: {
        kind: "no-such-directory",
        message: "The directory /nonexistent-7291 does not exist, so nothing can run in it.",
      },
    });
    const long = await workspace.exec({ command: `: ${"x".repeat(5_000_000)}`, timeoutMs: 1000 });
    expect(!long.ok && long.error.kind).toBe("too-long");
  });

  test("longer than an argument may be runs all the same, and leaves no file", async () => {
    const ran = await run(`echo "$0"; wc -c <<'EOF'\n${"y".repeat(300_000)}\nEOF`);
    const [file = "", count] = text(ran).split("\n");
    expect([Number(count), file.startsWith(tmpdir()), existsSync(file)]).toEqual([300_001, true, false]);
  });

  test("does not start when the signal has fired already", async () => {
    const ran = await run("touch started", { signal: AbortSignal.abort() });
    expect([ran.ended, ran.exitCode, readdirSync(folder).includes("started")]).toEqual(["cancelled", null, false]);
  });

  test("loses nothing of what it wrote, however slowly it is taken", async () => {
    const slowly = () => {
      const until = performance.now() + 200;
      while (performance.now() < until);
    };
    const ran = await run("head -c 300000 /dev/zero; sleep 30.41 & exit 0", { onOutput: slowly });
    expect(ran.totalBytes).toBe(300_000);
  });

  test.each([
    ["the shell itself", "trap '' TERM; echo $$; while :; do sleep 0.05; done"],
    ["a child in the background", "(trap '' TERM; while :; do sleep 0.05; done) & echo $!; wait"],
  ])("is killed at its limit even if %s ignores TERM", async (_who, command) => {
    const ran = await run(command, { timeoutMs: 300 });
    expect(ran).toMatchObject({ ended: "timeout", exitCode: null });
    await waitForEndOf(Number(text(ran)));
    expect(isAlive(Number(text(ran)))).toBe(false);
  });
});

describe("a flood", () => {
  test("is counted exactly, kept at both ends and spilled up to the limit", async () => {
    const spillFile = `${folder}/spill/flood`;
    const ran = await run("head -c 400000000 /dev/zero; echo end", {
      spillFile,
      maxSpillBytes: 1_000_000,
      timeoutMs: 60_000,
    });
    const { head, tail, ...counts } = ran;
    expect({ ...counts, durationMs: 0 }).toEqual({
      exitCode: 0,
      signal: null,
      ended: "exited",
      omittedBytes: 400_000_004 - 256 * 1024,
      totalBytes: 400_000_004,
      spillFile,
      spillError: "only the first 1000000 bytes were kept",
      durationMs: 0,
    });
    expect([head.length, Buffer.from(tail).subarray(-4).toString()]).toEqual([128 * 1024, "end\n"] as never);
    expect([statSync(spillFile).size, statSync(spillFile).mode & 0o777]).toEqual([1_000_000, 0o600]);
  }, 60_000);

  test("costs little memory, in a process of its own", () => {
    const driver = Bun.spawnSync([process.execPath, `${import.meta.dir}/fixtures/flood.ts`], { stdin: "ignore" });
    const { totalBytes, peakBytes } = JSON.parse(driver.stdout.toString());
    expect(totalBytes).toBe(400_000_004);
    expect(peakBytes).toBeLessThan(200_000_000); // less than half of what went through
  }, 60_000);

  test("lets the loop breathe", async () => {
    let ticks = 0;
    const ticking = setInterval(() => ticks++, 10);
    const ran = await run("yes", { timeoutMs: 1000 });
    clearInterval(ticking);
    expect(ran.ended).toBe("timeout");
    expect(ticks).toBeGreaterThan(5);
  });

  test("of any shape keeps the first and last bytes and spills all", () => {
    const shape = fc.record({
      chunks: fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 }),
      maxBytes: fc.integer({ min: 0, max: 120 }),
    });
    fc.assert(
      fc.property(shape, ({ chunks, maxBytes }) => {
        const spillFile = `${folder}/spill/property`;
        const sink = createOutputSink({ maxBytes, spillFile, maxSpillBytes: 10_000 });
        for (const chunk of chunks) sink.write(chunk);
        const all = Buffer.concat(chunks);
        const kept = sink.finish();
        if (all.length <= maxBytes) {
          expect([Buffer.from(kept.head), kept.tail.length, kept.omittedBytes]).toEqual([all, 0, 0]);
          return;
        }
        const tailBytes = Math.floor(maxBytes / 2);
        expect(Buffer.from(kept.head)).toEqual(all.subarray(0, Math.ceil(maxBytes / 2)));
        expect(Buffer.from(kept.tail)).toEqual(all.subarray(all.length - tailBytes));
        expect([kept.totalBytes, kept.omittedBytes]).toEqual([all.length, all.length - maxBytes]);
        expect(readFileSync(spillFile)).toEqual(all);
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});

const openFiles = (): number => readdirSync("/proc/self/fd").length;

describe("afterwards", () => {
  test("no descriptor is left open by fifty commands", async () => {
    await run("true");
    const before = openFiles();
    for (let round = 0; round < 50; round++) await run(round % 10 === 0 ? "sleep 30.42 & echo x" : "echo x");
    // Other tests of this process come and go; a leak would be fifty.
    expect(openFiles()).toBeLessThan(before + 10);
  }, 30_000);

  test("closing ends what commands have left running, and the watchdog", async () => {
    const own = createLocalWorkspace({ cwd: folder, env: process.env });
    const ran = await own.exec({ command: "trap '' TERM; sleep 30.43 & echo $!", timeoutMs: 5000 });
    const pid = Number(ran.ok && text(ran.value));
    const children = childrenOfThisProcess();
    expect(isAlive(pid)).toBe(true);
    await own.close();
    await own.close();
    expect(childrenOfThisProcess().length).toBe(children.length - 1);
    await waitForEndOf(pid);
    expect(isAlive(pid)).toBe(false);
  });

  test("what was still being prepared does not begin any more", async () => {
    const own = createLocalWorkspace({ cwd: folder, env: process.env });
    const before = childrenOfThisProcess();
    const started = own.spawn({ command: "cat", onOutput() {} });
    await own.close();
    const ran = own.exec({ command: "true", timeoutMs: 5000 });
    const message = "The shell could not be started: the session was closed";
    const refused = { ok: false, error: { kind: "io", message } };
    expect([await ran, await started]).toEqual([refused, refused] as never);
    expect(childrenOfThisProcess()).toEqual(before);
  });
});

/** A zombie that nobody has collected yet counts as gone. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false; // No such process.
  }
}

/** The signal has been sent; dying takes the system a moment more. */
async function waitForEndOf(pid: number): Promise<void> {
  const until = performance.now() + 5000;
  while (isAlive(pid) && performance.now() < until) await Bun.sleep(10);
}

function childrenOfThisProcess(): readonly string[] {
  const threads = readdirSync("/proc/self/task");
  return threads.flatMap((id) => readFileSync(`/proc/self/task/${id}/children`, "utf8").split(" ").filter(Boolean));
}
