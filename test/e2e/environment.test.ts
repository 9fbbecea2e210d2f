/**
 * What lies around a session and is not its own: a second program, a state folder on another or a poorer file system, one that
 * goes away. The model is the obedient one; the program is the compiled one.
 */
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { obedientModel } from "../support/obedient-model.ts";
import { descendants, survivors } from "./processes.ts";
import { fsck, IN_ORDER, linesOf, type Ran, RUN_TIMEOUT_MS, type Running, type Served, withModel } from "./stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

const withSession = (work: (served: Served, log: string, id: string) => Promise<void>) =>
  withModel({ script: obedientModel }, async (served) => {
    await served.ask(["-p", "say first"]);
    const [log = ""] = served.logs();
    await work(served, log, basename(log, ".jsonl"));
    expect(served.simulator.refusals).toEqual([]);
    expect(await fsck(served, log)).toMatchObject(IN_ORDER);
  });

/** A run whose command waits for a file that nobody has made yet: it holds its session for as long as the test wants. */
async function holding(
  served: Served,
  args: readonly string[],
): Promise<{ readonly run: Running; release(): Promise<Ran> }> {
  const [begun, go] = [join(served.root, "begun"), join(served.root, "go")];
  const command = `run : > ${begun}; until [ -e ${go} ]; do sleep 0.05; done\nsay held`;
  const run = served.begin(["-p", "--yolo", ...args, command]);
  while (!existsSync(begun)) await Bun.sleep(5);
  return {
    run,
    release() {
      Bun.write(go, "");
      return run.done;
    },
  };
}

const refusal = ({ code, stdout, stderr }: Ran) => [code, stdout, stderr.trimEnd().split("\n").length];

describe("a second program", () => {
  test("is refused while the first one works, waits or stands still, and may look and fork", () =>
    withSession(async (served, log, id) => {
      const { run, release } = await holding(served, ["--resume", id]);
      const attempts = [
        ["-p", "-c", "x"],
        ["-p", "--resume", id, "x"],
        ["sessions", "rename", id, "other"],
      ];
      for (const args of attempts) {
        const tried = await served.ask(args);
        expect([args, ...refusal(tried)]).toEqual([args, 10, "", 1]);
        expect(tried.stderr).toContain(`is open in another khaelor (process ${run.pid}`);
        expect(tried.stderr).toContain(`--fork ${id}`);
      }
      run.kill("SIGSTOP");
      expect(refusal(await served.ask(["-p", "-c", "x"]))).toEqual([10, "", 1]);
      run.kill("SIGCONT");
      const kept = await served.run(["sessions", "delete", id, "--yes"]);
      const pruned = await served.run(["sessions", "prune", "--days", "0", "--yes"]);
      expect([kept.code, pruned.code, existsSync(log)]).toEqual([10, 0, true]);
      expect([kept.stderr, pruned.stderr]).toEqual([
        expect.stringContaining("nothing of it is removed"),
        expect.stringContaining("nothing of it is removed"),
      ]);
      const forked = await served.ask(["-p", "--fork", id, "say forked"]);
      expect([forked.code, forked.stdout]).toEqual([0, "forked\n"]);
      const held = await release();
      expect([held.code, held.stdout]).toEqual([0, "held\n"]);
    }));

  test("started in the same moment: one goes on, the other is told, twenty times", () =>
    withSession(async (served, log) => {
      for (let round = 0; round < 20; round++) {
        const words = [`a${round}`, `b${round}`];
        const both = await Promise.all(words.map((word) => served.ask(["-p", "-c", `say ${word}`])));
        const answered = words.filter((_, at) => both[at]?.code === 0);
        const said = linesOf(readFileSync(log, "utf8")).map(({ payload }) => payload.text);
        expect(both.map(({ code, stdout }) => [code, stdout])).toEqual(
          words.map((word) => (answered.includes(word) ? [0, `${word}\n`] : [10, ""])),
        );
        expect([answered.length > 0, words.filter((word) => said.includes(word))]).toEqual([true, answered]);
      }
    }));

  test("may begin a session of its own in the same moment", () =>
    withSession(async (served) => {
      const both = await Promise.all(["one", "two"].map((word) => served.ask(["-p", `say ${word}`])));
      expect(both.map(({ code, stdout }) => [code, stdout])).toEqual([
        [0, "one\n"],
        [0, "two\n"],
      ]);
      expect(served.logs().length).toBe(3);
    }));

  test("takes over at once from one that was killed", () =>
    withSession(async (served) => {
      const { run } = await holding(served, ["-c"]);
      run.kill("SIGKILL");
      await run.done;
      const next = await served.ask(["-p", "-c", "say mine"]);
      expect([next.code, next.stdout]).toEqual([0, "mine\n"]);
    }));
});

