/** The schema of answers is part of the frozen prefix: every request is bound to it, and a lost one begins a new epoch. */
import { expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { OutputSchema } from "../../src/context/index.ts";
import { sequence } from "../../src/simulator/index.ts";
import { bash, inHouse, say, thinking, turn } from "./driving.ts";
import { engineIn } from "./engines.ts";

const schema: OutputSchema = {
  wanted: { type: "object", properties: { n: { type: "integer", minimum: 3 } } },
  sent: { type: "object", properties: { n: { type: "integer" } }, additionalProperties: false },
};

test("it is sent until its blob is gone; then the session goes on without it, and its log says so", async () => {
  const script = sequence([
    turn(thinking("look"), bash("echo 1")),
    say('{"n":4}'),
    turn(thinking("again"), bash("echo 2")),
    say("plain words"),
  ]);
  await inHouse({ script }, async (house) => {
    await house.engine.close();
    house.engine = await engineIn(house, { outputSchema: schema });
    await house.say("count");
    const { session } = house.engine;
    const { outputSchemaSha256 = "" } = session.state().conversation;
    expect(await session.blobs.get(outputSchemaSha256)).toEqual(new TextEncoder().encode(JSON.stringify(schema)));
    const formatOf = (at: number) => house.simulator.requests.at(at)?.body;
    const output_config = { format: { type: "json_schema", schema: schema.sent } };
    expect([formatOf(0), formatOf(1)]).toEqual([
      expect.objectContaining({ output_config }),
      expect.objectContaining({ output_config }),
    ]);

    rmSync(join(house.home, "blobs", outputSchemaSha256));
    await house.reopen();
    const lines = readFileSync(house.engine.session.path, "utf8").split("\n");
    const resumed = lines.findLast((line) => line.includes('"session.resumed"')) ?? "";
    expect(JSON.parse(resumed)).toMatchObject({ payload: { outputSchemaSha256: null } });
    expect(house.engine.notices).toEqual([expect.stringContaining("goes on without one")]);
    await house.say("count");
    expect(formatOf(-1)).not.toHaveProperty("output_config");
    expect(house.engine.session.state().turn.lastResponse?.text).toBe("plain words");
  });
});
