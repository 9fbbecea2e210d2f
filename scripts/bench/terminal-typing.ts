/** How soon a typed key is seen: in an idle terminal, in a long session, and while an answer streams; and what that costs. */
import { sampleText } from "../../test/support/obedient-model.ts";
import type { Effort } from "./effort.ts";
import type { Ground } from "./ground.ts";
import { makeLog } from "./make-log.ts";
import type { Watched } from "./pty.ts";
import type { Aim, Figure, Unit } from "./table.ts";
import { END, MEGABYTE, READY, withModel } from "./terminal-ground.ts";

/** Signs that nothing else on the screen holds, so that each is written to the terminal when it is echoed and only then. */
const ECHOES = [..."αβγδεζηθικλμνξοπρστυφχψω"];

export async function echoes(ground: Ground, effort: Effort): Promise<readonly Figure[]> {
  const idle = await withModel(ground, [ground.program("khaelor")], { content: [{ type: "text", text: END }] });
  const figures: Figure[] = [];
  try {
    await idle.terminal.seen(READY, { since: 0 });
    figures.push(...echoFigures("idle", await typeOften(idle.terminal, effort.keys)));
  } finally {
    await idle.close();
  }
  const home = ground.state;
  const { id } = await makeLog(home, effort.longSession, ground.project);
  const long = await withModel(ground, [ground.program("khaelor"), "--resume", id], {
    content: [{ type: "text", text: END }],
  });
  try {
    await long.terminal.seen(READY, { since: 0 });
    figures.push(
      ...echoFigures(`in a session of ${effort.longSession} events`, await typeOften(long.terminal, effort.keys)),
    );
  } finally {
    await long.close();
  }
  return figures;
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

const at = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

const echoFigures = (where: string, took: readonly number[]): readonly Figure[] => [
  { name: `key → echo, ${where}, median`, unit: "ms", floor: [], product: [at(took, 0.5)] },
  { name: `key → echo, ${where}, 95 %`, unit: "ms", floor: [], product: [at(took, 0.95)], aim: { most: 16 } },
];

/** 200 KB at 2,000 tokens a second, with somebody typing. */
export async function streaming(ground: Ground, effort: Effort): Promise<readonly Figure[]> {
  const text = `${sampleText(effort.streamBytes)}\n\n${END}`;
  const turn = { content: [{ type: "text" as const, text }], stream: { deltaChars: 32, deltaMs: 4 } };
  const { terminal, close } = await withModel(ground, [ground.program("khaelor")], turn);
  try {
    await terminal.seen(READY, { since: 0 });
    await Bun.sleep(1000);
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
    await Bun.sleep(3000);
    const settled = terminal.cost();
    const one = (name: string, unit: Unit, value: number, aim?: Aim): Figure => ({
      name: `${Math.round(effort.streamBytes / 1024)} KB streamed, ${name}`,
      unit,
      floor: [],
      product: [value],
      ...(aim && { aim }),
    });
    return [
      ...echoFigures("while 2,000 tokens a second stream", took),
      one("share of a core", "%", ((after.cpuMs - before.cpuMs) / seconds / 1000) * 100),
      one("frames a second", "/s", frames / seconds),
      one("bytes a frame", "bytes", (terminal.received() - bytes) / Math.max(1, frames)),
      one("memory when ready", "MB", before.rssBytes / MEGABYTE, { most: 95 }),
      one("memory over that afterwards", "MB", (settled.rssBytes - before.rssBytes) / MEGABYTE, { most: 20 }),
    ];
  } finally {
    await close();
  }
}