describe("a log that goes away or changes under a run", () => {
  const outcomes: readonly (readonly [string, (log: string) => string, RegExp])[] = [
    [
      "removed with the state folder",
      (log) => `rm -rf ${join(log, "../../..")}`,
      /deleted or replaced by another program/,
    ],
    ["replaced", (log) => `cp ${log} ${log}.x && mv ${log}.x ${log}`, /deleted or replaced by another program/],
    ["written to", (log) => `echo >> ${log}`, /changed from \d+ to \d+ bytes by another program/],
    ["emptied", (log) => `: > ${log}`, /changed from \d+ to 0 bytes by another program/],
  ];
  test.each(outcomes)("%s: 10, with the reason, no success, and no child left", (_name, harm, why) =>
    withModel({ script: obedientModel }, async (served) => {
      await served.ask(["-p", "say first"]);
      const [log = ""] = served.logs();
      const { run, release } = await holding(served, ["-c", "--output-format", "json"]);
      const children = descendants(run.pid);
      expect(children.length).toBeGreaterThan(0);
      await Bun.$`sh -c ${harm(log)}`.quiet();
      const { code, stdout, stderr } = await release();
      const result = JSON.parse(stdout);
      expect([code, stderr]).toEqual([10, ""]);
      expect(result).toMatchObject({
        status: "failed",
        exit_code: 10,
        verified: false,
        issues: [expect.stringMatching(why)],
      });
      expect(await survivors(children)).toEqual([]);
      const after = await served.ask(["-p", "say after"]);
      expect([after.code, after.stdout]).toEqual([0, "after\n"]);
    }),
  );
});

/** A file system that is not the project's; undefined on a machine without one. */
function otherFileSystem(): string | undefined {
  const shared = statSync("/dev/shm", { throwIfNoEntry: false });
  return shared?.isDirectory() && shared.dev !== statSync(tmpdir()).dev ? "/dev/shm" : undefined;
}

