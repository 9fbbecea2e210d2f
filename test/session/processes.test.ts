/** Which processes a log tells of, and what a resume appends for those that it believes alive. */
import { describe, expect, test } from "bun:test";
import { lostProcesses, type ProcessTable, processTable } from "../../src/session/index.ts";
import { type DurableInput, fold, type Payload } from "../../src/shared/index.ts";
import { event, given } from "./log-words.ts";

const started = (processId: string, command = "npm run dev") =>
  event("process.started", { processId, pid: 7, command, cwd: "/p", toolUseId: "t" });
const exited = (processId: string, how: Partial<Payload<"process.exited">> = {}) =>
  event("process.exited", { processId, exitCode: 0, cause: "exited", durationMs: 5, ...how });
const tableOf = (...inputs: readonly DurableInput[]): ProcessTable => fold(processTable, given(...inputs));

describe("the processes of a log", () => {
  test("live from their start to their end", () => {
    const crashed = { exitCode: null, signal: "SIGSEGV", cause: "crashed" } as const;
    expect(
      tableOf(started("p1", "a"), started("p2", "b"), started("p3", "c"), exited("p2", crashed), exited("p1")),
    ).toEqual({
      live: [{ processId: "p3", pid: 7, command: "c", startedAt: 1002 }],
      ended: [
        { processId: "p2", command: "b", ...crashed },
        { processId: "p1", command: "a", exitCode: 0, cause: "exited" },
      ],
      lastNumber: 3,
    });
  });

  test("are remembered in a small number once they have ended", () => {
    const ids = Array.from({ length: 30 }, (_, at) => `p${at + 1}`);
    const { live, ended, lastNumber } = tableOf(...ids.flatMap((id) => [started(id), exited(id)]));
    expect([live, ended.map(({ processId }) => processId), lastNumber]).toEqual([[], ids.slice(-8), 30]);
  });

  test("may be odd without harm: ends of strangers, ends and starts that come twice, names and causes of other versions", () => {
    const odd = tableOf(
      exited("p9"),
      started("p2"),
      started("p2", "again"),
      started("server"),
      started("p00000000000000000007"),
      exited("server", { cause: "paused" as "exited" }),
      exited("server"),
    );
    expect(odd.live.map(({ processId, command }) => `${processId} ${command}`)).toEqual([
      "p2 again",
      "p00000000000000000007 npm run dev",
    ]);
    expect(odd.ended).toEqual([
      { processId: "server", command: "npm run dev", exitCode: 0, cause: "paused" as "exited" },
    ]);
    expect(odd.lastNumber).toBe(2);
  });
});

test("a resume records the end of each that is believed alive, as long as it is known to have lived", () => {
  const processes = tableOf(started("p1"), started("p2"), exited("p1"), started("p3"));
  expect(lostProcesses({ processes }, 1003)).toEqual([
    event("process.exited", { processId: "p2", exitCode: null, cause: "khaelor-shutdown", durationMs: 2 }),
    event("process.exited", { processId: "p3", exitCode: null, cause: "khaelor-shutdown", durationMs: 0 }),
  ]);
  const clockWentBack = lostProcesses({ processes }, 0).map(({ payload }) => payload);
  expect(clockWentBack).toMatchObject([{ durationMs: 0 }, { durationMs: 0 }]);
  expect(lostProcesses({ processes: tableOf() }, 9)).toEqual([]);
});
