/** What holds of all that is left when a simulated course is over. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkRequests } from "../../src/cli/request-check.ts";
import { createSessionStore } from "../../src/session/index.ts";
import { idSource, sha256, silentLogger } from "../../src/shared/index.ts";
import { type LogWatch, mustKeepBytes, Violation } from "./checks.ts";
import { KEY } from "./key.ts";
import { FILES } from "./mouth.ts";
import { A_TXT, INSTRUCTIONS, type World } from "./world.ts";

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

/**
 * What a file holds is what the log last said of it. Nobody else writes in the project, but for the instructions; and a fork goes
 * on in files that may be further than its log.
 */
export function mustTellFiles({ cwd }: World, { events }: LogWatch): void {
  const told = new Map<string, string | undefined>(FILES.map((path) => [path, undefined]));
  told.set("a.txt", sha256(A_TXT));
  for (const event of events) {
    if ("opaque" in event) continue;
    if (event.type === "session.resumed" && event.payload.fork) told.clear();
    if (event.type === "file.modified") told.set(event.payload.path, event.payload.afterSha256 ?? undefined);
  }
  told.delete(INSTRUCTIONS);
  for (const [path, hash] of told) {
    const file = join(cwd, path);
    const found = existsSync(file) ? sha256(readFileSync(file)) : undefined;
    if (found !== hash) throw new Violation(`the log says of ${path} that it is ${hash}, and it is ${found}`);
  }
}
