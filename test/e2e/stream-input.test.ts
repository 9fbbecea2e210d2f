/** `--input-format stream-json`: a program is the front, and the whole of a session goes over two pipes. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Script, sequence } from "../../src/simulator/index.ts";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { fsck, IN_ORDER, RUN_TIMEOUT_MS, withModel } from "./stage.ts";
import { expectEnd, results, talk } from "./talk.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

const text = (words: string) => ({ content: [{ type: "text", text: words }] }) as const;
const bash = (command: string) => ({ content: [{ type: "tool_use", name: "bash", input: { command } }] }) as const;
const message = (words: string, more: object = {}) => ({ kind: "submit-message", text: words, ...more });
const isTool = (name: string) => (line: { readonly payload?: Readonly<Record<string, unknown>> }) =>
  line.payload?.toolName === name;

test("message, steering, an approval, an interrupt, a second message", () => {
  const script: Script = sequence([
    bash("touch made"),
    text("Made it, and heard you."),
    bash("sleep 307"),
    text("Stopped, and went on."),
  ]);
  return withModel({ script }, async (served) => {
    const front = talk(served);
    front.send(message("make it"));
    const { payload: asked } = await front.next("permission.requested");
    front.send({ kind: "steer", text: "and be quick" });
    await front.next("user.steering-queued");
    expect(existsSync(join(served.project, "made"))).toBe(false);
    front.send({ kind: "permission-response", requestId: asked?.permissionRequestId, decision: "once" });
    await front.next("user.steering-injected");
    expect(await front.next("result")).toMatchObject({
      status: "completed",
      exit_code: 0,
      result: "Made it, and heard you.",
    });
    expect(existsSync(join(served.project, "made"))).toBe(true);

    front.send(message("now wait"));
    await front.next("tool.started", isTool("bash"));
    front.send({ kind: "interrupt" });
    expect(await front.next("result")).toMatchObject({ status: "interrupted", exit_code: 130 });
    front.send({ kind: "interrupt" }); // nothing runs: harmless
    front.send(message("go on then"));
    expect(await front.next("result")).toMatchObject({ status: "completed", result: "Stopped, and went on." });
    expectEnd(await front.end(), 0);
    expect(results(front.lines)).toHaveLength(3);
    expect(served.simulator.refusals).toEqual([]);
    expect(await fsck(served, served.logs()[0] ?? "")).toMatchObject(IN_ORDER);
  });
});
