/** What sessions cost, and why the cache missed: `/cost` in all its forms, through a real house; and the pace of work alone. */
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { cacheReport } from "../../../src/cli/slash/cost-cache.ts";
import { todayReport } from "../../../src/cli/slash/cost-sessions.ts";
import { burnRate } from "../../../src/cli/spending/burn-rate.ts";
import { workSpans } from "../../../src/cli/spending/work-spans.ts";
import type { CacheLedger, LedgerEntry } from "../../../src/session/index.ts";
import { type LogEvent, moneyText, NO_USAGE } from "../../../src/shared/index.ts";
import { engineIn } from "../../agent/engines.ts";
import { summingModel } from "../../support/summing-model.ts";
import { inTerminalHouse, payloadsOf, saying, type TerminalHouse } from "../../support/terminal-house.ts";

/** Prints about two thousand tokens, so that there is something to sum up. */
const PRINTING = "run head -c 8000 /dev/zero | tr '\\0' x\nsay It is printed.";
const WINDOWS = { "claude-opus-5-5": 40_000 };

const spentIn = (house: TerminalHouse): number => house.host.engine().session.state().usage.spentUsd;
const dollarsOf = (cell: string | undefined): number => Number(cell?.replace("at least ", "").replace("$", ""));

describe("/cost", () => {
  test("tells the conversation from its summaries, and the cache's misses with their event and price", async () => {
    await inTerminalHouse({ script: summingModel, windows: WINDOWS }, async (house) => {
      await house.open();
      for (let n = 0; n < 4; n++) await house.say(PRINTING);
      expect(saying(await house.run("/cost"))[0]).not.toContain("summaries");
      expect((await house.host.engine().agent.compact({})).ok).toBe(true);
      const [waiting = ""] = saying(await house.run("/cost cache"));
      const compacted = house.events.find(({ type }) => type === "context.compacted")?.seq ?? 0;
      expect(waiting).toContain(`The next request reads anew: summed up (@${compacted}).`);
      await house.say("say after");
      const [cost = ""] = saying(await house.run("/cost"));
      expect(cost).toMatch(/^Of that the conversation \$\S+ \(9 requests\), summaries of it \$\S+ \(1 request\)\.$/m);
      const [cache = ""] = saying(await house.run("/cost cache"));
      const request = house.events.findLast(({ type }) => type === "model.request-started")?.seq ?? 0;
      expect(cache).toMatch(
        /^\*\*\d+\.\d%\*\* of what the conversation sent came from the cache: of 9 requests 7 read/,
      );
      expect(cache).toMatch(/^\| summed up \| 1 \| \S+ \| \$\S+ \|$/m);
      expect(cache).toMatch(
        new RegExp(`^\\| @${request} \\| summed up \\| @${compacted} \\| \\S+ \\| \\$\\S+ \\|$`, "m"),
      );
      expect(cache).not.toContain("The next request reads anew");
    });
  });

  test("a cut answer is paid for too: the account, the status and the budget tell the same", async () => {
    const fault = { kind: "error-event", afterSeen: "content_block_stop" } as const;
    const script = () => ({ content: [{ type: "text", text: "On." }], fault }) as const;
    await inTerminalHouse({ script, flags: { limits: { maxTurnUsd: 0.0001 } } }, async (house) => {
      await house.open();
      await house.say("go");
      const usd = spentIn(house);
      expect(usd).toBeGreaterThan(0);
      expect(saying(await house.run("/cost"))[0]).toStartWith(`**at least ${moneyText(usd)}** for 1 request.`);
      expect(house.session().facts().costUsd).toBe(usd);
    });
  });

  test("tree counts every dollar once, however often a session was forked; today adds the sessions of the day", async () => {
    await inTerminalHouse({}, async (house) => {
      const origin = await house.open({ name: "Origin" });
      await house.say("say one");
      await house.say("say two");
      const before = spentIn(house);
      const fork = await house.open({ fork: { id: origin.id }, name: "Fork" });
      await house.say("say three");
      const together = spentIn(house); // of the origin up to the fork, and of the fork
      const [tree = ""] = saying(await house.run("/cost tree"));
      const rows = tree.split("\n").filter((line) => line.startsWith("| ") && line.includes("`"));
      expect(
        rows.map((row) =>
          row
            .split("|")
            .slice(1, 3)
            .map((cell) => cell.trim()),
        ),
      ).toEqual([
        ["Origin", `\`${origin.id}\``],
        ["· Fork (this one)", `\`${fork.id}\``],
      ]);
      const own = rows.map((row) => dollarsOf(row.split("|")[3]?.trim()));
      expect(own[0]).toBeCloseTo(before, 3);
      expect(own[1]).toBeCloseTo(together - before, 3);
      expect(dollarsOf(/^\*\*(\$\S+)\*\*/.exec(tree)?.[1])).toBeCloseTo(together, 2);
      const [today = ""] = saying(await house.run("/cost today"));
      expect(today).toMatch(/^\*\*\$\S+\*\* today, in 2 sessions\./);
      expect(dollarsOf(/^\*\*(\$\S+)\*\*/.exec(today)?.[1])).toBeCloseTo(together, 2);
    });
  });

  test("what can be read of a damaged log counts, and the sum is said to be at least that", async () => {
    await inTerminalHouse({}, async (house) => {
      const origin = await house.open({ name: "Origin" });
      await house.say("say one");
      await house.say("say two");
      await house.open({ fork: { id: origin.id }, name: "Fork" });
      const log = readFileSync(origin.path, "utf8").split("\n");
      const last = log.findLastIndex((line) => line.includes('"model.response-completed"'));
      writeFileSync(origin.path, log.with(last, "garbage").join("\n"));
      const [today = ""] = saying(await house.run("/cost today"));
      expect(today).toMatch(
        /^\*\*at least \$0\.\d+\*\* today, in 2 sessions\. .*\n1 session could not be read whole\.$/m,
      );
      const [tree = ""] = saying(await house.run("/cost tree"));
      expect(tree).toMatch(/^\| Origin \| `\S+` \| at least \$0\.\d+ \|$/m);
    });
  });

  test("today has the kept sessions also in one that is thrown away", async () => {
    await inTerminalHouse({}, async (house) => {
      await house.open({ name: "Kept" });
      await house.say("say one");
      const places = { home: house.home, sessionHome: `${house.home}-thrown`, userHome: house.root, cwd: house.cwd };
      const thrown = await engineIn(house, { places, name: "Thrown away" });
      try {
        const today = await todayReport(thrown, { places, log: { verbose: false } }, Date.now());
        expect(today).toMatch(/today, in 2 sessions\./);
        expect(today.match(/^\| [^|`]+ \|(?= `)/gm)).toEqual(["| Kept |", "| Thrown away (this one) |"]);
      } finally {
        await thrown.close();
      }
    });
  });

  test("an origin that is gone is told by what its forks took over; other words get the ways there are", async () => {
    await inTerminalHouse({}, async (house) => {
      const origin = await house.open({ name: "Origin" });
      await house.say("say one");
      await house.open({ fork: { id: origin.id }, name: "Fork" });
      await Bun.file(origin.path).delete();
      const [tree = ""] = saying(await house.run("/cost tree"));
      expect(tree).toMatch(/^\*\*at least \$\S+\*\* together\. 1 fork and where they began\.$/m);
      expect(tree).toContain(`| not there any more: what its forks took over | \`${origin.id}\` | at least $`);
      expect(await house.refusal("/cost year")).toBe(
        '"year": there is /cost, /cost cache, /cost tree and /cost today.',
      );
      expect(await house.refusal("/cost tree cache")).toBe(
        "The cache is told of one session: there is /cost, /cost cache, /cost tree and /cost today.",
      );
      expect(payloadsOf(house, "model.request-started")).toEqual([]);
    });
  });
});

