/**
 * The disk of the state folder fills up while a command of the turn runs: as it is seen on the screen, in lines and by a script.
 * Then there is room again, and the same session is finished. The folder is a file system of its own that ends with the shell
 * in which everything happens. And the folder goes away altogether.
 */
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { obedientModel } from "../support/obedient-model.ts";
import { RUN_TIMEOUT_MS, type Served, withModel } from "./stage.ts";
import { withTerminal } from "./terminal-stage.ts";

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

/** Words before shell text that give it mounts of its own, which end with it. */
const OWN_MOUNTS = ["unshare -m", "unshare -rm"].find((words) =>
  works(...words.split(" "), "sh", "-c", "mount -t tmpfs none /tmp"),
);

const TOLD = /disk full \(ENOSPC\): could not write [\s\S]*free\s+some\s+space/;

/** In the shell: the run, its exit code, then the mending, the check and the resume, with a line each. */
function scene({ root, state }: Served, run: string): string {
  const script = join(root, "scene.sh");
  mkdirSync(state, { recursive: true });
  writeFileSync(
    script,
    `mount -t tmpfs -o size=512k none "$KHAELOR_HOME" || exit 99
(until [ -e ${root}/strike ]; do sleep 0.05; done; head -c 9m /dev/zero >"$KHAELOR_HOME/full"; : >${root}/struck) 2>/dev/null &
${run}
echo "code $?"
rm "$KHAELOR_HOME/full"
"$KHAELOR" fsck --all >/dev/null; echo "fsck $?"
"$KHAELOR" -p --yolo -c; echo "resumed $?"
find "$KHAELOR_HOME" -name "*.tmp" -o -name "*.lock"
echo over
`,
  );
  return `exec ${OWN_MOUNTS} /bin/bash ${script}`;
}

describe.skipIf(OWN_MOUNTS === undefined)(
  "a state folder that fills up in the middle of a turn (needs unshare and mount)",
  () => {
    /** A command of the model's waits for it; it may not do it itself. */
    const orders = (root: string) => [
      `run : >${root}/strike; until [ -e ${root}/struck ]; do sleep 0.05; done`,
      "say finished",
    ];

    test.each(["text", "json", "stream-json"])("-p --output-format %s", (format) =>
      withModel({ script: obedientModel }, async (served) => {
        const order = join(served.root, "order");
        writeFileSync(order, orders(served.root).join("\n"));
        const run = `"$KHAELOR" -p --yolo --output-format ${format} <${order}`;
        const { stdout, stderr } = await served.ask([], { shell: scene(served, run) });
        const [before = "", after = ""] = stdout.split(/^code 10$/m);
        expect(after).toBe("\nfsck 0\nfinished\nresumed 0\nover\n");
        expect(format === "text" ? stderr : before).toMatch(TOLD);
        if (format === "text") expect(before).toBe("");
        else {
          const result = JSON.parse(before.trimEnd().split("\n").at(-1) ?? "");
          expect(result).toMatchObject({
            type: "result",
            status: "failed",
            exit_code: 10,
            verified: false,
            result: "",
          });
        }
        expect(served.simulator.refusals).toEqual([]);
      }),
    );

    test.each([
      ["on the screen", ""],
      ["in lines", "--screen-reader"],
    ])("%s", (_where, flags) =>
      withTerminal({}, async (stage) => {
        const shell = scene(stage, `"$KHAELOR" --yolo ${flags}`);
        const terminal = stage.open({ shell });
        await terminal.waitFor(flags === "" ? "ready" : "/help lists commands");
        if (flags === "") terminal.paste(orders(stage.root).join("\n"));
        terminal.type(flags === "" ? "\r" : `${orders(stage.root).join("\\\r")}\r`);
        await terminal.waitFor(/^over$/m, 30_000);
        const text = terminal.history();
        expect(text).toMatch(TOLD);
        expect(text).toMatch(/^code 10$[\s\S]*^fsck 0$[\s\S]*^finished$[\s\S]*^resumed 0$/m);
        expect([terminal.modes(), terminal.isCooked(), stage.simulator.refusals]).toEqual([[], true, []]);
      }),
    );
  },
);

describe("a state folder that is removed under an open session", () => {
  test.each([
    ["on the screen", []],
    ["in lines", ["--screen-reader"]],
  ] as const)("%s: what is said then is not lost, and nothing is promised that is gone", (_where, args) =>
    withTerminal({}, async (stage) => {
      const terminal = stage.open({ args });
      await terminal.waitFor(args.length === 0 ? "ready" : "/help lists commands");
      terminal.type("say one\r");
      const isOver = () => stage.logs().some((log) => readFileSync(log, "utf8").includes('"task.completed"'));
      while (!isOver()) await Bun.sleep(10);
      rmSync(stage.state, { recursive: true });
      terminal.type("say something new\r");
      expect(await terminal.exited).toEqual({ code: 10, signal: null });
      await terminal.waitFor(/session\.\s*$/);
      const drafts = stage.stateFiles().filter(({ path }) => path.endsWith("/new.txt"));
      const words = "say something new";
      expect(
        args.length === 0 ? drafts.map(({ text }) => text) : [terminal.history().split("not recorded:")[1]],
      ).toEqual([expect.stringContaining(words)]);
      expect(terminal.history()).toMatch(/deleted\s+or\s+replaced/);
      expect(terminal.history()).not.toContain("khaelor --resume");
      expect([terminal.modes(), stage.simulator.refusals]).toEqual([[], []]);
    }),
  );
});
