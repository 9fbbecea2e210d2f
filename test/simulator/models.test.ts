/** The server's own table of models against the client's: two tables, written apart, that have to say the same. */
import { expect, test } from "bun:test";
import { factsWith, knownModels, modelFacts } from "../../src/anthropic/index.ts";
import { MODELS, modelLike, type SimulatedModel } from "../../src/simulator/index.ts";
import { type Body, HEADERS, post, withSimulator } from "./harness.ts";
import { on } from "./rule-parts.ts";

const servedAs = (id: string): SimulatedModel | undefined =>
  MODELS.find((model) => model.id === id || model.aliases?.includes(id));

test("every model that the client knows is served", () =>
  withSimulator({}, async (simulator) => {
    const statuses: Record<string, number> = {};
    for (const id of knownModels) statuses[id] = (await post(simulator, on(id))).status;
    expect(statuses).toEqual(Object.fromEntries(knownModels.map((id) => [id, 200])));
  }));

test("the two tables agree on all that both hold", () => {
  const sorted = (list: readonly string[] | undefined) => [...(list ?? [])].sort();
  const own = knownModels.map((id) => {
    const { contextWindow, maxOutputTokens, thinking, efforts, cacheMinimumTokens, serverCompaction } = modelFacts(id);
    return {
      id,
      contextWindow,
      maxOutputTokens,
      thinking: sorted(thinking),
      efforts: sorted(efforts),
      cacheMinimum: cacheMinimumTokens,
      serverCompaction: serverCompaction ?? false,
    };
  });
  const served = knownModels.map((id) => {
    const model = servedAs(id);
    return {
      id,
      contextWindow: model?.contextWindow,
      maxOutputTokens: model?.maxOutputTokens,
      thinking: sorted(model?.thinking),
      efforts: sorted(model?.efforts),
      cacheMinimum: model?.cacheMinimum,
      serverCompaction: model?.serverCompaction,
    };
  });
  expect(own).toEqual(served as never);
});

test("a model with another window is listed with it, and the client takes it from there", () =>
  withSimulator({ models: [modelLike("claude-opus-5-5", { contextWindow: 60_000 })] }, async (simulator) => {
    const response = await fetch(`${simulator.url}/v1/models`, { headers: HEADERS });
    const { data } = (await response.json()) as { data: Body[] };
    expect(data.map(({ id, max_input_tokens }) => ({ id, max_input_tokens }))).toEqual([
      { id: "claude-opus-5-5", max_input_tokens: 60_000 },
    ]);
    const facts = factsWith([{ id: "claude-opus-5-5", contextWindow: Number(data[0]?.max_input_tokens) }]);
    expect(facts("claude-opus-5-5")).toEqual({ ...modelFacts("claude-opus-5-5"), contextWindow: 60_000 });
  }));
