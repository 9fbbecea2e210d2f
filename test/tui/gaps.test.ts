/**
 * A log that came to harm, as it is shown: in whatever way and at whatever line, everything that was said and can be read is there,
 * in its order, with a word in the place of each line that is wrong.
 */
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { problemWords, readableLines } from "../../src/cli/readable-lines.ts";
import { createViewModel } from "../../src/tui/model/view-model.ts";
import { ID, workshop } from "../session/workshop.ts";
import { HARMS, type Harm, harmsOf, LOG } from "../support/log-damage.ts";

const ROOT = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** The words of the log that are shown of this event, or undefined for one that shows none of its own. */
function wordOf(seq: number): string | undefined {
  const line = LOG[seq - 1] ?? "";
  return /"type":"(?:user|model|tool)\.(?:message|text|completed)/.test(line) ? /word\d+/.exec(line)?.[0] : undefined;
}

async function shown({ bytes }: Harm): Promise<{ readonly text: string; readonly gaps: readonly string[] }> {
  using room = workshop({}, ROOT);
  room.write(bytes);
  const model = createViewModel({ readOnly: {} });
  for await (const line of readableLines(room.store, ID)) {
    if ("event" in line) model.replay(line.event);
    else if (!line.problem.torn) model.replayGap(problemWords(line.problem));
  }
  const { items, questions, queued, activity } = model.state();
  expect([questions, queued, activity]).toEqual([[], [], { kind: "idle" }]);
  const gaps = items.flatMap((item) => (item.kind === "notice" && item.tone === "error" ? [item.text] : []));
  return { text: JSON.stringify(items), gaps };
}

describe("what can be read is shown, and where something is wrong is said", () => {
  for (const kind of Object.keys(HARMS).filter((one) => !one.startsWith("longer"))) {
    test(kind, async () => {
      for (const harm of harmsOf(kind)) {
        const { text, gaps } = await shown(harm);
        const isCut = harm.expected.lines.length === 0 && harm.intact.length < LOG.length;
        const open = isCut ? [10, 16, 20] : []; // of an answer whose end is gone
        const words = harm.intact.filter((seq) => !open.includes(seq)).flatMap((seq) => wordOf(seq) ?? []);
        const lost = words.filter((word) => !text.includes(word));
        expect({ at: harm.at, lost }).toEqual({ at: harm.at, lost: [] });
        expect(gaps.map((gap) => Number(/line (\d+)/.exec(gap)?.[1]))).toEqual([...harm.expected.lines]);
      }
    });
  }
});

test("of events that share an id each is shown", async () => {
  using room = workshop();
  room.write(LOG.map((line) => `${line.replace(/"id":"[^"]*"/, '"id":"same"')}\n`).join(""));
  const seqs: number[] = [];
  for await (const line of readableLines(room.store, ID)) if ("event" in line) seqs.push(line.event.seq);
  expect(seqs).toEqual(LOG.map((_, at) => at + 1));
});
