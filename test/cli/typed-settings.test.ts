/** Settings of the command line, however they are given, in a session that exists; and the user's prices in every cost. */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openStore } from "../../src/cli/state.ts";
import { engineIn } from "../agent/engines.ts";
import { type House, openHouse } from "../support/house.ts";

const script = () => ({ content: [{ type: "text" as const, text: "Done." }] });

const own = (house: Pick<House, "home">, value: object) =>
  writeFileSync(join(house.home, "config.json"), JSON.stringify(value));

const placesOf = ({ home, cwd }: House) => ({ home, userHome: dirname(cwd), cwd });

test("a resumed session takes model, effort and thinking from a profile or an assignment, and says what it keeps", async () => {
  const house = await openHouse({ script });
  await house.say("hello");
  const { id } = house.engine.session;
  await house.engine.close();
  own(house, { model: "ignored", profiles: { fast: { model: "claude-haiku-5-5" } } });
  const chosen = { profile: "fast", assignments: ["thinking=off", "effort=low", "maxOutputTokens=9"] };
  const engine = await engineIn(house, { resume: id, places: { ...placesOf(house), chosen } });
  const { turn } = engine.session.state();
  expect([turn.model, turn.effort, turn.thinking]).toEqual(["claude-haiku-5-5", "low", "off"]);
  expect(engine.notices).toEqual(["maxOutputTokens is settled when a session begins: this one goes on with 32000."]);
  await engine.close();
  const again = await engineIn(house, { resume: id });
  expect([again.session.state().turn.model, again.notices]).toEqual(["claude-haiku-5-5", []]);
  await again.close();
  await house.close();
});

test("the user's prices are in what a session costs, now, when it is listed, and when it is resumed", async () => {
  const house = await openHouse({ script });
  await house.say("hello");
  const { id } = house.engine.session;
  const { usage } = house.engine.session.state();
  await house.engine.close();
  const [model] = Object.keys(usage.byModel);
  const price = { input: 1e6, output: 1e6, cacheRead: 1e6, cacheWrite5m: 1e6, cacheWrite1h: 1e6 };
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage.total;
  const tokens = inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
  const listed = async () => {
    const [listing] = await openStore(placesOf(house), { verbose: false }).store.list();
    return listing?.meta?.costUsd;
  };
  const before = await listed();
  own(house, { prices: { [model ?? ""]: price } });
  expect(await listed()).toBeCloseTo(tokens);
  const engine = await engineIn(house, { resume: id });
  expect(engine.session.state().usage.costUsd).toBeCloseTo(tokens);
  await engine.close();
  own(house, {});
  expect(await listed()).toBe(before ?? Number.NaN);
  await house.close();
});
