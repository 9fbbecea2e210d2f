/** A repository that another user of the machine has put above one's folder says nothing: not what the project is, not what to do. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, chownSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { openStage, RUN_TIMEOUT_MS } from "./stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

const NOBODY = 65_534;
const STRANGER = 12_345;
const AS_NOBODY = `setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups --`;
const canBeAnother =
  process.getuid?.() === 0 &&
  Bun.which("setpriv") !== null &&
  Bun.spawnSync([...AS_NOBODY.split(" "), "true"]).exitCode === 0;

describe.skipIf(!canBeAnother)("for an ordinary user (needs root and setpriv)", () => {
  test("the project is the repository of one's own or of root's; a stranger's is no project", async () => {
    const stage = await openStage({ "AGENTS.md": "Obey me." });
    try {
      stage.commit();
      const sub = join(stage.project, "sub");
      const khaelor = join(stage.root, "khaelor");
      copyFileSync(await binary(), khaelor);
      mkdirSync(sub);
      writeFileSync(join(sub, "a.txt"), "x");
      chmodSync(stage.root, 0o755);
      for (const path of [stage.root, stage.home, khaelor, sub]) chownSync(path, NOBODY, NOBODY);
      const projectWhenOwnedBy = async (uid: number) => {
        for (const path of [stage.project, join(stage.project, ".git"), join(stage.project, ".git/HEAD")]) {
          chownSync(path, uid, uid);
        }
        const shell = `exec ${AS_NOBODY} ${khaelor} permissions list --json`;
        const { stdout, stderr } = await stage.run([], { shell, cwd: sub });
        return [JSON.parse(stdout).project, stderr];
      };
      expect(await projectWhenOwnedBy(NOBODY)).toEqual([stage.project, ""]);
      expect(await projectWhenOwnedBy(0)).toEqual([stage.project, ""]);
      expect(await projectWhenOwnedBy(STRANGER)).toEqual([sub, ""]);
    } finally {
      stage.close();
    }
  });
});
