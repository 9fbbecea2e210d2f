/** What the timeline shows of calls, and of what happens beside the conversation. */
import { describe, expect, test } from "bun:test";
import { type DurableInput, fold, type LogEvent } from "../../src/shared/index.ts";
import { summaryCost } from "../../src/tui/model/compactions.ts";
import type { CallItem } from "../../src/tui/model/items.ts";
import { timeline, timelineWith } from "../../src/tui/model/timeline.ts";
import * as w from "../session/log-words.ts";
import { told } from "./item-words.ts";

const shown = (...inputs: readonly (DurableInput | readonly DurableInput[])[]) => fold(timeline, w.given(...inputs));

describe("calls", () => {
  const states = (events: LogEvent[]) =>
    events.reduce<{ state: ReturnType<typeof timeline.initial>; seen: string[] }>(
      ({ state, seen }, event) => {
        const next = timeline.apply(state, event);
        const call = next.items.find((item): item is CallItem => item.kind === "call");
        return { state: next, seen: call && call.state !== seen.at(-1) ? [...seen, call.state] : seen };
      },
      { state: timeline.initial(), seen: [] },
    ).seen;

  test("go through their states, and nothing comes after their end", () => {
    const answer = [...w.called("r", "t"), w.question("q", "t"), w.granted("q"), w.approved("t"), w.started("t")];
    expect(states(w.given(answer, w.done("t", "x"), w.broken("t", "y"), w.question("p", "t")))).toEqual([
      "requested",
      "asking",
      "requested",
      "running",
      "done",
    ]);
    expect(states(w.given(w.called("r", "t"), w.question("q", "t"), w.denied("q"), w.broken("t", "no")))).toEqual([
      "requested",
      "asking",
      "requested",
      "failed",
    ]);
    expect(states(w.given(answer, w.interrupted("t"), w.cancelled("t")))).toEqual([
      "requested",
      "asking",
      "requested",
      "running",
      "cancelled",
    ]);
  });

  test("keep a bounded part of a long result: of what was read the beginning, of what was printed the end", () => {
    const lines = Array.from({ length: 1000 }, (_, at) => `line ${at}`).join("\n");
    const ui = { kind: "exec" as const, summary: "s", exitCode: 1 };
    const exec = w.event("tool.completed", { toolUseId: "b", modelText: lines, durationMs: 1, ui });
    const { items } = shown(w.called("r", "a", "b", "c"), w.done("a", lines), exec, w.broken("c", "é".repeat(20_000)));
    const [read, ran, failed] = items.filter((item): item is CallItem => item.kind === "call");
    expect([read?.output.split("\n").length, read?.output.startsWith("line 0\n"), read?.isCut]).toEqual([
      200,
      true,
      true,
    ]);
    expect([ran?.output.split("\n").length, ran?.output.endsWith("line 999"), ran?.isCut, ran?.exitCode]).toEqual([
      200,
      true,
      true,
      1,
    ]);
    expect([Buffer.byteLength(failed?.output ?? ""), failed?.isCut]).toEqual([16 * 1024, true]);
  });

  test("keep a bounded part of a long input", () => {
    const { items } = shown(
      w.asked("r"),
      w.call("r", 0, "t", { content: "x".repeat(1_000_000), file_path: "a" }),
      w.ended("r", "tool_use"),
    );
    expect(JSON.stringify(items[0]).length).toBeLessThan(20_000);
  });

  test("carry the changes they made; a change without a call is told by itself", () => {
    const change = (path: string, toolUseId?: string) =>
      w.event("file.modified", {
        path,
        operation: "exec",
        diffStats: { added: 2, removed: 1 },
        diff: "d",
        ...(toolUseId && { toolUseId }),
      });
    const { items } = shown(
      w.called("r", "t"),
      change("a.ts", "t"),
      w.done("t", "x"),
      change("b.ts", "t"),
      change("c\n.ts"),
    );
    const call = items.find((item): item is CallItem => item.kind === "call");
    expect(call?.changes.map(({ path, diff }) => [path, diff])).toEqual([
      ["a.ts", "d"],
      ["b.ts", "d"],
    ]);
    expect(told(items).at(-1)).toBe("notice: Changed c\\n.ts +2 −1");
  });
});

