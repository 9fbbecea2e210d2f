/**
 * One message through the house: the tutorial. A user asks for a failing test to be fixed; each step below shows who holds the
 * work and what it is there. Everything is real (files, processes, log, HTTP), only the model is the scripted server.
 *
 * Read it beside docs/ARCHITECTURE.md. Killing the process after any step would leave a log from which every later step can be
 * computed again: the last part of the test shows that.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { deriveNext } from "../src/agent/index.ts";
import { modelFacts } from "../src/anthropic/index.ts";
import { checkRequests } from "../src/cli/request-check.ts";
import { createContextEngine, loadPrefix } from "../src/context/index.ts";
import { conversation, type SessionState, turnState } from "../src/session/index.ts";
import { decode, encode, fold, type LogEvent, systemClock } from "../src/shared/index.ts";
import { type ScriptedTurn, sequence } from "../src/simulator/index.ts";
import { type CoalescedFrame, createCoalescer } from "../src/tui/index.ts";
import { eventsOf, type House, openHouse } from "./support/house.ts";

const WRONG = "add() { echo $(($1 - $2)); }\n";
const RIGHT = "add() { echo $(($1 + $2)); }\n";

/** What the model will say, turn by turn. It never learns what the program does in between. */
const answers: readonly ScriptedTurn[] = [
  {
    content: [
      { type: "thinking", thinking: "Look at the function before changing it." },
      { type: "text", text: "Reading the function." },
      { type: "tool_use", name: "read", input: { file_path: "add.sh" } },
    ],
  },
  {
    content: [
      { type: "thinking", thinking: "It subtracts." },
      { type: "tool_use", name: "edit", input: { file_path: "add.sh", old_string: "$1 - $2", new_string: "$1 + $2" } },
    ],
  },
  { content: [{ type: "text", text: "The function adds now." }] },
];

let house: House;
const states: SessionState[] = [];
const frames: CoalescedFrame[] = [];

beforeAll(async () => {
  house = await openHouse({
    script: sequence(answers),
    flags: { permissionMode: "ask" },
    somebodyToAsk: true,
    files: {
      "add.sh": WRONG,
      "test.sh":
        '. ./add.sh\nif [ "$(add 2 3)" = 5 ]; then echo "1 passed, 0 failed"; else echo "0 passed, 1 failed"; exit 1; fi\n',
    },
  });
  const { session, agent } = house.engine;
  const coalescer = createCoalescer({ clock: systemClock });
  const lastFrame = Promise.withResolvers<void>();
  coalescer.subscribe((frame) => {
    frames.push(frame);
    if (frame.durables.some(({ type }) => type === "task.completed")) lastFrame.resolve();
  });
  session.bus.onAny((event) => {
    coalescer.push(event);
    states.push(session.state());
    // A front never publishes from inside a delivery: it sends a command, a moment later.
    if (event.type !== "permission.requested") return;
    const { permissionRequestId: requestId } = event.payload;
    queueMicrotask(() => agent.dispatch({ kind: "permission-response", requestId, decision: "once" }));
  });
  await house.say("Fix the failing test in test.sh");
  await lastFrame.promise;
  coalescer.dispose();
});

afterAll(() => house.close());

const logged = (): readonly LogEvent[] =>
  readFileSync(house.engine.session.path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => {
      const event = decode(line);
      if (!event.ok) throw new Error(event.error.message);
      return event.value;
    });

/** The state that subscribers saw together with the event at `seq`. */
function stateAt(seq: number): SessionState {
  const found = states.find((state) => state.lastSeq === seq);
  if (!found) throw new Error(`no state at ${seq}`);
  return found;
}

const policy = { exceeded: () => undefined, prune: () => undefined, needsCompaction: () => false };

