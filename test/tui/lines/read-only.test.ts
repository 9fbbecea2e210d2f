/** Sessions that can only be looked at, in lines: what is there and what is not, that nothing is sent, and how it goes on. */
import { expect, test } from "bun:test";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import type { TerminalHouse } from "../../support/terminal-house.ts";
import { onLineStage, STAGE_TIMEOUT_MS } from "./line-stage.ts";

interface Broken {
  readonly id: string;
  readonly path: string;
  readonly bytes: Buffer;
}

/** A session of two exchanges, with half a line in the place of the first answer. */
async function broken(house: TerminalHouse, first = "apples"): Promise<Broken> {
  const { id, path } = await house.open();
  await house.say(`say ${first}`);
  await house.say("say pears");
  await house.host.close();
  const lines = readFileSync(path, "utf8").split("\n");
  const at = lines.findIndex((line) => line.includes('"type":"model.text-block-completed"'));
  writeFileSync(path, lines.with(at, (lines[at] ?? "").slice(0, 150)).join("\n"));
  return { id, path, bytes: readFileSync(path) };
}

test(
  "a damaged log is shown also behind the damage, takes nothing, and goes on in a fork",
  async () => {
    let log: Broken | undefined;
    const start = async (house: TerminalHouse) => {
      log = await broken(house);
      return { session: { resume: log.id } };
    };
    await onLineStage({ start }, async ({ waitFor, text, type, house }) => {
      await waitFor("(read-only) > ");
      const shown = text();
      expect(shown).toMatch(/say apples[\s\S]*Damaged here: line \d+ \(byte \d+\)[\s\S]*say pears[\s\S]*pears/);
      expect(shown).toMatch(
        /only looked at: it is damaged at line \d+[\s\S]*\/fork goes on in a copy\s+that ends at event \d+/,
      );
      type("say plums");
      await waitFor("This session is only looked at. /fork goes on in a copy of it");
      type("/model");
      await waitFor("/model needs a session that is open for writing");
      type("!touch x");
      await waitFor("This session is only looked at.");
      expect(log && readFileSync(log.path).equals(log.bytes)).toBe(true);
      type("/fork");
      await waitFor(/\n> /);
      type("say plums");
      await waitFor(/plums[\s\S]*plums/);
      expect(house.host.engine().session.id).not.toBe(log?.id ?? "");
      expect(log && readFileSync(log.path).equals(log.bytes)).toBe(true);
      expect(house.simulator.refusals).toEqual([]);
    });
  },
  STAGE_TIMEOUT_MS,
);

test(
  "what is said at the start waits for the fork",
  async () => {
    const start = async (house: TerminalHouse) => ({
      session: { resume: (await broken(house)).id },
      prompt: "say cherries",
    });
    await onLineStage({ start }, async ({ waitFor, type, text }) => {
      await waitFor("(read-only) > ");
      expect(text()).toContain("What you said was not sent: it waits for the fork.");
      type("/fork");
      await waitFor(/cherries[\s\S]*cherries/);
    });
  },
  STAGE_TIMEOUT_MS,
);

test(
  "what was said for one session goes into no fork of another",
  async () => {
    let other: Broken | undefined;
    const start = async (house: TerminalHouse) => {
      other = await broken(house, "plums");
      return { session: { resume: (await broken(house)).id }, prompt: "say cherries" };
    };
    await onLineStage({ start }, async ({ waitFor, type, since, house, mark }) => {
      await waitFor("it waits for the fork.");
      mark();
      type(`/resume ${other?.id}`);
      await waitFor("Not sent, for it was meant for session");
      await waitFor("say cherries");
      await waitFor("(read-only) > ");
      mark();
      type("/fork");
      await waitFor(/\n> /);
      await house.host.engine().agent.settled();
      expect(readFileSync(house.host.engine().session.path, "utf8")).not.toContain("cherries");
      expect(since()).not.toContain("cherries");
    });
  },
  STAGE_TIMEOUT_MS,
);

test(
  "a session of which nothing can be read is not switched to, and the one that is open stays",
  async () => {
    let ruin: string | undefined;
    const start = async (house: TerminalHouse) => {
      const { id, path } = await broken(house);
      writeFileSync(path, "garbage\ngarbage\n");
      ruin = id;
      return { session: {} };
    };
    await onLineStage({ start }, async ({ waitFor, type, house }) => {
      await waitFor(/\n> /);
      const open = house.host.engine().session.id;
      type(`/resume ${ruin}`);
      await waitFor(`Nothing of session ${ruin} can be read.`);
      await waitFor(/\n> /);
      expect(house.host.engine().session.id).toBe(open);
      type("/fork @9");
      await waitFor("Nothing was said in this session yet");
    });
  },
  STAGE_TIMEOUT_MS,
);

test(
  "a torn end is told once",
  async () => {
    const start = async (house: TerminalHouse) => {
      const { id, path } = await house.open();
      await house.say("say apples");
      await house.host.close();
      appendFileSync(path, "x");
      return { session: { resume: id } };
    };
    await onLineStage({ start }, async ({ waitFor, text }) => {
      await waitFor("a torn end of 1 byte, which was moved to");
      await waitFor(/\n> /);
      expect(text().match(/torn\b(?!$)|moved/g)).toEqual(["torn", "moved", "torn"]); // the last one in the file's name
    });
  },
  STAGE_TIMEOUT_MS,
);
