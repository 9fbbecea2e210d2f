/** `/compact`: what it shows before, by whom it sums up, what it says after; and that nothing happens where nothing may. */
import { describe, expect, test } from "bun:test";
import { type Preview, previewText } from "../../../src/cli/slash/compact-preview.ts";
import { sessionSpending } from "../../../src/cli/spending/session-spending.ts";
import { type ModelUsage, moneyText, NO_USAGE } from "../../../src/shared/index.ts";
import type { Script } from "../../../src/simulator/index.ts";
import { asksForSummary, SUMMARY, summingModel } from "../../support/summing-model.ts";
import { inTerminalHouse, payloadsOf, saying, type TerminalHouse } from "../../support/terminal-house.ts";

/** Prints about two thousand tokens, so that there is something to sum up. */
const PRINTING = "run head -c 8000 /dev/zero | tr '\\0' x\nsay It is printed.";
const MAIN = "claude-opus-5-5";
const SERVER = "the API itself: its summary stands alone";
const WINDOWS = { [MAIN]: 40_000 };

const summingHouse = (script: Script, run: (house: TerminalHouse) => Promise<void>): Promise<void> =>
  inTerminalHouse({ script, windows: WINDOWS, files: { "src/greet.ts": "hello\n" } }, run);

async function worked(house: TerminalHouse): Promise<void> {
  await house.open();
  await house.say("read src/greet.ts\nedit src/greet.ts hello => good day");
  for (let n = 0; n < 4; n++) await house.say(PRINTING);
}

const summariesAsked = (house: TerminalHouse) =>
  payloadsOf(house, "model.request-started").flatMap(({ purpose, model }) => (purpose === "compaction" ? [model] : []));

