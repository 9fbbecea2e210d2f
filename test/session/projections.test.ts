/** The folds of files and listing: given events, then the whole state. */
import { describe, expect, test } from "bun:test";
import { conversation, fileChangeSet, metaOf, sessionMeta } from "../../src/session/index.ts";
import { type DurableInput, fold, type Payload } from "../../src/shared/index.ts";
import { answered, asked, event, given, used } from "./usage-words.ts";
import { ID, STARTED } from "./workshop.ts";

describe("files", () => {
  const modified = (path: string, more: Partial<Payload<"file.modified">> = {}) =>
    event("file.modified", { path, operation: "edit", diffStats: { added: 2, removed: 1 }, ...more });
  const baseline = (branch: string) =>
    event("git.baseline-recorded", {
      when: "session-start",
      baseline: { branch, dirtyFiles: [], untrackedFiles: [], diffHash: "h" },
    });

  test("accumulate by path from the first content before to the last one after", () => {
    const state = fold(
      fileChangeSet,
      given(
        modified("constructor", { beforeSha256: null, afterSha256: "h1", toolUseId: "t1", operation: "write" }),
        modified("constructor", { beforeSha256: "h1", afterSha256: "h2", toolUseId: "t1" }),
        modified("constructor", { beforeSha256: "h2", afterSha256: "h3", toolUseId: "t2" }),
        modified("b.ts"),
      ),
    );
    expect(Object.entries(state.changes)).toEqual([
      [
        "constructor",
        {
          path: "constructor",
          operations: 3,
          diffStats: { added: 6, removed: 3 },
          firstBeforeSha256: null,
          lastAfterSha256: "h3",
          toolUseIds: ["t1", "t2"],
        },
      ],
      ["b.ts", { path: "b.ts", operations: 1, diffStats: { added: 2, removed: 1 }, toolUseIds: [] }],
    ]);
  });

  test("are known by what the model read or wrote last; a command's change makes that knowledge old, not new", () => {
    const read = (path: string, sha256: string) => event("file.read", { path, bytes: 1, mtimeMs: 1, sha256 });
    const state = fold(
      fileChangeSet,
      given(
        read("a", "h1"),
        modified("a", { afterSha256: "h2" }),
        read("b", "h1"),
        modified("b", { afterSha256: "h9", operation: "exec" }),
        modified("c", { afterSha256: "h9", operation: "restore" }),
        read("d", "h1"),
        modified("d", { afterSha256: null }),
      ),
    );
    expect({ ...state.seen }).toEqual({ a: "h2", b: "h1" });
    expect(state.seen.constructor).toBeUndefined();
  });

  test("mentioned in a queued message are known when it reaches the model, unless something newer was known by then", () => {
    const read = (path: string, sha256: string, more = {}) =>
      event("file.read", { path, bytes: 1, mtimeMs: 1, sha256, ...more });
    const events = given(
      event("user.steering-queued", { text: "look" }),
      read("a", "h1"),
      read("b", "h1"),
      read("c", "h1"),
      modified("b", { afterSha256: "h2" }),
      read("c", "h3", { toolUseId: "t1" }),
      event("user.steering-queued", { text: "never said" }),
      read("d", "h1"),
      event("user.message-created", { text: "now", mentions: [] }),
      read("e", "h1"),
      event("user.steering-injected", { queuedEventId: "e0", seam: "post-tool-batch", afterSeq: 1 }),
    );
    const seen = (upTo: number) => ({ ...fold(fileChangeSet, events.slice(0, upTo)).seen });
    expect(seen(10)).toEqual({ b: "h2", c: "h3", e: "h1" });
    expect(seen(11)).toEqual({ a: "h1", b: "h2", c: "h3", e: "h1" });
  });

  test("are attributed by the last look before the first change", () => {
    const branchAfter = (...events: readonly DurableInput[]) => fold(fileChangeSet, given(...events)).baseline?.branch;
    expect(branchAfter(baseline("a"), baseline("b"), modified("x"), baseline("c"))).toBe("b");
    expect(branchAfter(modified("x"), baseline("late"))).toBe("late");
  });
});

