/**
 * A session cut behind every line of its log, as a crash would leave it, goes on from each: the same model, the same files,
 * nothing refused, nothing done twice, and a log that still adds up.
 */
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Engine } from "../../src/cli/engine.ts";
import { checkRequests } from "../../src/cli/request-check.ts";
import type { DurableEvent } from "../../src/shared/index.ts";
import type { Script } from "../../src/simulator/index.ts";
import { FILES } from "./add-project.ts";
import { type Driven, expectSound, inHouse, type Setup } from "./driving.ts";
import { cutHome, engineIn, type Recorded, recordingOf } from "./engines.ts";
import { mendingModel } from "./mending-model.ts";

const MENDED = "add() { echo $(($1 + $2)); }\n";

/** What add.sh held when each line was written; the line of a change itself has what it left. */
type Contents = readonly string[];

interface Scenario {
  /** Only behind lines that hold this, and behind those before them; every line when left out. */
  readonly at?: RegExp;
  readonly setup: Omit<Setup, "script"> & { readonly script?: Script };
  readonly drive: (house: Driven) => Promise<void>;
}

async function recorded(
  { setup, drive }: Scenario,
  then: (house: Driven, recording: Recorded, contents: Contents) => Promise<void>,
): Promise<void> {
  await inHouse({ script: mendingModel, files: FILES, ...setup }, async (house) => {
    const source = () => readFileSync(join(house.cwd, "add.sh"), "utf8");
    const contents: string[] = [source()];
    house.engine.session.bus.onAny((event) => {
      if ("seq" in event) contents[event.seq - 1] = source();
    });
    await drive(house);
    expect(source()).toBe(MENDED);
    await house.engine.session.sync();
    await then(house, recordingOf(house), contents);
  });
}

/** Whoever has to consent does, and an interrupted or idle session gets another word. */
async function finish(engine: Engine): Promise<void> {
  const { session, agent } = engine;
  const consent = (requestId: string) => agent.dispatch({ kind: "permission-response", requestId, decision: "once" });
  session.bus.on("permission.requested", ({ payload }) => {
    queueMicrotask(() => consent(payload.permissionRequestId));
  });
  const open = session.state().turn.permissions.map(({ permissionRequestId }) => permissionRequestId);
  agent.resume();
  for (const requestId of open) consent(requestId);
  await agent.settled();
  if (readFileSync(join(session.state().meta.workingDirectory, "add.sh"), "utf8") === MENDED) return;
  agent.dispatch({ kind: "submit-message", text: "repair it now", mentions: [] });
  await agent.settled();
}

async function goesOn(house: Driven, home: string, what: string): Promise<readonly DurableEvent[]> {
  const events: DurableEvent[] = [];
  const { id } = house.engine.session;
  const engine = await engineIn(house, {
    places: { home, userHome: house.home, cwd: house.cwd },
    resume: id,
    flags: { permissionMode: "ask" },
    somebodyToAsk: true,
  });
  try {
    engine.session.bus.onAny((event) => void ("seq" in event && events.push(event)));
    await finish(engine);
    const result = [engine.session.state().turn.phase, readFileSync(join(house.cwd, "add.sh"), "utf8")];
    expect([what, ...result, house.simulator.refusals]).toEqual([what, "idle", MENDED, []]);
    await expectSound({ engine });
    return events;
  } finally {
    await engine.close();
  }
}

/** From behind every line, with the file as it was then, and, where the next line changes it, also as it was after. */
async function cutEverywhere(
  house: Driven,
  recording: Recorded,
  { contents, at = /^/ }: { readonly contents: Contents; readonly at?: RegExp | undefined },
): Promise<number> {
  const { lines } = recording;
  const counts = lines.flatMap((line, before) =>
    at.test(line) || at.test(lines[before + 1] ?? "") ? [before + 1] : [],
  );
  for (const count of counts) {
    const then = contents[count - 1] ?? "";
    for (const content of new Set([then, contents[count] ?? then])) {
      writeFileSync(join(house.cwd, "add.sh"), content);
      const torn = count < lines.length ? (lines[count]?.slice(0, 40) ?? "") : "";
      const what = `behind line ${count}, ${content.trim()}, before ${lines[count]?.slice(70, 200)}`;
      const home = cutHome(recording, count, count % 3 === 0 ? torn : "");
      const events = await goesOn(house, home, what);
      if (content !== then) expectNotRepeatedBlindly(events);
    }
  }
  return counts.length;
}

/** A change that was made, and not recorded before the crash, is looked at before anything is edited again. */
function expectNotRepeatedBlindly(events: readonly DurableEvent[]): void {
  const requested = events.flatMap((event) => (event.type === "tool.requested" ? [event.payload.toolName] : []));
  const edited = requested.indexOf("edit");
  expect(edited === -1 || requested.slice(0, edited).includes("read")).toBe(true);
}

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  "a turn that repairs what its check found red": { setup: {}, drive: (house) => house.say("fix add") },
  "a turn that asks for everything": {
    at: /"type":"permission\./,
    setup: { flags: { permissionMode: "ask" }, somebodyToAsk: true },
    async drive(house) {
      house.engine.session.bus.on("permission.requested", ({ payload }) => {
        const { permissionRequestId: requestId } = payload;
        queueMicrotask(() => house.engine.agent.dispatch({ kind: "permission-response", requestId, decision: "once" }));
      });
      await house.say("fix add");
    },
  },
  "turns with steering, a failed attempt and an interrupt": {
    at: /"type":"(user\.|model\.request-failed|tool\.cancelled|task\.)/,
    setup: {},
    async drive(house) {
      const { agent } = house.engine;
      house.simulator.failNext({ kind: "error-event", afterSeen: "content_block_stop", times: 3 });
      const looked = house.next("file.read");
      house.submit("fix add");
      await looked;
      agent.dispatch({ kind: "steer", text: "be brief" });
      agent.dispatch({ kind: "steer", text: "and then say goodbye", deliver: "next-turn" });
      await house.next("model.text-delta");
      house.interrupt();
      await house.settled();
      await house.say("repair it after all");
    },
  },
};

describe("a session that was cut anywhere goes on", () => {
  for (const [what, scenario] of Object.entries(SCENARIOS)) {
    test(what, async () => {
      await recorded(scenario, async (house, recording, contents) => {
        const cuts = await cutEverywhere(house, recording, { contents, at: scenario.at });
        expect(cuts).toBeGreaterThan(10);
        expect((await checkRequests(house.engine.store, recording.id)).mismatches).toEqual([]);
      });
    }, 60_000);
  }
});