describe("/compact", () => {
  test("shows what goes, what stays and what it costs; sums up by the configured route; says what came of it", async () => {
    await summingHouse(summingModel, async (house) => {
      await worked(house);
      const [preview, question, done] = await house.run("/compact keep the API names", "aux");
      const [text = ""] = saying(preview ? [preview] : []);
      expect(
        text.split("\n").map((line) => line.replace(/[\d.]+K? tokens/g, "N tokens").replace(/\$[\d.]+/g, "$N")),
      ).toEqual([
        "- **17 of 22 messages go**, about N tokens; a checkpoint takes their place. What is newer stays word for word: 5 messages, about N tokens.",
        "- Kept in any case: the project's instructions as they are; in the checkpoint 1 changed file, what was tried and failed.",
        "- The next request reads about N tokens from the cache, and about N tokens and the checkpoint anew, for about $N (estimated).",
        "- To be kept in particular: `keep the API names`",
      ]);
      expect(question).toEqual({
        choose: {
          title: "Who sums it up? Estimated, for 2K tokens of summary",
          rows: [
            {
              value: "aux",
              label: "claude-haiku-5-5 reads it as text",
              detail: expect.stringMatching(/^about \$0\.0\d+$/),
            },
            {
              value: "main",
              label: "claude-opus-5-5 reads its cache",
              detail: expect.stringMatching(/^about \$0\.\d+$/),
            },
            { value: "server", label: SERVER, detail: expect.stringMatching(/^about \$0\.\d+$/) },
            { value: "none", label: "no model: what the log knows", detail: "free" },
            { value: "not-now", label: "not now" },
          ],
          current: "aux",
        },
      });
      expect(done).toMatchObject({
        say: expect.stringMatching(
          /^Summed up from \S+ tokens \(measured\) to about \S+ \(estimated\), by claude-haiku-5-5 for \$0\.000\d+\.$/,
        ),
        tone: "ok",
      });
      expect(payloadsOf(house, "context.compacted")).toMatchObject([
        { trigger: "user-command", route: "aux", focus: "keep the API names" },
      ]);
      const asked = house.simulator.requests.find(
        ({ body }) => (body as { model: string }).model === "claude-haiku-5-5",
      );
      expect(JSON.stringify(asked?.body)).toContain(
        "The user asks that this in particular is kept: keep the API names",
      );
    });
  });

  test("the frozen prefix stays in the cache behind a break that leaves it as it is, if it is still there", async () => {
    await summingHouse(summingModel, async (house) => {
      await worked(house);
      const engine = house.host.engine();
      const plan = engine.context.planned(engine.session.state());
      if (!plan.ok) return expect.unreachable();
      const { ledger } = await sessionSpending(engine.store, engine.session.id, engine.models.price);
      const now = Date.now();
      const told = (more: Partial<Preview>) =>
        /next request reads (.*)$/m.exec(
          previewText({ engine, plan: plan.value, ledger, focus: undefined, now, ...more }),
        )?.[1] ?? "";
      const unnamed = (kind: "pruned" | "model") => ({ ledger: { ...ledger, unnamed: [{ seq: 9, kind }] } });
      const rate = engine.session.state().usage.calibration ?? 1;
      const { fixedTokens, keptTokens } = plan.value;
      const costing = (usage: Partial<ModelUsage>): string =>
        `for about ${moneyText(engine.models.price(MAIN, { ...NO_USAGE, ...usage }) ?? Number.NaN)} (estimated).`;
      const half = costing({
        cacheReadTokens: Math.round(fixedTokens * rate),
        cacheWriteTokens: Math.round(keptTokens * rate),
      });
      const anew = costing({ cacheWriteTokens: Math.round((fixedTokens + keptTokens) * rate) });
      expect(half).not.toBe(anew);
      for (const more of [{}, unnamed("pruned")]) {
        expect(told(more)).toEndWith(half);
        expect(told(more)).toContain(" tokens from the cache, and about ");
      }
      for (const more of [{ now: now + 6 * 60_000 }, unnamed("model")]) {
        expect(told(more)).toEndWith(anew);
        expect(told(more)).not.toContain("from the cache");
      }
    });
  });

  test("another route may be chosen; not now, or giving up, changes nothing", async () => {
    await summingHouse(summingModel, async (house) => {
      await worked(house);
      expect(saying(await house.run("/summarize", "not-now")).at(-1)).toBe("Not now: nothing was changed.");
      expect(saying(await house.run("/compress", undefined)).at(-1)).toBe("Not now: nothing was changed.");
      expect([summariesAsked(house), payloadsOf(house, "context.compacted")]).toEqual([[], []]);
      const [, , done] = await house.run("/compact", "main");
      expect(done).toMatchObject({ say: expect.stringContaining(", by claude-opus-5-5 for $") });
      expect([summariesAsked(house), payloadsOf(house, "context.compacted").map(({ route }) => route)]).toEqual([
        [MAIN],
        ["main"],
      ]);
    });
  });

  test("the API itself, where it can", async () => {
    await summingHouse(summingModel, async (house) => {
      await house.open();
      for (const text of [PRINTING, PRINTING, "text 12", "say It is short."]) await house.say(text);
      const [, question, done] = await house.run("/compact", "server");
      expect(question).toMatchObject({
        choose: {
          rows: expect.arrayContaining([
            { value: "server", label: SERVER, detail: expect.stringMatching(/^about \$0\.\d+$/) },
          ]),
        },
      });
      expect(done).toMatchObject({ say: expect.stringContaining(", by the API itself, claude-opus-5-5 for $") });
      await house.say("say It goes on.");
      expect(payloadsOf(house, "task.completed").length).toBe(5);
    });
  });

  test("one that is stopped says so, what it had cost, and leaves everything as it was", async () => {
    const slow: Script = (request) =>
      asksForSummary(request)
        ? { content: [{ type: "text", text: SUMMARY }], fault: { kind: "silence", afterSeen: "text_delta" } }
        : summingModel(request);
    await summingHouse(slow, async (house) => {
      await worked(house);
      const session = house.session();
      const streams = new Promise<void>((resolve) => {
        session.subscribe((event) => {
          if (event.type === "model.text-delta") resolve();
        });
      });
      const { messages } = house.host.engine().session.state().conversation;
      const before = JSON.stringify(messages);
      const running = house.run("/compact", "aux");
      await streams;
      expect(session.isBusy()).toBe(true);
      expect(await house.refusal("/compact")).toBe("A turn is under way. Stop it, or wait until it is over.");
      session.dispatch({ kind: "interrupt" });
      expect((await running).at(-1)).toEqual({
        say: expect.stringMatching(/^Stopped\. The conversation is as it was\. The attempt cost \$0\.\d+\.$/),
        tone: "warn",
      });
      expect(session.isBusy()).toBe(false);
      expect(JSON.stringify(house.host.engine().session.state().conversation.messages)).toBe(before);
      expect(payloadsOf(house, "context.compacted")).toEqual([]);
    });
  });

  test("one that fails says why and leaves everything as it was; no model is needed for what the log knows", async () => {
    const down = { kind: "http", status: 429, headers: { "retry-after": "100000" } } as const;
    const failing: Script = (request) =>
      asksForSummary(request) ? { content: [], fault: down } : summingModel(request);
    await summingHouse(failing, async (house) => {
      await worked(house);
      const failed = saying(await house.run("/compact", "aux")).at(-1);
      expect(failed).toMatch(/as it was\. too many requests \(429\).*\.$/);
      expect(payloadsOf(house, "context.compacted")).toEqual([]);
      await house.host.engine().agent.settled();
      expect(saying(await house.run("/compact", "none")).at(-1)).toMatch(
        /^Summed up from \S+ tokens \(measured\) to about \S+ \(estimated\), from the log alone\.$/,
      );
      expect(payloadsOf(house, "context.compacted")).toMatchObject([{ route: "none", summaryModel: "none" }]);
    });
  });

  test("not while a turn runs, nor before there is enough", async () => {
    await inTerminalHouse({ script: summingModel, windows: WINDOWS, host: { flags: {} } }, async (house) => {
      const session = await house.open();
      const little = "There is too little to sum up: nothing would get smaller.";
      expect(await house.refusal("/compact")).toBe(little);
      await house.say("say one");
      expect(await house.refusal("/compact")).toBe(little);
      const asked = new Promise<void>((resolve) => {
        session.subscribe((event) => {
          if (event.type === "permission.requested") resolve();
        });
      });
      session.dispatch({ kind: "submit-message", text: "run make all", mentions: [] });
      await asked;
      expect(await house.refusal("/compact")).toBe("A turn is under way. Stop it, or wait until it is over.");
    });
  });
});