test.skipIf(otherFileSystem() === undefined)(
  "a state folder on another file system than the project and TMPDIR, with blanks in its name (needs /dev/shm)",
  async () => {
    const folder = mkdtempSync(join(otherFileSystem() ?? "", "khaelor other home "));
    try {
      await withModel({ script: obedientModel, files: { "a.txt": "one\n" } }, async (served) => {
        const env = { KHAELOR_HOME: join(folder, "state") };
        const orders = "read a.txt\nedit a.txt one => two\nrun seq 100000\nsay all done";
        const worked = await served.ask(["-p", "--yolo", orders], { env });
        expect([worked.code, worked.stdout]).toEqual([expect.any(Number), "all done\n"]);
        expect([worked.code === 0 || worked.code === 6, readFileSync(join(served.project, "a.txt"), "utf8")]).toEqual([
          true,
          "two\n",
        ]);
        const forked = await served.run(["fork"], { env });
        const [log = ""] = readdirSync(join(env.KHAELOR_HOME, "sessions"), {
          recursive: true,
          encoding: "utf8",
        }).filter((name) => name.endsWith(`${forked.stdout.trim()}.jsonl`));
        appendFileSync(join(env.KHAELOR_HOME, "sessions", log), '{"v":1,"id":"torn');
        const resumed = await served.ask(["-p", "--resume", forked.stdout.trim(), "say resumed"], { env });
        expect([forked.code, resumed.code, resumed.stdout]).toEqual([0, 0, "resumed\n"]);
        const listed = await served.ask(["models"], { env });
        expect([listed.code, existsSync(join(env.KHAELOR_HOME, "cache", "models.json"))]).toEqual([0, true]);
        expect((await served.run(["config", "set", "model", "claude-opus-5-5"], { env })).code).toBe(0);
        const checked = await served.run(["fsck", "--all", "--json"], { env });
        expect([checked.code, checked.stdout.trimEnd().split("\n").length]).toEqual([0, 2]);
        const pruned = await served.run(["sessions", "prune", "--days", "0", "--yes"], { env });
        expect([pruned.code, pruned.stderr]).toEqual([0, expect.stringMatching(/^Removed 2 sessions/)]);
        expect([existsSync(served.state), served.simulator.refusals]).toEqual([false, []]);
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

const hasStrace =
  Bun.which("strace") !== null && Bun.spawnSync(["strace", "-qq", "-o", "/dev/null", "true"]).exitCode === 0;

describe.skipIf(!hasStrace)("a file system that cannot do everything (needs strace)", () => {
  /** Runs the program with a system call that answers as such a file system does. */
  const poor = (served: Served, calls: string, error: string, args: readonly string[]) =>
    served.ask(args, {
      shell: `exec strace -f -qq -o /dev/null -e trace=${calls} -e inject=${calls}:error=${error} "$KHAELOR" "$@"`,
    });

  test("no flush of folders, no second names: everything works", () =>
    withSession(async (served, _log, id) => {
      const ran = await poor(served, "fsync", "EINVAL", ["-p", "--yolo", "run echo hello\nsay done"]);
      expect([ran.code, ran.stdout, ran.stderr]).toEqual([0, "done\n", ""]);
      const forked = await poor(served, "link,linkat", "EPERM", ["fork", id]);
      expect([forked.code, forked.stderr]).toEqual([0, ""]);
      const log = served.logs().find((path) => path.includes(forked.stdout.trim())) ?? "";
      expect(await fsck(served, log)).toMatchObject(IN_ORDER);
      expect(served.stateFiles().filter(({ path }) => path.endsWith(".tmp"))).toEqual([]);
    }));

  test("no locks: whoever holds a session is found by its note, also by what removes sessions", () =>
    withSession(async (served, log, id) => {
      const { run, release } = await holding(served, ["-c"]);
      const second = await poor(served, "flock", "EOPNOTSUPP", ["-p", "-c", "x"]);
      expect([...refusal(second), second.stderr]).toEqual([10, "", 1, expect.stringContaining(`(process ${run.pid}`)]);
      expect(second.stderr).toContain(log.replace(".jsonl", ".lock"));
      const kept = await poor(served, "flock", "EOPNOTSUPP", ["sessions", "delete", id, "--yes"]);
      expect([kept.code, existsSync(log)]).toEqual([10, true]);
      expect((await release()).code).toBe(0);
      const alone = await poor(served, "flock", "EOPNOTSUPP", ["-p", "-c", "say alone"]);
      expect([alone.code, alone.stdout]).toEqual([0, "alone\n"]);
    }));

  test("a disk that breaks: 10, and what to do", () =>
    withSession(async (served) => {
      const broken = await poor(served, "fdatasync", "EIO", ["-p", "--output-format", "json", "-c", "say x"]);
      expect([broken.code, broken.stdout + broken.stderr]).toEqual([
        10,
        expect.stringMatching(/EIO.*Check the disk.*fsck/),
      ]);
      const after = await served.ask(["-p", "-c", "say well again"]);
      expect([after.code, after.stdout]).toEqual([0, "well again\n"]);
    }));
});
