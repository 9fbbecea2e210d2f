/** What a very long log costs on a terminal, which holds a bounded part of it: while it is opened, at rest, and when it was exported. */
import { rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Effort } from "./effort.ts";
import type { Ground } from "./ground.ts";
import { makeLog } from "./make-log.ts";
import type { Aim, Figure, Unit } from "./table.ts";
import { median } from "./table.ts";
import { MEGABYTE, READY, SETTLED_MS, withModel } from "./terminal-ground.ts";

/** Of results of commands: three quarters of the log. */
const MOST_RESULT_CHARS = 9_300;
const PEAK: Aim = { most: 250 };
const AT_REST: Aim = { most: 150 };

interface Seen {
  readonly readyMs: number;
  readonly ready: number;
  readonly peak: number;
  readonly rest: number;
  readonly exported: number;
}

export async function longOnTerminal(ground: Ground, { shows, longLog }: Effort): Promise<readonly Figure[]> {
  const { id, path } = await makeLog(ground.state, longLog, ground.project, MOST_RESULT_CHARS);
  const name = `${longLog / 1000}K events, ${Math.round(statSync(path).size / MEGABYTE)} MB, on a terminal`;
  const rounds: Seen[] = [];
  for (let round = 0; round < shows; round++) rounds.push(await openedOnce(ground, id, `out-${round}.md`));
  rmSync(dirname(path), { recursive: true });
  const figure = (what: string, unit: Unit, take: (seen: Seen) => number, aim?: Aim): Figure => ({
    name: `${name}: ${what}`,
    unit,
    floor: [],
    product: [median(rounds.map(take)) ?? 0],
    ...(aim && { aim }),
  });
  return [
    figure("exec → the session is open", "ms", ({ readyMs }) => readyMs),
    figure("memory when ready", "MB", ({ ready }) => ready),
    figure("the most until then", "MB", ({ peak }) => peak, PEAK),
    figure("memory at rest", "MB", ({ rest }) => rest, AT_REST),
    figure("the most while it is exported", "MB", ({ exported }) => exported, PEAK),
  ];
}

async function openedOnce(ground: Ground, id: string, file: string): Promise<Seen> {
  const answer = { content: [{ type: "text" as const, text: "." }] };
  const { terminal, close } = await withModel(ground, [ground.program("khaelor"), "--resume", id], answer);
  try {
    const readyMs = (await terminal.seen(READY, { since: 0 })) - terminal.startedAt;
    const ready = terminal.cost();
    await Bun.sleep(2 * SETTLED_MS);
    const rest = terminal.cost();
    terminal.write(`/export ${file}\r`);
    await terminal.seen("Written");
    const exported = terminal.cost().peakBytes;
    rmSync(join(ground.project, file));
    return {
      readyMs,
      ready: ready.rssBytes / MEGABYTE,
      peak: ready.peakBytes / MEGABYTE,
      rest: rest.rssBytes / MEGABYTE,
      exported: exported / MEGABYTE,
    };
  } finally {
    await close();
  }
}
