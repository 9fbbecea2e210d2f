/** What a command changed in a project with more files than a picture holds. */
import { expect, test } from "bun:test";
import { onSite } from "./picture-site.ts";

const COMMIT = "git add -A && git commit -q -m x";

test("a change among thousands of packages that nobody ignored is told by what is no package first, and by a true number", async () => {
  await onSite({ git: true }, async ({ write, after }) => {
    write("src/a", "1\n");
    await after(`${COMMIT}; mkdir -p node_modules/p; cd node_modules/p; touch $(seq 1101 2200)`);
    const among = await after(
      "printf 2 >src/a; printf n >src/new; printf n >zz; rm node_modules/p/1101 node_modules/p/2200",
    );
    expect(among).toEqual({
      changes: [
        "src/a: 1\\n -> 2",
        "src/new: - -> n",
        "zz: - -> n",
        "node_modules/p/1101:  -> -",
        "node_modules/p/2200: ? -> -",
      ],
      unlisted: 0,
    });
    const removed = await after("rm -r node_modules; printf 3 >zz");
    expect([removed.changes[0], removed.changes.length, removed.unlisted]).toEqual(["zz: n -> 3", 200, 899]);
    const installed = await after("mkdir -p node_modules/q; touch $(seq -f node_modules/q/%.0f 1101 2600)");
    expect([installed.changes[0], installed.changes.length, installed.unlisted]).toEqual([
      "node_modules/q/1101: - -> ",
      200,
      1300,
    ]);
  });
});
