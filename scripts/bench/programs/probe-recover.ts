/** Recovers a session whose writer died in the middle of a line: the torn end goes aside, the log is replayed, what was open is closed. */
import { appendFileSync } from "node:fs";
import { recoveryEvents } from "../../../src/session/index.ts";
import { openBenchStore, STARTED } from "./probe-store.ts";
import { timed } from "./timed.ts";

const TORN = '{"v":1,"id":"01J8ZQ0000EVNT0000000TORNX","sessionId":"01J8';

const [, , home = "", id = ""] = process.argv;
const store = openBenchStore(home);
const path = await store.locate(id);
if (path === undefined) throw new Error(`there is no session ${id}`);
appendFileSync(path, TORN);
await timed(async () => {
  const session = await store.open(id);
  const { khaelorVersion, model } = STARTED;
  const replayedSeq = session.state().lastSeq;
  session.publish({ type: "session.resumed", payload: { khaelorVersion, model, replayedSeq, toolNames: [] } });
  for (const event of recoveryEvents(session.state())) session.publish(event);
  await session.sync();
  return session.state().lastSeq;
});
