/** Background processes on the real machine: their output, their input, how they end, and that nothing of them stays. */
import { describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { type BackgroundProcess, createLocalWorkspace, type LocalWorkspace } from "../../src/workspace/index.ts";

interface Running {
  readonly process: BackgroundProcess;
  text(): string;
  /** Resolves as soon as the output so far holds these words. */
  says(words: string): Promise<void>;
}

async function inFolder(work: (workspace: LocalWorkspace, folder: string) => Promise<void>): Promise<void> {
  const folder = realpathSync(mkdtempSync(`${tmpdir()}/khaelor-processes-`));
  const workspace = createLocalWorkspace({ cwd: folder, env: process.env });
  try {
    await work(workspace, folder);
  } finally {
    await workspace.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function start(workspace: LocalWorkspace, command: string): Promise<Running> {
  const decoder = new TextDecoder();
  const waiting = new Map<string, () => void>();
  let text = "";
  const onOutput = (chunk: Uint8Array) => {
    text += decoder.decode(chunk, { stream: true });
    for (const [words, found] of waiting) if (text.includes(words)) found();
  };
  const started = await workspace.spawn({ command, onOutput });
  if (!started.ok) throw new Error(started.error.message);
  const says = (words: string) =>
    new Promise<void>((resolve) => {
      if (text.includes(words)) return resolve();
      waiting.set(words, resolve);
    });
  return { process: started.value, text: () => text, says };
}

const lives = (pid: number): boolean => {
  try {
    const [, state] = /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    return state !== "Z";
  } catch {
    return false;
  }
};

/** What each open descriptor of this process leads to. */
const descriptors = (): readonly string[] =>
  readdirSync("/proc/self/fd")
    .flatMap((fd) => {
      try {
        return [`${fd} ${readlinkSync(`/proc/self/fd/${fd}`)}`];
      } catch {
        return []; // the one that listed the folder
      }
    })
    .sort();

/** Descriptors that were not there before. The runtime closes its copy of a pipe in a thread of its own, a moment later. */
async function newDescriptors(before: readonly string[]): Promise<readonly string[]> {
  const added = () => descriptors().filter((descriptor) => !before.includes(descriptor));
  for (let look = 0; look < 50_000 && added().length > 0; look++) await new Promise(setImmediate);
  return added();
}

describe("a background process", () => {
  test("tells its output in order and its exit once", async () => {
    await inFolder(async (workspace, folder) => {
      const { process, text } = await start(workspace, "echo out; echo err >&2; echo x > /dev/stdout; pwd; exit 3");
      const exit = await process.exited;
      expect({ ...exit, durationMs: 0 }).toEqual({ exitCode: 3, signal: null, durationMs: 0 });
      expect(text()).toBe(`out\nerr\nx\n${folder}\n`);
      expect(lives(process.pid)).toBe(false);
    });
  });

  test("reads what is written, as lines and as a device, until its input ends", async () => {
    await inFolder(async (workspace) => {
      const { process, says, text } = await start(
        workspace,
        "read -r name; echo hello $name; cat /dev/stdin; echo end",
      );
      expect(process.write(Buffer.from("wörld\n"))).toEqual({ ok: true, value: 7 });
      await says("hello wörld");
      process.write(Buffer.from("rest\n"));
      process.endInput();
      expect(process.write(Buffer.from("late"))).toEqual({ ok: false, error: "closed" });
      expect(await process.exited).toMatchObject({ exitCode: 0, signal: null });
      expect(text()).toBe("hello wörld\nrest\nend\n");
    });
  });

  test("takes no more input than it has room for, and never blocks the program", async () => {
    await inFolder(async (workspace) => {
      const { process } = await start(workspace, "sleep 300.71");
      const taken = process.write(new Uint8Array(1_000_000).fill(97));
      expect(taken.ok && taken.value).toBe(65_536);
      expect(process.write(Buffer.from("more"))).toEqual({ ok: true, value: 0 });
      await process.stop();
      expect(process.write(Buffer.from("more"))).toEqual({ ok: false, error: "closed" });
    });
  });

  test("is told when nobody reads its input any more", async () => {
    await inFolder(async (workspace) => {
      const { process, says } = await start(workspace, "exec 0<&-; echo closed; sleep 300.72");
      await says("closed");
      expect(process.write(Buffer.from("x"))).toEqual({ ok: false, error: "closed" });
      await process.stop();
    });
  });

  test("is stopped with all that it started, also what ignores TERM", async () => {
    await inFolder(async (workspace) => {
      const command = "trap '' TERM; for n in $(seq 50); do sleep 300.73 & echo $!; done; echo all; wait; sleep 300.74";
      const { process, says, text } = await start(workspace, command);
      await says("all\n");
      await Promise.all([process.stop(), process.stop()]);
      expect({ ...(await process.exited), durationMs: 0 }).toEqual({
        exitCode: null,
        signal: "SIGKILL",
        durationMs: 0,
      });
      const children = text().split("\n").slice(0, 50).map(Number);
      expect([process.pid, ...children].filter(lives)).toEqual([]);
    });
  });

  test("counts as running while what its shell left behind holds the output", async () => {
    await inFolder(async (workspace, folder) => {
      const command = "(until [ -e go ]; do sleep 0.02; done; echo late) & echo early";
      const { process, says, text } = await start(workspace, command);
      await says("early");
      writeFileSync(`${folder}/go`, "");
      expect(await process.exited).toMatchObject({ exitCode: 0, signal: null });
      expect(text()).toBe("early\nlate\n");
    });
  });

  test("leaves nobody waiting for one that left its group and holds the output", async () => {
    await inFolder(async (workspace) => {
      const { process, says, text } = await start(workspace, "setsid sleep 30.75 & echo $!");
      await says("\n");
      expect(await process.exited).toMatchObject({ exitCode: 0 });
      globalThis.process.kill(Number(text()), "SIGKILL");
    });
  });

  test("says why it could not be started", async () => {
    await inFolder(async (workspace, folder) => {
      const refused = await workspace.spawn({ command: "true", cwd: "missing", onOutput: () => {} });
      expect(refused).toEqual({
        ok: false,
        error: {
          kind: "no-such-directory",
          message: `The directory ${folder}/missing does not exist, so nothing can run in it.`,
        },
      });
    });
  });

  test("that floods is slowed down, and costs no memory", async () => {
    await inFolder(async (workspace) => {
      const enough = Promise.withResolvers<void>();
      let bytes = 0;
      const onOutput = (chunk: Uint8Array) => {
        bytes += chunk.length;
        if (bytes > 5_000_000) enough.resolve();
      };
      const started = await workspace.spawn({ command: "yes", onOutput });
      if (!started.ok) throw new Error(started.error.message);
      await enough.promise;
      await started.value.stop();
      expect(bytes).toBeLessThan(50_000_000);
    });
  });

  test("leaves no descriptor and no process behind, whichever way it ended", async () => {
    await inFolder(async (workspace) => {
      const first = await start(workspace, "true"); // the watchdog's own pipe is there from now on
      await first.process.exited;
      const before = descriptors();
      for (const command of ["true", "exit 9", "kill -9 $$", "sleep 300.76", "cat"]) {
        const { process } = await start(workspace, command);
        if (command.startsWith("sleep")) await process.stop();
        if (command === "cat") process.endInput();
        await process.exited;
      }
      await workspace.spawn({ command: "true", cwd: "missing", onOutput: () => {} });
      expect(await newDescriptors(before)).toEqual([]);
    });
  });

  test("ends with the workspace", async () => {
    await inFolder(async (workspace) => {
      const { process } = await start(workspace, "sleep 300.77");
      await workspace.close();
      expect(lives(process.pid)).toBe(false);
      expect(await process.exited).toMatchObject({ exitCode: null, signal: "SIGTERM" });
    });
  });
});
