/** `--input-format stream-json`: a program is the front, and the whole of a session goes over two pipes. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Script, sequence } from "../../src/simulator/index.ts";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { asksForSummary, SUMMARY } from "../support/summing-model.ts";
import { fsck, IN_ORDER, RUN_TIMEOUT_MS, withModel } from "./stage.ts";
import { expectEnd, results, type Said, talk } from "./talk.ts";

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

test("the slash commands that need no screen: what they change is told by events, what they refuse in words", () => {
  const script: Script = ({ lastUserText }) => text(`Heard: ${lastUserText().split("\n").at(-1)}`);
  const slash = (command: string, args: string) => ({ kind: "slash", command, args });
  return withModel({ script }, async (served) => {
    const front = talk(served);
    front.send(slash("rename", "From a program"));
    expect(await front.next("session.renamed")).toMatchObject({ payload: { title: "From a program" } });
    front.send(slash("permissions", "mode plan"));
    expect(await front.next("permission.granted")).toMatchObject({ payload: { mode: "plan" } });
    front.send(slash("permissions", "mode bypass"));
    expect(await front.next("input-refused")).toMatchObject({ message: expect.stringContaining("mode M") });
    front.send(message("one"));
    await front.next("result");
    front.send(slash("model", "claude-haiku-5-5"));
    expect(await front.next("session.model-changed")).toMatchObject({ payload: { to: "claude-haiku-5-5" } });
    front.send(message("two"));
    expect(await front.next("model.request-started")).toMatchObject({ payload: { model: "claude-haiku-5-5" } });
    await front.next("result");
    front.send(slash("stop", "p1"));
    expect(await front.next("input-refused")).toMatchObject({ message: 'stop: no process "p1" runs' });
    expect((await front.end()).code).toBe(2); // two lines were refused
    expect(served.simulator.refusals).toEqual([]);
    expect(await fsck(served, served.logs()[0] ?? "")).toMatchObject(IN_ORDER);
  });
});

test("compact sums up between two turns, is none itself, and what follows is read meanwhile", () => {
  const script: Script = (request) => text(asksForSummary(request) ? SUMMARY : "A long answer. ".repeat(800));
  return withModel({ script }, async (served) => {
    const front = talk(served);
    for (const said of ["one", "two"]) {
      front.send(message(said));
      await front.next("result");
    }
    front.send({ kind: "slash", command: "compact", args: "the names" });
    front.send(message("three"));
    expect(await front.next("context.compacted")).toMatchObject({
      payload: { trigger: "user-command", route: "aux", focus: "the names", summaryModel: "claude-haiku-5-5" },
    });
    expect(await front.next("result")).toMatchObject({ exit_code: 0 });
    front.send({ kind: "slash", command: "compact" });
    expect(await front.next("context.compacted")).toMatchObject({ payload: { trigger: "user-command" } });
    front.send({ kind: "slash", command: "compact" });
    expect(await front.next("input-refused")).toMatchObject({ message: expect.stringMatching(/^compact: /) });
    expect([(await front.end()).code, results(front.lines).length]).toEqual([2, 3]);
    expect(served.simulator.refusals).toEqual([]);
  });
});

test("a second compact is refused while the first one hangs, and an interrupt still stops that", () => {
  const hanging = { kind: "silence", afterSeen: "text_delta" } as const;
  const script: Script = (request) =>
    asksForSummary(request) ? { ...text(SUMMARY), fault: hanging } : text("A long answer. ".repeat(800));
  return withModel({ script }, async (served) => {
    const front = talk(served);
    for (const said of ["one", "two"]) {
      front.send(message(said));
      await front.next("result");
    }
    front.send({ kind: "slash", command: "compact" });
    front.send({ kind: "slash", command: "compact" });
    expect(await front.next("input-refused")).toMatchObject({ line: 4, message: expect.stringMatching(/^compact: /) });
    front.send({ kind: "interrupt" });
    expect(await front.next("input-refused")).toMatchObject({ line: 3, message: expect.stringContaining("Stopped.") });
    expect((await front.end()).code).toBe(2);
    expect(results(front.lines)).toHaveLength(2);
  });
});

describe("a run with nothing but a compact says what came of it", () => {
  const rows = [
    ["made", SUMMARY, 0, "There was no turn; the conversation was summed up, by claude-haiku-5-5."],
    ["failed", "I cannot.", 8, "There was no turn, and the conversation was not summed up: "],
    ["too little", "", 9, "There was no turn, and the conversation was not summed up: "],
  ] as const;
  test.each(rows)("%s", (_name, summary, code, words) => {
    const script: Script = (request) =>
      text(asksForSummary(request) ? summary : "An answer. ".repeat(summary === "" ? 1 : 1000));
    return withModel({ script }, async (served) => {
      const before = talk(served, ["one"]);
      await before.next("result");
      before.send(message("two"));
      await before.end();
      const front = talk(served, ["--continue"]);
      front.send({ kind: "slash", command: "compact" });
      expect((await front.end()).code).toBe(code);
      const { issues, total_cost_usd: cost, ...result }: Partial<Said> = front.lines.at(-1) ?? {};
      expect(result).toMatchObject({ type: "result", status: "idle", exit_code: code, result: "" });
      expect([issues, Number(cost) > 0]).toEqual([[expect.stringContaining(words)], summary !== ""]);
    });
  });
});

describe("input that cannot be used", () => {
  const script: Script = ({ lastUserText }) => text(`Heard: ${lastUserText().split("\n").at(-1)}`);

  test("is refused line by line, loses nothing, and costs the run its success", () =>
    withModel({ script }, async (served) => {
      const front = talk(served);
      front.write("nonsense\n");
      expect(await front.next("input-refused")).toMatchObject({
        line: 1,
        message: expect.stringContaining("not JSON"),
      });
      front.write("\n[1]\n");
      expect(await front.next("input-refused")).toMatchObject({ line: 3, message: "a command is a JSON object" });
      front.send({ kind: "submit-mesage", text: "x" });
      expect(await front.next("input-refused")).toMatchObject({
        line: 4,
        message: 'unknown kind "submit-mesage"; did you mean "submit-message"?',
      });
      front.send({ kind: "submit-message", text: 7 });
      expect(await front.next("input-refused")).toMatchObject({
        line: 5,
        message: 'submit-message: expected "text" to be a string',
      });
      front.send({ kind: "slash", command: "fork" });
      expect(await front.next("input-refused")).toMatchObject({ line: 6, message: expect.stringContaining("fork") });
      front.write(Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a]));
      expect(await front.next("input-refused")).toMatchObject({ line: 7, message: "the line is not UTF-8" });
      front.write(`{"kind":"steer","text":"${"x".repeat(16 * 1024 * 1024)}"}\n`);
      expect(await front.next("input-refused")).toMatchObject({
        line: 8,
        message: expect.stringContaining("16777216"),
      });
      front.write('{"kind":"submit-mess');
      front.write('age","text":"split"}\n{"kind":"quit"'); // the last one without its newline
      expect(await front.next("result")).toMatchObject({ result: "Heard: split", exit_code: 0 });
      const ran = await front.end();
      expect(await front.next("input-refused")).toMatchObject({ line: 10 });
      expect([ran.code, ran.stderr.match(/was refused/g)?.length]).toEqual([2, 8]);
      expect(await fsck(served, served.logs()[0] ?? "")).toMatchObject(IN_ORDER);
    }));

  test("and no message at all: the run says so and does not succeed", () =>
    withModel({ script }, async (served) => {
      const front = talk(served);
      expect((await front.end()).code).toBe(2);
      expect(results(front.lines)).toEqual([["idle", 2, ""]]);
    }));
});

describe("a question that nobody answers", () => {
  const script: Script = sequence([bash("touch made"), text("Could not."), text("Went on.")]);

  test("is a recorded refusal when the input ends; the run goes on and ends with 4", () =>
    withModel({ script }, async (served) => {
      const front = talk(served, ["make it"]);
      await front.next("permission.requested");
      expectEnd(await front.end(), 4);
      expect(await front.next("permission.denied")).toMatchObject({ payload: { source: "timeout" } });
      expect(results(front.lines)).toEqual([["completed", 4, "Could not."]]);
      expect(existsSync(join(served.project, "made"))).toBe(false);
      expect(await fsck(served, served.logs()[0] ?? "")).toMatchObject(IN_ORDER);
    }));

  test("is asked again after a kill, its line printed anew, and answered over the input", () =>
    withModel({ script }, async (served) => {
      const first = talk(served, ["make it"]);
      const asked = await first.next("permission.requested");
      first.kill("SIGKILL");
      await first.done;
      const second = talk(served, ["--resume"]);
      expect(await second.next("permission.requested")).toEqual(asked);
      second.send({ kind: "permission-response", requestId: asked.payload?.permissionRequestId, decision: "once" });
      expect(await second.next("result")).toMatchObject({ result: "Could not.", exit_code: 0 });
      expect(existsSync(join(served.project, "made"))).toBe(true);
      expectEnd(await second.end(), 0);
    }));

  test("stays open when a front comes and goes without a word", () =>
    withModel({ script }, async (served) => {
      const first = talk(served, ["make it"]);
      await first.next("permission.requested");
      first.kill("SIGKILL");
      await first.done;
      const second = talk(served, ["--continue"]);
      expectEnd(await second.end(), 4);
      expect(second.lines.at(-1)).toMatchObject({ type: "result", status: "idle", pending: { permission: {} } });
      expect(served.simulator.requests.filter(({ path }) => path.includes("/messages"))).toHaveLength(1);
    }));
});

describe("an end before the input's own", () => {
  const script: Script = sequence([bash("sleep 309"), text("Went on.")]);

  test("quit stops what runs", () =>
    withModel({ script }, async (served) => {
      const front = talk(served, ["wait"]);
      await front.next("tool.started", isTool("bash"));
      front.send({ kind: "quit" });
      expectEnd(await front.done, 130);
      expect(results(front.lines)).toEqual([["interrupted", 130, ""]]);
    }));

  test("a signal does, whatever stdin holds, and the session goes on afterwards", () =>
    withModel({ script }, async (served) => {
      const front = talk(served, ["wait"]);
      await front.next("tool.started", isTool("bash"));
      front.kill("SIGTERM");
      expectEnd(await front.done, 143);
      expect(results(front.lines)).toEqual([["interrupted", 143, ""]]);
      const again = talk(served, ["--continue"]);
      again.send(message("go on"));
      expect(await again.next("result")).toMatchObject({ status: "completed", result: "Went on." });
      expectEnd(await again.end(), 0);
      expect(await fsck(served, served.logs()[0] ?? "")).toMatchObject(IN_ORDER);
    }));
});

test("the input's end lets the turn and what is queued behind it finish", () => {
  const script: Script = sequence([bash("sleep 0.3"), text("First."), text("Second.")]);
  return withModel({ script }, async (served) => {
    const front = talk(served, ["wait"]);
    await front.next("tool.started", isTool("bash"));
    front.send({ kind: "steer", text: "then this", deliver: "next-turn" });
    expectEnd(await front.end(), 0);
    expect(results(front.lines)).toEqual([
      ["completed", 0, "First."],
      ["completed", 0, "Second."],
    ]);
  });
});

test("partial messages come as they stream, without a place in the log", () =>
  withModel({ script: sequence([text("A few words of an answer, in pieces.")]) }, async (served) => {
    const front = talk(served, ["--include-partial-messages", "tell"]);
    expect(await front.next("model.text-delta")).toMatchObject({ payload: { text: expect.any(String) } });
    expectEnd(await front.end(), 0);
    expect(front.lines.filter(({ type }) => type === "model.text-delta").every(({ seq }) => seq === undefined)).toBe(
      true,
    );
  }));
