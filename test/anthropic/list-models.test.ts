/** What the API says of its models: asked in pages and within bounds, joined with the table, and never believed blindly. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { factsWith, listModels, modelFacts } from "../../src/anthropic/index.ts";
import { readPage } from "../../src/anthropic/listed.ts";
import { silentLogger, systemClock } from "../../src/shared/index.ts";
import { MODELS, type Simulator, startSimulator } from "../../src/simulator/index.ts";
import { type Exchange, scriptedServer } from "./scripted-server.ts";

const KEY = "sk-ant-api03-a-key-that-nobody-may-see";

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ script: () => ({ content: [] }), apiKey: KEY });
});
afterAll(() => simulator.close());

const ask = (baseURL: string, value = KEY) =>
  listModels(
    {
      auth: { kind: "api-key", value },
      baseURL,
      version: "0.0.0-test",
      clock: systemClock,
      random: () => 0,
      logger: silentLogger,
    },
    new AbortController().signal,
  );

test("every model that is not retired is listed, with its limits, efforts and kinds of thinking", async () => {
  const listed = await ask(simulator.url);
  if (!listed.ok) throw new Error(listed.error.message);
  expect(listed.value.map(({ id }) => id)).toEqual(
    MODELS.filter(({ lifecycle }) => lifecycle !== "retired").map(({ id }) => id),
  );
  expect(listed.value.find(({ id }) => id === "claude-haiku-5-5")).toEqual({
    id: "claude-haiku-5-5",
    displayName: "Claude Haiku 5.5",
    lifecycle: "active",
    contextWindow: 1_000_000,
    maxOutputTokens: 128_000,
    thinking: ["adaptive", "disabled"],
    efforts: ["low", "medium", "high", "xhigh", "max"],
  });
});

test("a wrong key is said, without the key; so is a server that is not there", async () => {
  const wrong = await ask(simulator.url, "sk-ant-api03-another-one-altogether");
  expect(wrong).toMatchObject({ ok: false, error: { kind: "auth", status: 401 } });
  expect(JSON.stringify(wrong)).not.toContain("another-one-altogether");
  expect(await ask("http://127.0.0.1:1")).toMatchObject({ ok: false, error: { kind: "retryable" } });
  expect(await ask(simulator.url, "")).toMatchObject({ ok: false, error: { kind: "auth", attempts: 0 } });
});

test("pages are followed to the last one, and not for ever", async () => {
  const page = (id: string, more: boolean) => (exchange: Exchange) =>
    exchange.respond(
      200,
      { "content-type": "application/json" },
      JSON.stringify({ data: [{ id }], has_more: more, last_id: id }),
    );
  const server = await scriptedServer(page("a", true), page("b", true), page("c", false));
  expect(await ask(server.url)).toEqual({ ok: true, value: [{ id: "a" }, { id: "b" }, { id: "c" }] });
  expect(server.requests.map(({ head }) => head.split(" ")[1])).toEqual([
    "/v1/models?limit=1000",
    "/v1/models?limit=1000&after_id=a",
    "/v1/models?limit=1000&after_id=b",
  ]);
  await server.stop();
  const stuck = await scriptedServer(page("a", true));
  expect(await ask(stuck.url)).toMatchObject({ ok: true });
  expect(stuck.requests).toHaveLength(2);
  await stuck.stop();
});

test("what is no list is an error that says so", async () => {
  for (const body of ["<html>", "[]", '{"data":3}']) {
    const server = await scriptedServer((exchange) => exchange.respond(200, {}, body));
    expect(await ask(server.url)).toMatchObject({ ok: false });
    await server.stop();
  }
  for (const odd of [undefined, null, [], {}, { data: {} }, "x"]) expect(readPage(odd)).toBeUndefined();
});

test("what is odd in an entry is left out; an entry without a usable id is none", () => {
  const data = [
    null,
    { id: 7 },
    { id: "" },
    { id: "with blanks and \u001b[31mcolours" },
    { id: "x".repeat(300) },
    { id: "fine", max_input_tokens: 3, max_tokens: -1, capabilities: { effort: { low: { supported: "yes" } } } },
    { id: "__proto__", max_input_tokens: 2048, capabilities: null, display_name: 4 },
  ];
  expect(readPage({ data })?.models).toEqual([
    { id: "fine", efforts: [] },
    { id: "__proto__", contextWindow: 2048 },
  ]);
});

test("listed limits stand in place of the table's; prices and unlisted models stay as they are", () => {
  const facts = factsWith([
    { id: "claude-opus-5-5", contextWindow: 500_000 },
    { id: "claude-haiku-4-5-20251001", maxOutputTokens: 5000 },
    { id: "brand-new", contextWindow: 2_000_000, maxOutputTokens: 9000, thinking: ["adaptive"], efforts: ["low"] },
  ]);
  expect(facts("claude-opus-5-5")).toEqual({ ...modelFacts("claude-opus-5-5"), contextWindow: 500_000 });
  expect(facts("claude-haiku-4-5").maxOutputTokens).toBe(5000);
  expect(facts("brand-new")).toEqual({
    ...modelFacts("brand-new"),
    contextWindow: 2_000_000,
    maxOutputTokens: 9000,
    thinking: ["adaptive"],
    efforts: ["low"],
  });
  expect(facts("claude-sonnet-5")).toBe(modelFacts("claude-sonnet-5"));
  expect(facts("constructor")).toBe(modelFacts("constructor"));
});
