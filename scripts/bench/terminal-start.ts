/** How soon the terminal is there, beside the least that could be. */
import type { Effort } from "./effort.ts";
import type { Ground } from "./ground.ts";
import { makeLog } from "./make-log.ts";
import type { Watched } from "./pty.ts";
import { pairs } from "./run.ts";
import { type Aim, type Figure, median } from "./table.ts";
import { FRAME, READY, started } from "./terminal-ground.ts";

const PLUS_TEN: Aim = { most: 10 };
const PLUS_THIRTY: Aim = { most: 30 };

/** The first byte of whatever it writes. */
const anything = async (terminal: Watched): Promise<number> => {
  await terminal.seen("\x1b", { since: 0 });
  return terminal.firstByteAt() ?? 0;
};
const floorFrame = (terminal: Watched) => terminal.seen("FULL_FRAME", { since: 0 });

export async function terminalStart(ground: Ground, { starts }: Effort): Promise<readonly Figure[]> {
  const first = await pairs(
    starts,
    () => started(ground, ["floor-hello"], (terminal) => terminal.seen("hello", { since: 0 })),
    () => started(ground, ["khaelor"], anything),
  );
  const full = await pairs(
    starts,
    () => started(ground, ["floor-tui"], floorFrame),
    () => started(ground, ["khaelor"], (terminal) => terminal.seen(FRAME, { since: 0 })),
  );
  const typed = await pairs(
    starts,
    () => started(ground, ["floor-tui"], typedAtOnce),
    () => started(ground, ["khaelor"], typedAtOnce),
  );
  const ready = await pairs(
    starts,
    () => started(ground, ["floor-tui"], floorFrame),
    () => started(ground, ["khaelor"], (terminal) => terminal.seen(READY, { since: 0 })),
  );
  const over = (name: string, seen: typeof first, aim: Aim): Figure => ({
    name,
    unit: "ms",
    floor: [],
    product: [(median(seen.product) ?? 0) - (median(seen.floor) ?? 0)],
    aim,
  });
  return [
    { name: "exec → first byte", unit: "ms", ...first },
    over("first byte, over a bare program's", first, PLUS_TEN),
    { name: "exec → full frame", unit: "ms", ...full },
    over("full frame, over a bare OpenTUI program's", full, PLUS_THIRTY),
    { name: "exec → a key typed at once is seen", unit: "ms", ...typed },
    { name: "exec → the session is open", unit: "ms", ...ready },
  ];
}

/** In raw mode by then: what is seen was drawn by the program, and is no echo of the terminal itself. */
const RAW_MS = 5;

async function typedAtOnce(terminal: Watched): Promise<number> {
  await anything(terminal);
  await Bun.sleep(RAW_MS);
  terminal.write("Ω");
  return terminal.seen("Ω", { since: 0 });
}

/** To the first frame that shows the end of a long session. */
export async function resuming(ground: Ground, effort: Effort): Promise<readonly Figure[]> {
  const { id, lastText } = await makeLog(ground.state, 10_000, ground.project);
  const seen = await pairs(
    effort.shows,
    () => started(ground, ["floor-tui"], floorFrame),
    () =>
      started(ground, ["khaelor", "--resume", id], async (terminal) =>
        Math.max(await terminal.seen(lastText, { since: 0 }), await terminal.seen(READY, { since: 0 })),
      ),
  );
  return [{ name: "resume of 10,000 events → its end is seen", unit: "ms", ...seen, aim: { most: 500 } }];
}
