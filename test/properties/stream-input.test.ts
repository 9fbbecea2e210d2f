/**
 * Whatever a program sends, in whatever order, cut into whatever pieces: the session ends, its log is whole, every call has one
 * result, each request can be rebuilt, and each turn that began has its one result line.
 */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { RunResult } from "../../src/cli/result.ts";
import { runStream } from "../../src/cli/stream/front.ts";
import { EXIT, type KhaelorEvent } from "../../src/shared/index.ts";
import type { Script } from "../../src/simulator/index.ts";
import { bash, expectSound, inHouse, say, turn } from "../agent/driving.ts";
import { png } from "../e2e/pictures.ts";

const words = fc.constantFrom("go", "and now?", "\u2028 odd \ud83d\ude00", "");
const mention = fc.constantFrom("a.txt", "gone.txt", "shot.png", "../outside.txt").map((path) => ({ path }));
const mentions = fc.option(fc.array(mention, { maxLength: 3 }), { nil: undefined });
const defined = (command: object) => JSON.stringify(command);

/** A line to send; `ANSWER` stands for an answer to the newest question. */
const line = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ text: words, mentions }).map((said) => defined({ kind: "submit-message", ...said })),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({ text: words, mentions, deliver: fc.constantFrom("now", "next-turn", undefined) })
      .map((said) => defined({ kind: "steer", ...said })),
  },
  { weight: 3, arbitrary: fc.constantFrom("once", "session", "deny").map((decision) => `ANSWER ${decision}`) },
  { weight: 2, arbitrary: fc.constant(defined({ kind: "interrupt" })) },
  {
    weight: 2,
    arbitrary: fc.constantFrom("echo mine", "rm -rf /").map((command) => defined({ kind: "shell", command })),
  },
  { weight: 1, arbitrary: fc.constantFrom("", "{", "[]", '{"kind":"no"}', defined({ kind: "slash", command: "x" })) },
);
const step = fc.record({ line, cut: fc.nat({ max: 30 }), pause: fc.constantFrom("none", "tick", "answer") });
const plot = fc.record({ steps: fc.array(step, { maxLength: 12 }), quits: fc.boolean() });
type Plot = typeof plot extends fc.Arbitrary<infer P> ? P : never;

const script: Script = ({ index }) =>
  index % 3 === 2 ? say("Done for now.") : turn(bash(index % 3 === 0 ? `touch ${index}` : "sleep 0.01"));

async function* sent({ steps, quits }: Plot, question: () => string, event: () => Promise<void>) {
  const encoder = new TextEncoder();
  for (const { line: template, cut, pause } of steps) {
    const [, decision] = /^ANSWER (\w+)$/.exec(template) ?? [];
    const text = decision ? defined({ kind: "permission-response", requestId: question(), decision }) : template;
    const bytes = encoder.encode(`${text}\n`);
    yield bytes.slice(0, cut);
    if (pause === "tick") await Bun.sleep(0);
    if (pause === "answer") await Promise.race([event(), Bun.sleep(5)]);
    yield bytes.slice(cut);
  }
  if (quits) yield encoder.encode('{"kind":"quit"}\n{"kind":"submit-message","text":"not read"}\n');
}

/** Runs the plot and returns what went wrong in words; that it returns at all is half of the property. */
async function course(one: Plot): Promise<void> {
  const setup = { script, somebodyToAsk: true, flags: { permissionMode: "ask" as const }, files: { "a.txt": "a\n" } };
  await inHouse(setup, async (house) => {
    writeFileSync(join(house.cwd, "shot.png"), png(4, 4));
    writeFileSync(join(house.cwd, "..", "outside.txt"), "outside\n");
    let asked = "none";
    let wake = (): void => undefined;
    const happened = () => new Promise<void>((resolve) => (wake = resolve));
    const told: (KhaelorEvent | RunResult)[] = [];
    const onEvent = (event: KhaelorEvent) => {
      told.push(event);
      if (event.type === "permission.requested") asked = event.payload.permissionRequestId;
      wake();
    };
    const input = sent(one, () => asked, happened);
    let refused = 0;
    const front = {
      first: undefined,
      input,
      onEvent,
      onResult: (result: RunResult) => told.push(result),
      onRefused: () => refused++,
    };
    const end = await runStream(house.engine, front);
    expect(end.refused).toBe(refused);
    expect([end.result.status === "failed", end.result.issues.filter(() => end.result.status === "failed")]).toEqual([
      false,
      [],
    ]);
    expect(told.filter((one) => one.type === "result").at(-1)).toBe(end.result);
    const turnEnds = told.filter(({ type }) => type === "task.completed" || type === "user.interrupted").length;
    const results = told.filter((one): one is RunResult => one.type === "result");
    expect(results.filter(({ status }) => status !== "idle")).toHaveLength(turnEnds);
    if (end.result.exit_code === EXIT.done) expect(end.result.result).toBe("Done for now.");
    expect(house.engine.session.state().turn.permissions).toEqual([]);
    await expectSound(house);
  });
}

test(
  "any script of commands ends with a whole log",
  () => fc.assert(fc.asyncProperty(plot, course), { numRuns: 60, seed: 20_261_130 }),
  60_000,
);
