/** Whatever happens to the transcript, what is seen is a part of the full layout, and it stays where it was read. */
import { expect, test } from "bun:test";
import type { Item } from "../../../../src/tui/model/items.ts";
import { createTranscript } from "../../../../src/tui/view/transcript.ts";
import { markdown, type Random, randomFrom, words } from "./random-markdown.ts";
import { answer, call, createSession, type FullRow, fullLayout, MEASURE, thinking, user } from "./stage.ts";

interface Folds {
  readonly chosen: Map<string, boolean>;
  all: boolean;
}

/** A transcript and its oracle, which knows by item and row what has to stand at the top. */
function createRig(seed: number) {
  const random = randomFrom(seed);
  const session = createSession();
  const transcript = createTranscript({ measure: () => MEASURE, maxBytes: 200_000 });
  const folds: Folds = { chosen: new Map(), all: false };
  let size = { width: 60, height: 12 };
  let top: Pick<FullRow, "id" | "row"> | undefined;
  let nextId = 0;

  const isOpen = (id: string, item?: Item): boolean => {
    const failed = item?.kind === "call" && item.state === "failed";
    const isThinking = item
      ? item.kind === "thinking"
      : session.live.find(({ key }) => key === id)?.kind === "thinking";
    return folds.chosen.get(id) ?? (failed || (folds.all && !isThinking));
  };
  const full = () => fullLayout(session, size.width, isOpen);
  const draw = () => {
    transcript.update(session.state());
    return transcript.rows(size.width, size.height);
  };
  const indexOf = (rows: readonly FullRow[], at: Pick<FullRow, "id" | "row">): number => {
    const first = rows.findIndex(({ id }) => id === at.id);
    const height = rows.filter(({ id }) => id === at.id).length;
    return first === -1 ? -1 : first + Math.min(at.row, height - 1);
  };

  /** Where the drawn rows stand in the full layout; the wanted place is tried first. */
  function check(what: string, wanted?: number): void {
    const seen = [...draw()];
    const rows = full();
    const lines = rows.map(({ line }) => line);
    const end = Math.max(0, rows.length - size.height);
    const at = transcript.isFollowing() || wanted === undefined ? end : Math.min(wanted, end);
    expect(Bun.deepEquals(seen, lines.slice(at, at + size.height)) || `seed ${seed}: ${what}`).toBe(true);
    top = transcript.isFollowing() ? undefined : rows[at];
  }

  /** After something that no reader did: the row at the top is the same. */
  const checkStill = (what: string): void => {
    const rows = top ? full() : [];
    const at = top ? indexOf(rows, top) : -1;
    const before = top;
    check(what, at === -1 ? undefined : at);
    if (before && at !== -1) top = before;
  };

  const steps: readonly (readonly [name: string, run: () => void])[] = [
    ["push", () => void [session.push(randomItem(random, `i${nextId++}`)), checkStill("push")]],
    ["push", () => void [session.push(randomItem(random, `i${nextId++}`)), checkStill("push")]],
    [
      "change",
      () => {
        const slot = random(Math.max(1, session.items.length));
        const item = session.items[slot];
        if (item?.kind === "call") session.replace(slot, randomCall(random, item.id));
        checkStill("change");
      },
    ],
    [
      "stream",
      () => {
        const key = session.live[0]?.key ?? `live${nextId++}`;
        if (!session.live[0]) session.begin(key, random(4) === 0 ? "thinking" : "answer");
        session.stream(key, `${markdown(random, random(8))}${random(2) ? "\n\n" : " "}`);
        checkStill("stream");
      },
    ],
    [
      "settle",
      () => {
        const block = session.live[0];
        if (!block) return;
        const id = `i${nextId++}`;
        const text = block.pieces.join("");
        session.settle(block.key, block.kind === "thinking" ? thinking(id, text) : answer(id, text));
        if (folds.chosen.has(block.key)) folds.chosen.set(id, folds.chosen.get(block.key) === true);
        if (top?.id === block.key) top = { ...top, id };
        checkStill("settle");
      },
    ],
    [
      "scroll",
      () => {
        const rows = full();
        const end = Math.max(0, rows.length - size.height);
        const from = top ? Math.min(Math.max(0, indexOf(rows, top)), end) : end;
        const by = random(3) ? -random(20) : random(30);
        transcript.scroll(by);
        check(`scroll ${by}`, Math.max(0, from + by));
        const isAtEnd = by !== 0 && from + by >= end;
        if (isAtEnd) expect(transcript.isFollowing()).toBe(true);
        if (Math.max(0, from + by) < end) expect(transcript.isFollowing()).toBe(false);
      },
    ],
    [
      "click",
      () => {
        const y = random(size.height);
        const item = transcript.itemAt(y);
        if (item && transcript.click(y)) folds.chosen.set(item.id, !isOpen(item.id, item));
        relocate("click");
      },
    ],
    [
      "details",
      () => {
        folds.all = transcript.toggleAll("details");
        const isThinking = (id: string) => session.items.some((item) => item.id === id && item.kind === "thinking");
        for (const id of [...folds.chosen.keys()]) if (!isThinking(id)) folds.chosen.delete(id);
        relocate("details");
      },
    ],
    [
      "resize",
      () => {
        size = { width: 1 + random(110), height: 1 + random(24) };
        relocate("resize");
      },
    ],
    ["end", () => void [transcript.toEnd(), check("end")]],
    ["start", () => void [transcript.toStart(), check("start", 0)]],
    ["jump", () => void [transcript.jumpTo(random(100) / 100), relocate("jump")]],
    ["refine", () => void [transcript.refine(random(200)), checkStill("refine")]],
  ];

  /** After a jump: somewhere, but whole. Where it is has to be found out; what cannot be told apart is left. */
  function relocate(what: string): void {
    const seen = [...draw()];
    const rows = full();
    const lines = rows.map(({ line }) => line);
    const head = transcript.itemAt(0)?.id;
    const fits = (at: number) =>
      (head === undefined || rows[at]?.id === head) && Bun.deepEquals(seen, lines.slice(at, at + size.height));
    const end = Math.max(0, lines.length - size.height);
    const found = transcript.isFollowing() ? [end].filter(fits) : [...lines.keys()].filter(fits);
    if (rows.length > 0) expect(found.length > 0 || `seed ${seed}: ${what}`).toBe(true);
    top = transcript.isFollowing() ? undefined : rows[found[0] ?? 0];
    if (found.length === 1) return;
    transcript.toStart();
    check(`${what}, and to the start`, 0);
  }

  return {
    run(count: number) {
      for (let step = 0; step < count; step++) steps[random(steps.length)]?.[1]();
    },
  };
}

function randomItem(random: Random, id: string): Item {
  switch (random(6)) {
    case 0:
      return user(id, words(random, 1 + random(30)));
    case 1:
      return thinking(id, words(random, random(80)));
    case 2:
      return { id, seq: 1, kind: "notice", tone: "warn", text: words(random, 3) };
    case 3:
      return answer(id, markdown(random, random(10) === 0 ? 100 : random(8)));
    default:
      return randomCall(random, id);
  }
}

function randomCall(random: Random, id: string): Item {
  const states = ["running", "done", "failed"] as const;
  return call(id, { state: states[random(3)] ?? "done", output: markdown(random, random(3)) });
}

test("what is seen is a part of the full layout, at the place where it was left", () => {
  for (let seed = 1; seed <= 15; seed++) createRig(seed).run(50);
});
