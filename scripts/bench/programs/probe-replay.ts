/** Replays a session as a resume does: the lock, every line judged, every fold. */

import { openBenchStore } from "./probe-store.ts";
import { timed } from "./timed.ts";

const [, , home = "", id = ""] = process.argv;
const store = openBenchStore(home);
await timed(async () => (await store.open(id)).state().lastSeq);
