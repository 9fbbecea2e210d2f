/** How soon a typed key is seen: in an idle terminal, in a long session, and while an answer streams; and what that costs. */
import { readFileSync } from "node:fs";
import { sampleText } from "../../test/support/obedient-model.ts";
import type { Effort } from "./effort.ts";
import type { Ground } from "./ground.ts";
import { type MadeLog, makeLog } from "./make-log.ts";
import type { Watched } from "./pty.ts";
import type { Figure } from "./table.ts";
import { END, MEGABYTE, quantile, READY, SETTLED_MS, single, WHOLE_ANSWERS, withModel } from "./terminal-ground.ts";

/** Signs that nothing else on the screen holds, so that each is written to the terminal when it is echoed and only then. */
const ECHOES = [..."αβγδεζηθικλμνξοπρστυφχψω"];

const QUIET_ANSWER = { content: [{ type: "text" as const, text: END }] };

export async function echoes(ground: Ground, effort: Effort): Promise<readonly Figure[]> {
  const log = await longLog(ground, effort);
  const long = `in a session of ${log.items.toLocaleString("en")} items`;
  return [
    ...(await echoesIn(ground, ["khaelor"], { where: "idle", effort })),
    ...(await echoesIn(ground, ["khaelor", "--resume", log.id], { where: long, effort })),
  ];
}

const longLog = (ground: Ground, { longSession }: Effort): Promise<MadeLog> =>
  makeLog(ground.state, longSession, ground.project);

async function echoesIn(
  ground: Ground,
  [program, ...flags]: readonly ["khaelor", ...string[]],
  { where, effort }: { readonly where: string; readonly effort: Effort },
): Promise<readonly Figure[]> {
  const { terminal, close } = await withModel(ground, [ground.program(program), ...flags], QUIET_ANSWER);
  try {
    await terminal.seen(READY, { since: 0 });
    const ready = terminal.cost();
    await Bun.sleep(2 * SETTLED_MS);
    const rested = terminal.cost();
    const took = await typeOften(terminal, effort.keys);
    const aim = flags.length === 0 ? { most: 95 } : undefined;
    return [
      ...echoFigures(where, took),
      single(`memory when ready, ${where}`, "MB", ready.rssBytes / MEGABYTE, aim),
      single(`memory at rest, ${where}`, "MB", rested.rssBytes / MEGABYTE),
    ];
  } finally {
    await close();
  }
}

async function typeOften(
  terminal: Watched,
  times: number,
  until?: { readonly done: () => boolean },
): Promise<readonly number[]> {
  const took: number[] = [];
  for (let n = 0; until ? !until.done() && n < times : n < times; n++) {
    const sign = ECHOES[n % ECHOES.length] ?? "α";
    const at = performance.now();
    const seen = terminal.seen(sign);
    terminal.write(sign);
    took.push((await seen) - at);
    if ((n + 1) % ECHOES.length === 0) terminal.write("\x15"); // the line is cleared before signs come again
    await Bun.sleep(40); // a person does not type at once again; what is measured ends before
  }
  return took;
}

const echoFigures = (where: string, took: readonly number[]): readonly Figure[] => [
  single(`key → echo, ${where}, median`, "ms", quantile(took, 0.5)),
  single(`key → echo, ${where}, 95 %`, "ms", quantile(took, 0.95), { most: 16 }),
];

/** 200 KB at 2,000 tokens a second: 4 characters a token. */
const streamed = ({ streamBytes }: Effort) => ({
  content: [{ type: "text" as const, text: `${sampleText(streamBytes)}\n\n${END}` }],
  stream: { deltaChars: 32, deltaMs: 4 },
});

/** With somebody typing. */
export async function streaming(ground: Ground, effort: Effort): Promise<readonly Figure[]> {
  const { terminal, close } = await withModel(ground, [ground.program("khaelor"), ...WHOLE_ANSWERS], streamed(effort));
  try {
    await terminal.seen(READY, { since: 0 });
    await Bun.sleep(2 * SETTLED_MS);
    const [before, bytes, begun] = [terminal.cost(), terminal.received(), performance.now()];
    terminal.write("go\r");
    let isDone = false;
    const ended = terminal.seen(END).finally(() => {
      isDone = true;
    });
    const took = await typeOften(terminal, Number.POSITIVE_INFINITY, { done: () => isDone });
    const seconds = ((await ended) - begun) / 1000;
    const after = terminal.cost();
    const frames = terminal.frames(bytes);
    await Bun.sleep(2 * SETTLED_MS);
    const settled = terminal.cost();
    const of = (name: string) => `${Math.round(effort.streamBytes / 1024)} KB streamed, ${name}`;
    return [
      ...echoFigures("while 2,000 tokens a second stream", took),
      single(of("share of a core"), "%", ((after.cpuMs - before.cpuMs) / seconds / 1000) * 100),
      single(of("frames a second, those of 23 keys included"), "/s", frames / seconds),
      single(of("bytes a frame"), "bytes", (terminal.received() - bytes) / Math.max(1, frames)),
      single(of("memory over that before, at its end"), "MB", (after.rssBytes - before.rssBytes) / MEGABYTE),
      single(of("memory over that before, at rest"), "MB", (settled.rssBytes - before.rssBytes) / MEGABYTE, {
        most: 20,
      }),
    ];
  } finally {
    await close();
  }
}

/** Of what a frame takes inside the program: while an answer streams, in a long session. */
export async function frameTimes(ground: Ground, effort: Effort): Promise<readonly Figure[]> {
  const { id } = await longLog(ground, effort);
  const file = ground.fresh("frames");
  const command = [ground.program("probe-frames"), file, "--resume", id, ...WHOLE_ANSWERS];
  const { terminal, close } = await withModel(ground, command, streamed(effort));
  try {
    await terminal.seen(READY, { since: 0 });
    await Bun.sleep(SETTLED_MS);
    const ended = terminal.seen(END);
    terminal.write("go\r");
    await ended;
  } finally {
    await close();
  }
  const took = JSON.parse(readFileSync(file, "utf8")) as number[];
  return [
    single("a frame while 2,000 tokens a second stream, median", "ms", quantile(took, 0.5)),
    single("a frame while 2,000 tokens a second stream, 95 %", "ms", quantile(took, 0.95), { most: 8 }),
    single("a frame while 2,000 tokens a second stream, the longest", "ms", Math.max(...took)),
  ];
}
