/** Sessions that can only be looked at, in lines: what is there and what is not, that nothing is sent, and how it goes on. */
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import type { TerminalHouse } from "../../support/terminal-house.ts";
import { onLineStage, STAGE_TIMEOUT_MS } from "./line-stage.ts";

interface Broken {
  readonly id: string;
  readonly path: string;
  readonly bytes: Buffer;
}

/** A session of two exchanges, with half a line in the place of the first answer. */
async function broken(house: TerminalHouse): Promise<Broken> {
  const { id, path } = await house.open();
  await house.say("say apples");
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
