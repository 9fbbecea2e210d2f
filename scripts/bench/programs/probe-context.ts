/**
 * What is done with a whole long conversation: folded from its log and its first request built, summed up without a model, or its
 * cache ledger folded. Once, in a process of its own, as it happens.
 */
import { cacheLedger } from "../../../src/session/index.ts";
import type { LogEvent } from "../../../src/shared/index.ts";
import { contextIn } from "./long-task.ts";
import { openBenchStore } from "./probe-store.ts";
import { timed } from "./timed.ts";

const [, , home = "", id = "", kind = "build"] = process.argv;
const store = openBenchStore(home);
const context = await contextIn(store);

const WORK: Readonly<Record<string, () => Promise<void>>> = {
  async build() {
    await timed(async () => {
      const session = await store.open(id);
      return context.selectContext(session.state()).request.messages.length;
    });
  },
  async compress() {
    const session = await store.open(id);
    context.selectContext(session.state()); // by then every block has been weighed, as in a session under way
    await timed(async () => {
      const wish = { trigger: "proactive-token-budget" } as const;
      const made = await context.compress(session.state(), wish, new AbortController().signal);
      if (!made.ok) throw new Error(made.error.message);
      return session.state().conversation.messages.length;
    });
    await session.close();
  },
  async ledger() {
    const events: LogEvent[] = [];
    for await (const event of store.read(id)) events.push(event);
    const ledger = cacheLedger(() => 0);
    await timed(() => {
      let state = ledger.initial();
      for (const event of events) state = ledger.apply(state, event);
      return events.length;
    });
  },
};

const work = WORK[kind];
if (!work) throw new Error(`${kind} is nothing that can be done with it`);
await work();