describe("the pace", () => {
  const MINUTE = 60_000;
  const entry = (ts: number, spentUsd: number | null) => ({ ts, spentUsd });

  test("only of real work: a pause is left out, and an hour ago is not of late", () => {
    const spans = [
      { from: 0, to: 40 * MINUTE },
      { from: 500 * MINUTE, to: 520 * MINUTE },
      { from: 900 * MINUTE, to: 905 * MINUTE },
    ];
    const entries = [entry(MINUTE, 100), entry(39 * MINUTE, 1), entry(510 * MINUTE, 2), entry(903 * MINUTE, 3)];
    expect(burnRate(spans, entries)).toEqual({ usdPerHour: 12, workMs: 30 * MINUTE, isAtLeast: false });
  });

  test("no number where there is too little, or no price; at least so much where one is missing", () => {
    const spans = [{ from: 0, to: MINUTE }];
    expect(burnRate([], [])).toBeUndefined();
    expect(burnRate([{ from: 0, to: MINUTE - 1 }], [entry(1, 5)])).toBeUndefined();
    expect(burnRate(spans, [entry(1, null)])).toBeUndefined();
    expect(burnRate(spans, [entry(1, null), entry(2, 1)])).toMatchObject({ usdPerHour: 60, isAtLeast: true });
  });

  test("work is requests and calls, those at the same time once; what a crash cut ends with the last line before it", () => {
    const events = [
      event(1, 10, "model.request-started", { requestId: "a" }),
      event(2, 20, "model.response-completed", { requestId: "a" }),
      event(3, 30, "tool.started", { toolUseId: "t" }),
      event(4, 35, "tool.started", { toolUseId: "u" }),
      event(5, 40, "tool.completed", { toolUseId: "t" }),
      event(6, 50, "tool.failed", { toolUseId: "u" }),
      event(7, 60, "model.request-started", { requestId: "b" }),
      event(8, 70, "user.steering-queued", {}),
      event(9, 900, "session.resumed", {}),
      event(10, 950, "model.request-failed", { requestId: "b" }),
    ];
    expect(events.reduce((state, one) => workSpans.apply(state, one), workSpans.initial()).spans).toEqual([
      { from: 10, to: 20 },
      { from: 30, to: 50 },
      { from: 60, to: 70 },
    ]);
  });

  const event = (seq: number, ts: number, type: string, payload: object): LogEvent =>
    ({ v: 1, id: `e${seq}`, sessionId: "s", seq, ts, type, payload }) as LogEvent; // as: what these folds read of one
});