describe("one message through the house", () => {
  test("1–3. the front sends a command; the agent records it as an event, with the context that is sent for ever after", () => {
    const [message] = eventsOf(house.events, "user.message-created");
    expect(message?.payload).toMatchObject({ text: "Fix the failing test in test.sh", mentions: [], by: "user" });
    expect(message?.payload.context?.map(({ name }) => name)).toContain("environment");
  });

  test("4. the session gives it a place in the log: one line, written before anybody sees it", () => {
    const lines = readFileSync(house.engine.session.path, "utf8").trimEnd().split("\n");
    for (const event of house.events) expect(lines[event.seq - 1]).toBe(encode(event));
    expect(logged().map(({ seq }) => seq)).toEqual(lines.map((_, at) => at + 1));
  });

  test("5. a screen gets bounded frames: deltas first, then the durable event that settles them", () => {
    const durables = frames.flatMap((frame) => frame.durables);
    expect(durables.map(({ seq }) => seq)).toEqual(house.events.map(({ seq }) => seq));
    const streamed = frames.flatMap((frame) => [...frame.textAppends.values()]).join("");
    expect(streamed).toContain("Reading the function.");
  });

  test("6. the kernel derives the next step from recorded state alone", () => {
    const [message] = eventsOf(house.events, "user.message-created");
    expect(deriveNext(stateAt(message?.seq ?? 0), policy)).toEqual({ kind: "call-model" });
  });

  test("7–8. the context engine builds the request from the log and the frozen prefix; the client sends exactly that", async () => {
    const [message] = eventsOf(house.events, "user.message-created");
    const { session } = house.engine;
    const state = session.state().conversation;
    const prefix = await loadPrefix(session.blobs, state.systemSha256 ?? "", state.toolsSha256 ?? "");
    if (!prefix) throw new Error("the frozen prefix is in the blob store");
    const engine = createContextEngine({ prefix, facts: modelFacts, reservedOutputTokens: 32_000 });
    const before = {
      ...session.state(),
      conversation: fold(conversation, upTo(message?.seq)),
      turn: fold(turnState, upTo(message?.seq)),
    };
    const { request, record } = engine.selectContext(before);
    const [sent] = house.simulator.requests;
    const body = sent?.body as { readonly model: string; readonly stream: boolean; readonly messages: unknown };
    expect({ model: body.model, stream: body.stream }).toEqual({ model: request.model, stream: true });
    expect(withoutMarks(body.messages)).toEqual(withoutMarks(request.messages));
    const [started] = eventsOf(house.events, "model.request-started");
    expect(started?.payload).toMatchObject({ purpose: "main", attempt: 1, requestSha256: record.requestSha256 ?? "" });
  });

  test("9. deltas only pass by; blocks that settle become events, and the call becomes pending work", () => {
    expect(house.everything.filter((event) => event.type === "model.text-delta").length).toBeGreaterThan(0);
    const [thought] = eventsOf(house.events, "model.thinking-block-completed");
    const [text] = eventsOf(house.events, "model.text-block-completed");
    const [call] = eventsOf(house.events, "tool.requested");
    expect(thought?.payload.signature).not.toBe("");
    expect(text?.payload.text).toBe("Reading the function.");
    expect(call?.payload).toMatchObject({ toolName: "read", input: { file_path: "add.sh" } });
  });

  test("10. once the response has ended, the next step is to run what it asked for", () => {
    const [response] = eventsOf(house.events, "model.response-completed");
    expect(response?.payload.stopReason).toBe("tool_use");
    expect(deriveNext(stateAt(response?.seq ?? 0), policy)).toEqual({ kind: "execute-tools" });
  });

  test("11. the gate lets a read of the project pass, and waits for the recorded answer before an edit", () => {
    const [read, edit] = eventsOf(house.events, "tool.approved");
    const [asked] = eventsOf(house.events, "permission.requested");
    const [granted] = eventsOf(house.events, "permission.granted");
    expect(read?.payload.via).toBe("policy-allow");
    expect(edit?.payload.via).toBe("user-once");
    expect(asked?.payload).toMatchObject({ capability: "file.write.project" });
    expect(granted?.payload.permissionRequestId).toBe(asked?.payload.permissionRequestId ?? "");
    expect(granted?.seq).toBeLessThan(edit?.seq ?? 0);
  });

  test("12–13. the tool acts on the real file; the runtime records the facts and the result that the model saw", () => {
    expect(readFileSync(join(house.cwd, "add.sh"), "utf8")).toBe(RIGHT);
    const [read] = eventsOf(house.events, "file.read");
    const [change] = eventsOf(house.events, "file.modified");
    expect(read?.payload.path).toBe("add.sh");
    expect(change?.payload).toMatchObject({ path: "add.sh", operation: "edit", diffStats: { added: 1, removed: 1 } });
    expect(change?.payload.beforeSha256).toBe(read?.payload.sha256 ?? "");
  });

  test("14. results go back to the model, twice round, until it has an answer; no earlier byte changes", () => {
    expect(house.simulator.requests.length).toBe(3);
    expect(house.simulator.refusals).toEqual([]);
    expect(eventsOf(house.events, "model.response-completed").map(({ payload }) => payload.stopReason)).toEqual([
      "tool_use",
      "tool_use",
      "end_turn",
    ]);
  });

  test("15. the answer is withheld until the project's own check has run; then the turn ends with its evidence", () => {
    const [withheld] = eventsOf(house.events, "task.verification-requested");
    const [check] = eventsOf(house.events, "verify.result");
    const [done] = eventsOf(house.events, "task.completed");
    expect(withheld?.payload).toMatchObject({ attempt: 1, detectedChecks: ["sh test.sh"] });
    expect(check?.payload).toMatchObject({ command: "sh test.sh", exitCode: 0, observedFrom: "khaelor" });
    expect(done?.payload.evidence).toMatchObject({
      objective: "Fix the failing test in test.sh",
      changedFiles: ["add.sh"],
      checks: [{ command: "sh test.sh", exitCode: 0, summary: "1 passed, 0 failed" }],
      unresolvedIssues: [],
    });
  });

  test("the whole course, as the log tells it", () => {
    expect(house.types()).toEqual([
      "user.message-created",
      "model.request-started",
      "model.thinking-block-completed",
      "model.text-block-completed",
      "tool.requested",
      "model.response-completed",
      "tool.approved",
      "tool.started",
      "file.read",
      "tool.completed",
      "model.request-started",
      "model.thinking-block-completed",
      "tool.requested",
      "model.response-completed",
      "permission.requested",
      "permission.granted",
      "tool.approved",
      "tool.started",
      "file.modified",
      "tool.completed",
      "model.request-started",
      "model.text-block-completed",
      "model.response-completed",
      "task.verification-requested",
      "permission.requested",
      "permission.granted",
      "verify.result",
      "task.completed",
    ]);
  });

  test("16. the log alone gives every state again, and every request byte for byte", async () => {
    const live = house.engine.session.state();
    expect(fold(turnState, logged())).toEqual(live.turn);
    expect(fold(conversation, logged()).messages).toEqual([...live.conversation.messages]);
    expect((await checkRequests(house.engine.store, house.engine.session.id)).mismatches).toEqual([]);
  });
});

function upTo(seq = 0): readonly LogEvent[] {
  return logged().filter((event) => event.seq <= seq);
}

/** Cache marks are not part of what is bound; everything else of a message is. */
const withoutMarks = (messages: unknown): unknown =>
  JSON.parse(JSON.stringify(messages, (key, value: unknown) => (key === "cache_control" ? undefined : value)));
