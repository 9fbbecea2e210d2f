/** Messages whose mentions wait for consent: how many may wait, in which order they come, and what a kill leaves of them. */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Script } from "../../src/simulator/index.ts";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { fsck, IN_ORDER, RUN_TIMEOUT_MS, readLog, type Served, withModel } from "./stage.ts";
import { expectEnd, results, talk } from "./talk.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

const script: Script = ({ lastUserText }) => ({
  content: [{ type: "text", text: `Heard: ${lastUserText().split("\n").at(-1)}` }],
});

/** A file outside the project is not read without asking. */
function outside(served: Served): string {
  const path = join(served.root, "outside.txt");
  writeFileSync(path, "from outside\n");
  return path;
}

test("256 messages wait for what one mentions; the next is refused, and the others come in their order", () =>
  withModel({ script }, async (served) => {
    const front = talk(served);
    front.send({ kind: "submit-message", text: "said 1", mentions: [{ path: outside(served) }] });
    const { payload: asked } = await front.next("permission.requested");
    for (let count = 2; count <= 257; count++) front.send({ kind: "steer", text: `said ${count}` });
    expect(await front.next("input-refused")).toEqual({
      type: "input-refused",
      line: 257,
      message: "256 messages wait already; send it again later",
    });
    front.send({ kind: "permission-response", requestId: asked?.permissionRequestId, decision: "once" });
    expect(await front.next("result")).toMatchObject({ status: "completed", result: "Heard: said 256" });
    const { code } = await front.end();
    const said = front.lines.flatMap(({ type, payload }) => {
      return type === "user.message-created" || type === "user.steering-queued" ? [payload?.text] : [];
    });
    expect({ code, said }).toEqual({ code: 2, said: Array.from({ length: 256 }, (_, at) => `said ${at + 1}`) });
    expect(served.simulator.refusals).toEqual([]);
  }));

test("a message whose event had not come before a kill was not said, and its question is gone with it", () =>
  withModel({ script }, async (served) => {
    const mentions = [{ path: outside(served) }];
    const first = talk(served, ["begin"]);
    await first.next("result");
    first.send({ kind: "submit-message", text: "lost", mentions });
    await first.next("permission.requested");
    first.kill("SIGKILL");
    await first.done;

    const second = talk(served, ["--continue"]);
    await second.next("session.resumed");
    second.send({ kind: "submit-message", text: "said again", mentions });
    const { payload: asked } = await second.next("permission.requested");
    second.send({ kind: "permission-response", requestId: asked?.permissionRequestId, decision: "once" });
    expect(await second.next("user.message-created")).toMatchObject({
      payload: { text: "said again", context: [{ text: expect.stringContaining("from outside") }] },
    });
    await second.next("result");
    expectEnd(await second.end(), 0);
    expect(results(second.lines)).toEqual([["completed", 0, "Heard: said again"]]);
    expect(second.lines.filter(({ type }) => type === "permission.requested")).toHaveLength(1);
    const [log = ""] = served.logs();
    expect(readLog(log).flatMap(({ payload }) => payload.text ?? [])).not.toContain("lost");
    expect(await fsck(served, log)).toMatchObject(IN_ORDER);
    expect(served.simulator.refusals).toEqual([]);
  }));
