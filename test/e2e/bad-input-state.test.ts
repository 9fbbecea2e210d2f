/**
 * A state folder that cannot be read, written or grown, for real: as an ordinary user, for whom modes count, and on a small or
 * read-only file system of its own. Where a machine allows neither, the tests say so and are skipped.
 */
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Script, sequence } from "../../src/simulator/index.ts";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { fsck, IN_ORDER, openStage, type Ran, RUN_TIMEOUT_MS, type Served, withModel } from "./stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

const works = (...command: readonly string[]): boolean => {
  try {
    return Bun.spawnSync([...command], { stdio: ["ignore", "ignore", "ignore"] }).exitCode === 0;
  } catch {
    return false; // there is no such program
  }
};

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const AS_NOBODY = `setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups --`;
/** Words before the program that make it an ordinary user's; undefined where that cannot be had. */
const ordinary = isRoot ? (works(...AS_NOBODY.split(" "), "true") ? AS_NOBODY : undefined) : "";
/** Words before shell text that give it mounts of its own, which end with it. */
const OWN_MOUNTS = ["unshare -m", "unshare -rm"].find((words) =>
  works(...words.split(" "), "sh", "-c", "mount -t tmpfs none /tmp"),
);

const hello: Script = () => ({ content: [{ type: "text", text: "Hello." }] });
/** More than the small file systems below hold. */
const long = sequence([{ content: [{ type: "text", text: "word ".repeat(40_000) }] }]);

/** One sentence for people, that names the place and a way out. */
function expectRefusal({ code, stdout, stderr }: Ran, ...words: readonly string[]): void {
  expect([code, stdout, stderr.trimEnd().split("\n").length]).toEqual([10, "", 1]);
  for (const word of words) expect(stderr).toContain(word);
}

describe.skipIf(ordinary === undefined)("for an ordinary user (needs setpriv when the tests run as root)", () => {
  /** Everything of the stage becomes theirs, and the program lies where they can run it. */
  function handOver({ root, home, state, project }: Served, khaelor: string): string {
    const copy = join(root, "khaelor");
    copyFileSync(khaelor, copy);
    mkdirSync(state, { recursive: true });
    chmodSync(root, 0o755);
    for (const path of [root, home, state, project, join(root, "tmp"), copy]) {
      if (isRoot) chownSync(path, NOBODY, NOBODY);
    }
    return copy;
  }
  const asUser = async (
    script: Script,
    work: (served: Served, ask: (text: string) => Promise<Ran>) => Promise<void>,
  ) => {
    const khaelor = await binary();
    await withModel({ script }, (served) => {
      const copy = handOver(served, khaelor);
      return work(served, (text) => served.ask([], { shell: `exec ${ordinary} ${copy} ${text}` }));
    });
  };

  test("a folder that may not be entered, or not be written, is named, and nothing is asked of the model", () =>
    asUser(hello, async ({ state, simulator, logs, stateFiles }, ask) => {
      chmodSync(state, 0o000); // already the configuration in it cannot be read, and it may hold a rule that forbids
      const closed = await ask("-p --output-format json hello");
      expect([closed.code, closed.stdout]).toEqual([2, ""]);
      expect(closed.stderr).toContain(`${join(state, "config.json")} cannot be read: EACCES`);
      chmodSync(state, 0o500);
      expectRefusal(await ask("-p --output-format json hello"), state, "KHAELOR_HOME");
      chmodSync(state, 0o700);
      expect([simulator.requests.length, logs(), stateFiles()]).toEqual([0, [], []]);
      const after = await ask("-p hello");
      expect([after.code, after.stdout, after.stderr]).toEqual([0, "Hello.\n", ""]);
    }));

  test("a state folder that is none is told by every command alike", async () => {
    const stage = await openStage({ file: "" });
    try {
      const file = join(stage.project, "file");
      symlinkSync("nowhere", join(stage.project, "link"));
      for (const home of [file, join(file, "below"), join(stage.project, "link")]) {
        for (const args of [
          ["sessions", "list"],
          ["fsck", "--all"],
          ["config", "set", "model", "m"],
          ["-p", "x"],
        ]) {
          const { code, stdout, stderr } = await stage.run(args, { env: { KHAELOR_HOME: home } });
          expect([args, code, stdout, stderr]).toEqual([args, 2, "", expect.stringContaining(`${home} is to hold`)]);
        }
      }
    } finally {
      stage.close();
    }
  });

  test("a log that may not be read, or not be written: 10, and it keeps every byte", () =>
    asUser(hello, async (served, ask) => {
      await ask("-p hello");
      const [path = ""] = served.logs();
      const before = readFileSync(path, "utf8");
      for (const mode of [0o000, 0o400]) {
        chmodSync(path, mode);
        expectRefusal(await ask("-p -c more"), path);
      }
      const shown = await ask("sessions show --json $(basename $KHAELOR_HOME/sessions/*/*.jsonl .jsonl)");
      expect([shown.code, shown.stdout]).toEqual([0, before]);
      chmodSync(path, 0o600);
      expect([served.simulator.requests.length, readFileSync(path, "utf8")]).toEqual([1, before]);
      expect(await fsck(served, path)).toMatchObject(IN_ORDER);
    }));

  test("a folder of logs that may not be written is named, and leaves no stray file", () =>
    asUser(hello, async (served, ask) => {
      await ask("-p hello");
      const [path = ""] = served.logs();
      const files = served.stateFiles();
      chmodSync(dirname(path), 0o500);
      expectRefusal(await ask("-p again"), dirname(path));
      chmodSync(dirname(path), 0o700);
      expect(served.stateFiles()).toEqual(files);
    }));
});

