/** Every rule refuses what it names, and lets its nearest valid neighbour pass. */
import { describe, expect, test } from "bun:test";
import { RULES, type RuleId, startSimulator } from "../../src/simulator/index.ts";
import { type Body, errorOf, post, say, withSimulator } from "./harness.ts";
import { a, base, call, messages, result, text, tool, u } from "./rule-parts.ts";
import { COMPACTION_ROWS } from "./rule-rows-compaction.ts";
import { CONTENT_ROWS } from "./rule-rows-content.ts";
import { PAIRING_ROWS } from "./rule-rows-pairing.ts";
import { PARAMETER_ROWS } from "./rule-rows-parameters.ts";
import { RECORDED_ROWS } from "./rule-rows-recorded.ts";

const ROWS = [...PARAMETER_ROWS, ...PAIRING_ROWS, ...CONTENT_ROWS, ...COMPACTION_ROWS, ...RECORDED_ROWS];

/** Rules that a table of small bodies cannot reach; the tests named here do. */
const ELSEWHERE: Readonly<Partial<Record<RuleId, string>>> = {
  "2": "http.test.ts",
  "9b": "too large a table; checked below",
  "30": "signature.test.ts",
  "31": "signature.test.ts",
  "39g": "compaction.test.ts",
  "39h": "compaction.test.ts",
};

describe("a rule refuses what it names and passes its neighbour", () => {
  for (const [i, { rule, bad, good, names, badHeaders = {}, goodHeaders = {} }] of ROWS.entries()) {
    test(`${i}: ${rule}, ${RULES[rule].when}`, () =>
      withSimulator({}, async (simulator) => {
        const refused = await post(simulator, bad, { headers: badHeaders });
        const { type, message } = errorOf(refused);
        expect({ status: refused.status, type }).toEqual({ status: RULES[rule].status, type: RULES[rule].type });
        expect(message).toContain(names);
        expect(simulator.refusals).toEqual([{ rule, status: refused.status, message }]);
        expect(refused.json.request_id).toBe(refused.headers.get("request-id"));

        const accepted = await post(simulator, good, { headers: goodHeaders });
        expect(accepted.json.error).toBeUndefined();
        expect(accepted.status).toBe(200);
        expect(simulator.refusals.length).toBe(1);
      }));
  }
});

test("no rule is without a case", () => {
  const covered = new Set([...ROWS.map(({ rule }) => String(rule)), ...Object.keys(ELSEWHERE)]);
  expect(Object.keys(RULES).filter((rule) => !covered.has(rule))).toEqual([]);
});

test("rule 9b: more than 100,000 messages are refused", () =>
  withSimulator({}, async (simulator) => {
    const many = (count: number) => messages(...Array.from({ length: count }, () => ({ role: "user", content: "x" })));
    expect(errorOf(await post(simulator, many(100_001))).message).toContain("100000");
    expect((await post(simulator, many(100_000))).status).toBe(200);
  }));

test("the first failure in the API's own order is the answer", () =>
  withSimulator({}, async (simulator) => {
    const everything = {
      model: "nobody",
      max_tokens: 0,
      stream: true,
      messages: [],
      temperature: 1,
      tools: [tool("a"), tool("a")],
    };
    const rules: string[] = [];
    const ask = async (body: unknown, headers: Record<string, string> = {}) => {
      await post(simulator, body, { headers });
      rules.push(simulator.refusals.at(-1)?.rule ?? "");
    };
    await ask("{", { authorization: "" });
    await ask("{");
    await ask({ ...everything, extra: 1 });
    await ask(everything);
    await ask({ ...everything, model: base.model });
    await ask({ ...everything, model: base.model, max_tokens: 1 });
    await ask({ ...base, tools: [tool("a"), tool("a")], messages: [] });
    await ask({ ...base, messages: [] });
    expect(rules).toEqual(["1", "4", "6", "7", "12b", "13", "20", "8"]);
  }));

test("neighbours of one role are merged, counted, and keep their own indices in paths", () =>
  withSimulator({}, async (simulator) => {
    const split = messages(u(text("x")), a(call("t1")), u(result("t1")), u(text("more")));
    expect((await post(simulator, split)).status).toBe(200);
    expect(simulator.requests[0]?.mergedNeighbours).toBe(1);
    const wrong = await post(
      simulator,
      messages(u(text("x")), u(text("y")), a(call("t1")), u(text("z")), u(result("t1"))),
    );
    expect(simulator.refusals[0]?.rule).toBe("23");
    expect(errorOf(wrong).message).toContain("messages.2");
  }));

test("count_tokens judges alike, takes no max_tokens, and counts what a request would be billed", () =>
  withSimulator({}, async (simulator) => {
    const path = "/v1/messages/count_tokens";
    const { max_tokens: _left, ...countable } = { ...base, system: "be kind", tools: [tool("a")] };
    expect((await post(simulator, { ...countable, max_tokens: 5 }, { path })).status).toBe(400);
    const counted = await post(simulator, countable, { path });
    const asked = await post(simulator, { ...countable, max_tokens: 5 });
    expect(counted.json.input_tokens).toBe((asked.json.usage as Body).input_tokens);
  }));

test("one key is accepted where one is named, by either header", async () => {
  const simulator = await startSimulator({ script: () => say("fine"), apiKey: "the key" });
  const status = async (headers: Record<string, string>) => (await post(simulator, base, { headers })).status;
  const seen = [
    await status({ authorization: "Bearer the key" }),
    await status({ authorization: "", "x-api-key": "the key" }),
    await status({ authorization: "Bearer another" }),
  ];
  expect(seen).toEqual([200, 200, 401]);
  expect(JSON.stringify(simulator.requests.map(({ headers }) => headers))).not.toContain("the key");
  await simulator.close();
});