describe("the report of the cache", () => {
  const bill = (count: number, tokens: number, costUsd: number) => ({ count, tokens, costUsd, unpriced: 0 });
  const totals: CacheLedger["totals"] = {
    requests: 30,
    conversation: { requests: 30, sentTokens: 100, readTokens: 90 },
    hitShare: 0.9,
    hits: 5,
    misses: bill(24, 2000, 3),
    missesByReason: { expired: bill(2, 1500, 1), model: bill(1, 200, 1), effort: bill(1, 300, 1) },
    byPurpose: {},
    firstTs: 0,
    lastTs: 1,
  };
  const miss = (startSeq: number): LedgerEntry => ({
    ...{ requestId: `r${startSeq}`, startSeq, endSeq: startSeq + 1, startedTs: 0, ts: 1, purpose: "main", model: "m" },
    ...{ usage: NO_USAGE, spentUsd: null, expected: 900, missed: 900, reason: "server", cause: startSeq - 1 },
    ...{ costUsd: null, breaks: [], cacheMissReason: "tools_changed" },
  });

  test("names the newest twenty, and advises only from what happened more than once", () => {
    const entries = Array.from({ length: 24 }, (_, at) => miss(10 * (at + 1)));
    const report = cacheReport({ entries, totals, unnamed: [] });
    expect(report.split("\n").filter((line) => line.startsWith("| @"))).toHaveLength(20);
    expect(report).toContain("The newest 20 of 24:");
    expect(report).toContain("| @240 | the API says so (tools_changed) | @239 | 900 | price unknown |");
    expect(report).toContain("2 pauses cost $1.00. Before a long one, /compact");
    expect(report).toContain("2 switches cost $2.00.");
    const once = { ...totals, missesByReason: { expired: bill(1, 1, 1) } };
    expect(cacheReport({ entries: [], totals: once, unnamed: [] })).not.toContain("/compact");
    const rare = { ...totals, missesByReason: { thinking: bill(1, 1, 1), images: bill(1, 1, 1) } };
    expect(cacheReport({ entries: [], totals: rare, unnamed: [] })).toContain(
      "| thinking switched | 1 | 1 | $1.00 |\n| an image added | 1 | 1 | $1.00 |",
    );
    expect(cacheReport({ entries: [], totals: { ...totals, hitShare: null }, unnamed: [] })).toBe(
      "No answer has told yet what came from the cache.",
    );
  });
});
