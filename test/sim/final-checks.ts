/** What holds of all that is left when a simulated course is over. */
import { readFileSync } from "node:fs";
import { checkRequests } from "../../src/cli/request-check.ts";
import { createSessionStore } from "../../src/session/index.ts";
import { idSource, silentLogger } from "../../src/shared/index.ts";
import { mustKeepBytes, Violation } from "./checks.ts";
import { KEY, type World } from "./world.ts";

/** Every log is in order, tells each request as it was sent, and holds no key; what a fork was made of is as it was. */
export async function mustBeWhole({ home, price, parents, logs }: World): Promise<void> {
  const now = () => 0;
  const store = createSessionStore({ home, now, newId: idSource(now), price, logger: silentLogger });
  for (const { path, bytes } of parents) mustKeepBytes(path, bytes);
  for (const path of logs()) {
    if (readFileSync(path, "utf8").includes(KEY)) throw new Violation(`the key stands in ${path}`);
    const { verdict, damage } = await store.check(path);
    if (verdict === "damaged") throw new Violation(`${path} is damaged: ${JSON.stringify(damage[0])}`);
    const { mismatches } = await checkRequests(store, path);
    if (mismatches.length > 0) throw new Violation(`the requests at ${mismatches} cannot be rebuilt from ${path}`);
  }
}
