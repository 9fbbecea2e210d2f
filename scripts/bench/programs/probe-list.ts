/** Lists the sessions of a home as a person's command does. */
import { openBenchStore } from "./probe-store.ts";
import { timed } from "./timed.ts";

const [, , home = ""] = process.argv;
const store = openBenchStore(home);
await timed(async () => (await store.list({ quick: true })).length);
