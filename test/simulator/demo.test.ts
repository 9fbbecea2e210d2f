/** The demo's model against its real project, with real commands, also when calls are cut off anywhere. */
import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { demoPace, demoProject, demoScript, type Simulator } from "../../src/simulator/index.ts";
import { manualClock } from "../support/clock.ts";
import { type Block, echo, type Message, post, user, withSimulator } from "./harness.ts";
import { exchange, parseEvents } from "./wire.ts";

function layOut(): string {
  const folder = mkdtempSync(join(tmpdir(), "demo-"));
  for (const [path, { content, executable }] of Object.entries(demoProject.files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
    if (executable) chmodSync(join(folder, path), 0o755);
  }
  return folder;
}

async function inProject(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = layOut();
  try {
    await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const runTests = (folder: string) => spawnSync("sh", ["test.sh"], { cwd: folder, encoding: "utf8" });

interface ToolAnswer {
  readonly content: string;
  readonly is_error?: true;
}

/** The three tools as the model knows them, in a few lines. */
function execute(folder: string, { name, input }: Block): ToolAnswer {
  const typed = input as Record<string, string>;
  if (name === "bash") {
    const { status, stdout } = spawnSync("sh", ["-c", typed.command ?? ""], { cwd: folder, encoding: "utf8" });
    return { content: status === 0 ? stdout : `${stdout}[exit code ${status}]` };
  }
  const path = join(folder, typed.file_path ?? "");
  const text = readFileSync(path, "utf8");
  if (name === "read")
    return {
      content: text
        .split("\n")
        .map((line, i) => `${i + 1}\t${line}`)
        .join("\n"),
    };
  if (text.split(typed.old_string ?? "").length !== 2)
    return { content: "old_string does not occur once", is_error: true };
  writeFileSync(path, text.replace(typed.old_string ?? "", typed.new_string ?? ""));
  return { content: "edited" };
}

type Fate = "done" | "not run" | "effects unknown";

interface Run {
  readonly messages: readonly Message[];
  readonly calls: readonly string[];
  readonly lastText: string;
}

/** Plays the agent: every call has its fate, the later ones are simply done. */
async function play(simulator: Simulator, folder: string, fates: readonly Fate[]): Promise<Run> {
  let messages: readonly Message[] = [user(demoProject.task)];
  const calls: string[] = [];
  for (let i = 0; i < 30; i++) {
    const reply = await post(simulator, { model: "claude-opus-5-5", max_tokens: 4000, messages });
    expect(reply.json.error).toBeUndefined();
    const assistant = echo(reply);
    messages = [...messages, assistant];
    const blocks = assistant.content as readonly Block[];
    const wanted = blocks.filter(({ type }) => type === "tool_use");
    if (wanted.length === 0) return { messages, calls, lastText: String(blocks.at(-1)?.text) };
    const results = wanted.map((call) => {
      const fate = fates[calls.length] ?? "done";
      const answer = fate === "not run" ? undefined : execute(folder, call);
      calls.push(`${call.name}${answer?.is_error ? " failed" : ""}${fate === "done" ? "" : ` (${fate})`}`);
      const cancelled = { content: "[The program ended while this call was running.]", is_error: true };
      return { type: "tool_result", tool_use_id: String(call.id), ...(fate === "done" && answer ? answer : cancelled) };
    });
    messages = [...messages, user(...results)];
  }
  throw new Error(`no end: ${calls.join(", ")}`);
}

const withDemo = (run: (simulator: Simulator, folder: string) => Promise<void>): Promise<void> =>
  inProject((folder) => withSimulator({ script: demoScript }, (simulator) => run(simulator, folder)));

test("the project's checks really fail, by their minutes, and one of them is why", () =>
  inProject(async (folder) => {
    const { status, stdout } = runTests(folder);
    expect(status).toBe(1);
    expect(stdout.match(/^not ok .*$/gm)).toEqual([
      "not ok 4 - 3600 seconds are 1h 00m 00s",
      "not ok 5 - 3909 seconds are 1h 05m 09s",
      "not ok 6 - 90061 seconds are 25h 01m 01s",
    ]);
    expect(stdout).toContain("# 3 passed, 3 failed");
  }));

test("undisturbed it runs, reads, edits, runs again and reports", () =>
  withDemo(async (simulator, folder) => {
    const { calls, lastText } = await play(simulator, folder, []);
    expect(calls).toEqual(["bash", "read", "edit", "bash"]);
    expect(lastText).toStartWith("All 6 checks pass");
    expect(runTests(folder).status).toBe(0);
    expect(simulator.refusals).toEqual([]);
  }));

test("an edit that was cut off after its effect is looked at, not repeated", () =>
  withDemo(async (simulator, folder) => {
    const { calls } = await play(simulator, folder, ["done", "done", "effects unknown"]);
    expect(calls).toEqual(["bash", "read", "edit (effects unknown)", "read", "bash"]);
    expect(runTests(folder).status).toBe(0);
  }));

test("property: whatever is cut off, it ends with green checks and no edit fails", () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom<Fate>("done", "not run", "effects unknown"), { maxLength: 8 }), (fates) =>
      withDemo(async (simulator, folder) => {
        const { calls, lastText } = await play(simulator, folder, fates);
        expect(calls.filter((call) => call.includes("failed"))).toEqual([]);
        expect(lastText).toStartWith("All 6 checks pass");
        expect(runTests(folder).status).toBe(0);
      }),
    ),
    { seed: 3, numRuns: 25 },
  ));

test("it gives up in words when its calls are denied, and says so when asked for something else", () =>
  withDemo(async (simulator, folder) => {
    const denied: Message[] = [user(demoProject.task)];
    let text = "";
    for (let i = 0; i < 4; i++) {
      const assistant = echo(await post(simulator, { model: "claude-opus-5-5", max_tokens: 4000, messages: denied }));
      const blocks = assistant.content as readonly Block[];
      text = String(blocks.findLast(({ type }) => type === "text")?.text);
      const calls = blocks.filter(({ type }) => type === "tool_use");
      if (calls.length === 0) break;
      const refusals = calls.map(({ id }) => ({
        type: "tool_result",
        tool_use_id: String(id),
        content: "Denied by the user.",
        is_error: true,
      }));
      denied.push(assistant, user(...refusals));
    }
    expect(text).toContain("could not finish");

    const { messages } = await play(simulator, folder, []);
    const more = await post(simulator, {
      model: "claude-opus-5-5",
      max_tokens: 4000,
      messages: [...messages, user("now write a poem")],
    });
    expect(JSON.stringify(more.json.content)).toContain("only this one task");
  }));

test("its pace leaves time to be seen and to be cut", async () => {
  const clock = manualClock();
  await withSimulator({ script: demoScript, stream: demoPace, clock }, async (simulator) => {
    const reply = exchange(simulator, {
      model: "claude-opus-5-5",
      max_tokens: 4000,
      stream: true,
      messages: [user("x")],
    });
    const start = clock.now();
    let over = false;
    void reply.then(() => {
      over = true;
    });
    while (!over) {
      clock.runAll();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(parseEvents((await reply).body).at(-1)?.event).toBe("message_stop");
    expect(clock.now() - start).toBeGreaterThan(200);
  });
});