describe("beside the conversation", () => {
  const event = w.event;
  const saying = (...inputs: readonly (DurableInput | readonly DurableInput[])[]) => told(shown(...inputs).items);

  test("notices say what the log says, in a line each", () => {
    expect(
      saying(
        w.begun,
        event("session.renamed", { title: "a\u202eb" }),
        event("session.model-changed", { from: "m1", to: "m2", reason: "user" }),
        event("session.model-changed", { from: "m2", to: "m2", reason: "user", effort: "high" }),
        event("process.started", { processId: "p", pid: 1, command: "serve", cwd: "/" }),
        event("process.exited", { processId: "p", exitCode: 3, cause: "exited", durationMs: 65_000 }),
        event("verify.result", {
          ...{
            runId: "v",
            trigger: "gate",
            command: "bun test",
            cwd: "/",
            exitCode: 1,
            durationMs: 400,
            summary: "1 failed",
          },
          ...{ coversSeq: 1, treeHash: "h", observedFrom: "khaelor" },
        }),
        w.resumed(),
      ),
    ).toEqual([
      "notice: Renamed: a\\u202eb",
      "notice: Model: m1 → m2",
      "notice: effort: high",
      "notice: Process started: serve",
      "notice: Process ended with exit 3 after 1m 05s: serve",
      "notice: Check failed with exit 1: bun test · 1 failed · 0.4s",
      "notice: Resumed.",
    ]);
  });

  test("a failure for good is told once: by the end of the turn, by the switch to another model, or by itself", () => {
    const lost = [w.said("a"), w.asked("r"), w.failed("r", { retriesExhausted: true, message: "overloaded" })];
    const gaveUp = event("task.failed", { reason: "model-fatal-error", detail: "overloaded" });
    const fallback = event("session.model-changed", { from: "m1", to: "m2", reason: "fallback" });
    expect(saying(lost, gaveUp, w.resumed())).toEqual(["says: a", "failed: overloaded", "notice: Resumed."]);
    expect(saying(lost, fallback)).toEqual(["says: a", "notice: m1 did not answer: overloaded. Going on with m2."]);
    expect(saying(lost, w.resumed())).toEqual([
      "says: a",
      "notice: overloaded",
      "notice: Resumed. The turn was cut off before its end.",
    ]);
    expect(saying(w.said("a"), w.asked("r"), w.failed("r"), w.said("b"))).toEqual(["says: a", "says: b"]);
  });

  test("an outcome tells what was changed and checked, and says nothing when there is nothing", () => {
    const evidence = { objective: "o", changedFiles: ["a"], checks: [], unresolvedIssues: [] };
    expect(saying(w.said("a"), w.completed, event("task.completed", { evidence }))).toEqual(["says: a", "done: a"]);
  });

  test("a compaction is a line across, with its checkpoint to unfold", () => {
    const after = { tokensBefore: 12_345, tokensAfterEstimate: 4_000 };
    expect(
      saying(
        w.compacted(1, { tokensBefore: 12_345 }),
        w.compacted(1, { ...after, route: "aux" }),
        w.compacted(1, { ...after, route: "server" }),
        w.compacted(1, { ...after, route: "none", summaryModel: "none", checkpointYaml: "" }),
        w.pruned("gone", "t"),
        event("context.pruned", {
          ...{ toolUseIds: ["a", "b"], placeholder: "gone", tokensReclaimedEstimate: 12_040 },
          imageSha256s: ["x"],
        }),
      ),
    ).toEqual([
      "— summed up: 12.3K tokens, by model-b (yaml)",
      "— summed up: 12.3K → about 4K tokens, by model-b (yaml)",
      "— summed up: 12.3K → about 4K tokens, by the API itself, model-b (yaml)",
      "— summed up: 12.3K → about 4K tokens, from the log alone ()",
      "— 1 old result taken out, about 1 tokens ()",
      "— 2 old results and 1 picture taken out, about 12K tokens ()",
    ]);
  });

  test("a compaction tells what its own requests cost, the failed ones among them, and no others", () => {
    const usage = { inputTokens: 1000, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
    const asked = (id: string) => w.asked(id, { purpose: "compaction", model: "m" });
    const end = (requestId: string, more: object = {}) =>
      event("model.response-completed", { requestId, stopReason: "end_turn", usage, durationMs: 1, ...more });
    const ended = (id: string) => [asked(id), end(id)];
    const price = (model: string, { inputTokens }: { inputTokens: number }) =>
      model === "m" ? inputTokens / 1e6 : null;
    const lines = (events: readonly DurableInput[]) =>
      told(fold(timelineWith(price), w.given(events)).items).filter((line) => line.startsWith("—"));
    const failed = event("model.request-failed", {
      ...{ requestId: "b", kind: "retryable", message: "", retriesExhausted: false, usage },
    });
    const stopped = event("model.request-failed", {
      ...{ requestId: "s", kind: "cancelled", message: "", retriesExhausted: false, usage },
    });
    expect(
      lines([
        ...ended("a"), // for nothing: the conversation goes on
        ...[w.said("x"), w.asked("r"), end("r")],
        ...[asked("s"), stopped], // for nothing, too
        ...[asked("b"), failed, ...ended("c"), w.compacted(1)],
        w.compacted(1),
        ...[asked("d"), end("d", { resolvedModel: "other" }), w.compacted(1)],
        ...[...ended("e"), ...ended("f"), w.compacted(1)], // the first came to nothing: that was part of making this one
      ]),
    ).toEqual([
      "— summed up: 1 tokens, by model-b, $0.002 (yaml)",
      "— summed up: 1 tokens, by model-b (yaml)",
      "— summed up: 1 tokens, by model-b, price unknown (yaml)",
      "— summed up: 1 tokens, by model-b, $0.002 (yaml)",
    ]);
    const dead = Array.from({ length: 50 }, (_, at) => asked(`dead${at}`));
    expect(fold(summaryCost(price), w.given(dead)).open.size).toBeLessThanOrEqual(8);
  });

  test("consent that lasts is told, and so is a refusal that no call tells of", () => {
    const ask = (id: string, more: object) =>
      event("permission.requested", {
        permissionRequestId: id,
        capability: "file.read",
        descriptor: "Read x",
        ...more,
      });
    expect(
      saying(
        ask("a", { suggestion: { capability: "file.read", pattern: "x" }, toolUseId: "t" }),
        event("permission.granted", { permissionRequestId: "a", scope: "always-project" }),
        ask("b", { mention: "~/x" }),
        event("permission.denied", { permissionRequestId: "b", source: "user", feedback: "" }),
        ask("c", { toolUseId: "t" }),
        w.granted("c"),
      ),
    ).toEqual(["notice: Allowed always in this project: file.read “x”", "notice: Not allowed: Read x"]);
  });
});
