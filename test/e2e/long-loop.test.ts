/**
 * Two hundred steps of one task through the compiled program, with thinking: what was sent is sent again without a changed
 * byte, nearly all of it comes from the cache, the strict server refuses nothing, and memory stays bounded.
 */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { appendOnlyViolations, cacheReadShare, loop, type ScriptedTurn } from "../../src/simulator/index.ts";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { fsck, IN_ORDER, RUN_TIMEOUT_MS, readLog, resultOf, withModel } from "./stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

const STEPS = 200;
const files = {
  "list.txt": "entry 0\n",
  "greet.sh": 'echo "hello from step 0"\n',
  "test.sh": 'sh greet.sh >/dev/null && echo "1 passed, 0 failed"\n',
};

const call = (name: string, input: Readonly<Record<string, unknown>>) => ({ type: "tool_use", name, input }) as const;

/** Commands that differ, reads, edits, failing commands, two calls at once, odd characters; each step thinks first. */
function step(index: number): ScriptedTurn {
  const thinking = {
    type: "thinking",
    thinking: `Step ${index}: ${"so far all is well. ".repeat(1 + (index % 5))}`,
  } as const;
  const said = { type: "text", text: `Step ${index} — größer 👍.` } as const;
  const kinds = [
    [call("bash", { command: `echo "line ${index}" && seq ${index} ${index + 30}` })],
    [call("read", { file_path: "greet.sh" })],
    [
      call("edit", {
        file_path: "greet.sh",
        old_string: `step ${index < 5 ? 0 : index - 5}`,
        new_string: `step ${index}`,
      }),
    ],
    [call("bash", { command: `printf '\\033[31mred ${index}\\033[0m\\n'; exit ${index % 4}` })],
    [call("bash", { command: `echo first ${index}` }), call("bash", { command: "sh test.sh" })],
  ] as const;
  const calls = kinds[index % kinds.length] ?? kinds[0];
  return { content: index % 7 === 0 ? [thinking, ...calls] : [thinking, said, ...calls] };
}

test(`${STEPS} steps`, () =>
  withModel(
    { script: loop({ steps: STEPS, turn: step, last: "All done." }), files, keepRequests: 1000 },
    async (served) => {
      served.commit();
      const ran = await served.ask(["-p", "--yolo", "--output-format", "json", "do many things"]);
      const { requests, refusals } = served.simulator;
      console.log(
        `${requests.length} requests, peak memory of the program ${Math.round(ran.maxRssBytes / 2 ** 20)} MiB`,
      );
      expect([ran.code, ran.stderr, requests.length, refusals]).toEqual([0, "", STEPS + 1, []]);
      expect(resultOf(ran)).toMatchObject({
        status: "completed",
        num_turns: STEPS + 1,
        result: "All done.",
        verified: true,
      });
      expect(appendOnlyViolations(requests)).toEqual([]);
      expect(cacheReadShare(requests)).toBeGreaterThanOrEqual(0.99);
      const bodies = requests.map(({ body }) => body as { readonly thinking?: { readonly type: string } });
      expect(bodies.filter(({ thinking }) => thinking?.type === "disabled")).toEqual([]);
      const [path = ""] = served.logs();
      const count = (type: string) => readLog(path).filter((event) => event.type === type).length;
      expect([count("model.thinking-block-completed"), count("tool.failed"), count("model.request-failed")]).toEqual([
        STEPS,
        0,
        0,
      ]);
      expect(await fsck(served, path)).toMatchObject(IN_ORDER);
    },
  ));