describe.skipIf(OWN_MOUNTS === undefined)("on a file system of its own (needs unshare and mount)", () => {
  /** Runs shell text in which the state folder is a file system that ends with it; `$KHAELOR` and the rest are as usual. */
  const mounted = async (served: Served, options: string, text: string): Promise<Ran> => {
    mkdirSync(served.state, { recursive: true });
    const script = `mount -t tmpfs -o ${options} none "$KHAELOR_HOME" || exit 99\n${text}`;
    return served.ask([], { shell: `exec ${OWN_MOUNTS} /bin/bash -c '${script}'` });
  };

  test("that fills up in the middle of an answer: 10 with a result line, and what was recorded is whole", () =>
    withModel({ script: long }, async (served) => {
      const { stdout, code } = await mounted(
        served,
        "size=128k",
        `"$KHAELOR" -p --output-format json hello; echo "code $?"
         "$KHAELOR" fsck --all --json; echo "code $?"
         find "$KHAELOR_HOME" -name "*.tmp" -o -name "*.lock"`,
      );
      const [result = "", ended, verdict = "", checked, ...stray] = stdout.trimEnd().split("\n");
      expect([code, ended, checked, stray]).toEqual([0, "code 10", "code 0", []]);
      expect(JSON.parse(result)).toMatchObject({
        type: "result",
        status: "failed",
        exit_code: 10,
        issues: [expect.stringMatching(/disk full.*free some space/)],
      });
      expect(JSON.parse(verdict)).toMatchObject({ verdict: "ok", torn_bytes: 0, damage: [] });
      expect(served.simulator.requests.length).toBe(1);
    }));

  test("that is full before anything is begun: 10, no session, nothing asked of the model", () =>
    withModel({ script: hello }, async (served) => {
      const { stdout, stderr } = await mounted(
        served,
        "size=16k",
        `head -c 16k /dev/zero >"$KHAELOR_HOME/full" 2>/dev/null
         "$KHAELOR" -p --output-format json hello; echo "code $?"
         find "$KHAELOR_HOME" -type f`,
      );
      expect(stdout).toBe(`code 10\n${join(served.state, "full")}\n`);
      expect(stderr).toMatch(/^khaelor: disk full \(ENOSPC\): could not .*free some space/);
      expect(served.simulator.requests.length).toBe(0);
    }));

  test("that is read-only: what looks at sessions works, what would write says so with 10", () =>
    withModel({ script: hello }, async (served) => {
      const { stdout, stderr } = await mounted(
        served,
        "size=4m",
        `"$KHAELOR" -p hello && mount -o remount,bind,ro "$KHAELOR_HOME" || exit 98
         "$KHAELOR" -p --output-format json again; echo "code $?"
         "$KHAELOR" -p --output-format json -c again; echo "code $?"
         "$KHAELOR" sessions list | cut -c 28-; "$KHAELOR" fsck --all; echo "code $?"`,
      );
      expect(stdout).toMatch(/^Hello\.\ncode 10\ncode 10\n[^\n]*completed +hello\n[^\n]*ok[^\n]*\ncode 0\n$/);
      const complaints = stderr.trimEnd().split("\n");
      expect(complaints).toHaveLength(2);
      for (const complaint of complaints) {
        expect(complaint).toContain("EROFS");
        expect(complaint).toContain(served.state);
        expect(complaint).toContain("KHAELOR_HOME");
      }
      expect(served.simulator.requests.length).toBe(1);
      expect(existsSync(join(served.state, "sessions"))).toBe(false); // the file system was the shell's own
    }));
});