describe("the listing's meta", () => {
  const meta = (...events: readonly DurableInput[]) =>
    metaOf(
      fold(
        sessionMeta(() => 1),
        given(event("session.started", STARTED), ...events),
      ),
    );
  const said = (text: string, by?: "kernel") =>
    event("user.message-created", { text, mentions: [], ...(by && { by }) });

  test("sums up a session", () => {
    const state = meta(
      said("fix it\nplease"),
      asked("r", "model-a"),
      answered("r", used(4)),
      event("permission.requested", { permissionRequestId: "p1", capability: "process.execute", descriptor: "d" }),
      event("permission.requested", {
        permissionRequestId: "p2",
        toolUseId: "toolu_1",
        capability: "process.execute",
        descriptor: "d",
      }),
      event("permission.granted", { permissionRequestId: "p1", scope: "once" }),
      event("permission.denied", { permissionRequestId: "unknown", source: "user", feedback: "" }),
      event("task.failed", { reason: "refused", detail: "" }),
      event("session.model-changed", { from: "model-a", to: "model-c", reason: "user" }),
      said("continue", "kernel"),
    );
    expect(state).toEqual({
      id: ID,
      title: "fix it",
      projectHash: STARTED.projectHash,
      workingDirectory: STARTED.workingDirectory,
      gitBranch: "main",
      model: "model-c",
      createdAt: 1000,
      updatedAt: 1010,
      events: 11,
      userMessages: 1,
      usage: used(4),
      costUsd: 1,
      recentUsd: { 0: 1 },
      pendingApprovals: 1,
      lastOutcome: "failed",
    });
  });

  test("is titled by the first line that says something, cut between characters, until it is renamed", () => {
    expect(meta().title).toBe("demo");
    expect(meta(said(" \n "), said("\n\n  second try \r\nmore"), said("third")).title).toBe("second try");
    expect(meta(said("x".repeat(80))).title).toBe("x".repeat(80));
    expect(meta(said("👍".repeat(500_000))).title).toBe(`${"👍".repeat(79)}…`);
    const renamed = event("session.renamed", { title: "mine" });
    expect(meta(said("first"), renamed, said("second")).title).toBe("mine");
    expect(meta(renamed, said("first")).title).toBe("mine");
    const foreign = event("session.renamed", { title: ` two\r\nlines\u2028of ${"x".repeat(300)}` });
    expect(meta(foreign).title).toBe(`two lines of ${"x".repeat(187)}`);
  });

  test("has no outcome while a later turn is under way", () => {
    const done = event("task.completed", {
      evidence: { objective: "first", changedFiles: [], checks: [], unresolvedIssues: [] },
    });
    expect(meta(said("first"), done).lastOutcome).toBe("completed");
    expect(meta(said("first"), done, said("second")).lastOutcome).toBe("none");
  });
});

test("a call is sent back with its caller and toolset, in the order of the API, and without fields that it did not have", () => {
  const call = { requestId: "r1", toolName: "read", input: { z: 1, a: 2 } };
  const { messages } = fold(
    conversation,
    given(
      event("session.started", STARTED),
      event("user.message-created", { text: "go", mentions: [] }),
      asked("r1", "model-a"),
      event("tool.requested", { ...call, blockIndex: 0, toolUseId: "t1" }),
      event("tool.requested", { ...call, blockIndex: 1, toolUseId: "t2", caller: { type: "x" }, toolsetName: "s" }),
      answered("r1", used(1)),
    ),
  );
  const head = (id: string) => `"type":"tool_use","id":"${id}","name":"read","input":{"z":1,"a":2}`;
  expect(JSON.stringify(messages[1]?.content)).toBe(
    `[{${head("t1")}},{${head("t2")},"caller":{"type":"x"},"toolset_name":"s"}]`,
  );
});
