/** `/context` and `/context diff`: what the model sees, when room is made, and what became of what it saw. */
import { expect, test } from "bun:test";
import * as w from "../../session/log-words.ts";
import { summingModel } from "../../support/summing-model.ts";
import { inTerminalHouse, saying, type TerminalHouse } from "../../support/terminal-house.ts";

const PRINTING = "run head -c 8000 /dev/zero | tr '\\0' x\nthink about it\nsay It is printed.";
const WINDOWS = { "claude-opus-5-5": 40_000 };

const seqOf = ({ events }: TerminalHouse, type: string): number =>
  events.findLast((one) => one.type === type)?.seq ?? 0;

test("/context tells the window, where room is made, and how the cache stands", async () => {
  await inTerminalHouse({ script: summingModel, windows: WINDOWS }, async (house) => {
    await house.open();
    expect(saying(await house.run("/context"))).toEqual([
      "Nothing was sent yet. The window of claude-opus-5-5 holds 40K tokens.",
    ]);
    await house.say("say one");
    const [first = ""] = saying(await house.run("/context"));
    expect(first).toContain(
      "Room is made: above 20.1K tokens old results are taken out before a message, above 26.8K what is older is summed up by claude-haiku-5-5.",
    );
    expect(first).toContain("Of what the last request sent, 0.0% came from the cache (it was the first).");
    expect(first).not.toContain("break");
    for (let n = 0; n < 4; n++) await house.say(PRINTING);
    await house.host.engine().agent.compact({});
    const [behind = ""] = saying(await house.run("/context"));
    const compacted = seqOf(house, "context.compacted");
    expect(behind).toContain(
      "What was sent before has been made smaller; the next answer tells how much is left of the window of 40K.",
    );
    expect(behind).toContain(
      `1 break of the cache so far, the last: summed up (@${compacted}). The next request reads anew.`,
    );
    await house.say("say two");
    const [after = ""] = saying(await house.run("/context"));
    expect(after).toMatch(/^Of what the last request sent, \d+\.\d% came from the cache \(summed up\)\.$/m);
    expect(after).toMatch(/^1 break of the cache so far, the last: summed up \(@\d+\)\.$/m);
  });
});

test("/context diff: a compaction's messages went, its checkpoint is new, what stayed lost its thinking", async () => {
  await inTerminalHouse({ script: summingModel, windows: WINDOWS }, async (house) => {
    await house.open();
    for (let n = 0; n < 4; n++) await house.say(PRINTING);
    const before = house.host.engine().session.state().lastSeq;
    await house.host.engine().agent.compact({});
    const compacted = seqOf(house, "context.compacted");
    const [shown] = await house.run(`/context diff last @${before}`); // the older one comes first, however it is said
    expect(shown).toMatchObject({
      show: `What the model saw at event ${before}, and at ${house.host.engine().session.state().lastSeq}`,
    });
    const [text = ""] = saying(shown ? [shown] : []);
    expect(text).toMatch(
      /^16 messages then, 6 now: 11 went \(about \S+ tokens\), 1 was changed, 1 is new \(about \S+ tokens\), 4 the same\.$/m,
    );
    expect(text).toMatch(
      /^@@ 1 user, @2 to @\d+ @@\n\+ text, about \d+ tokens\n\+ {3}The conversation up to here was summed up/m,
    );
    expect(text).toMatch(/^- thinking, about 2 tokens\n- {3}about it\n {2}tool_use, about \d+ tokens, the same$/m);
    const [same = ""] = saying(await house.run(`/context diff @${compacted} @${compacted}`));
    expect(same).toMatch(/^6 messages then, 6 now: 6 the same\.$/m);
    expect(same).not.toContain("```");
  });
});

test("/context diff: a result that was taken out is shown with what stands in its place", async () => {
  await inTerminalHouse({ windows: WINDOWS }, async (house) => {
    await house.open();
    await house.say(PRINTING);
    const { session } = house.host.engine();
    const before = session.state().lastSeq;
    const toolUseIds = house.events.flatMap((event) =>
      event.type === "tool.completed" ? [event.payload.toolUseId] : [],
    );
    session.publish({
      type: "context.pruned",
      payload: { toolUseIds, placeholder: "[gone]", tokensReclaimedEstimate: 1990 },
    });
    const [text = ""] = saying(await house.run(`/context diff @${before}`));
    expect(text).toMatch(
      /^@@ 3 user, @\d+ @@\n- tool_result, about 2K tokens\n- {3}x{300}\n\+ tool_result, about 2 tokens\n\+ {3}\[gone\]$/m,
    );
    expect(text).toContain("4 messages then, 4 now: 2 were changed, 2 the same.");
  });
});

test("/context diff: what is new is shown, however much stayed the same before it", async () => {
  await inTerminalHouse({}, async (house) => {
    await house.open();
    await house.say("say one");
    const { session } = house.host.engine();
    const turn = (at: number, answer: string) => {
      for (const event of [w.said(`question ${at}`), w.answered(`r${at}`, answer), w.completed].flat())
        session.publish(event);
    };
    for (let at = 0; at < 510; at++) turn(at, "old");
    const before = session.state().lastSeq;
    turn(510, "BRAND NEW");
    const [text = ""] = saying(await house.run(`/context diff @${before}`));
    expect(text).toMatch(/^ {2}1022 messages the same\n@@ 1023 user, [\s\S]*\n\+ {3}BRAND NEW\n```$/m);
  });
});

test("/context says what there is to say after it", async () => {
  await inTerminalHouse({}, async (house) => {
    await house.open();
    await house.say("say one");
    const { lastSeq } = house.host.engine().session.state();
    expect(await house.refusal("/context some")).toBe(
      '"some": there is /context, /context all, /context @EVENT and /context diff @A @B.',
    );
    const form = "as in /context diff @120 @300 or /context diff @120 last; /log tail names events.";
    expect(await house.refusal("/context diff")).toBe(`Two events are compared, ${form}`);
    expect(await house.refusal("/context diff 5 9")).toBe(`"5" names no event: ${form}`);
    expect(await house.refusal(`/context diff @2 @${lastSeq + 1}`)).toBe(
      `There is no event @${lastSeq + 1}. The last event is @${lastSeq}.`,
    );
  });
});
