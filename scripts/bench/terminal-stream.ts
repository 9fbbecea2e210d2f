/** What it costs to show an answer, and to show nothing. */
import { sampleText } from "../../test/support/obedient-model.ts";
import type { Effort } from "./effort.ts";
import type { Ground, Program } from "./ground.ts";
import { wokenBetween } from "./pty.ts";
import { pairs } from "./run.ts";
import type { Figure, Unit } from "./table.ts";
import { END, FRAME, READY, SETTLED_MS, single, WHOLE_ANSWERS, withModel } from "./terminal-ground.ts";

/** Everything arrives at once: from Enter until the end is on the screen, beside a program that prints it. */
export async function atOnce(ground: Ground, effort: Effort): Promise<readonly Figure[]> {
  const text = `${sampleText(200 * 1024)}\n\n${END}`;
  const turn = { content: [{ type: "text" as const, text }], stream: { deltaChars: 4096 } };
  const ask = async (program: Program): Promise<Shown> => {
    const isProduct = program === "khaelor";
    const command = [ground.program(program), ...(isProduct ? WHOLE_ANSWERS : [])];
    const { terminal, close } = await withModel(ground, command, turn);
    try {
      await terminal.seen(isProduct ? READY : "READY", { since: 0 });
      await Bun.sleep(SETTLED_MS);
      const [before, begun] = [terminal.cost(), performance.now()];
      const seen = terminal.seen(END);
      terminal.write(isProduct ? "go\r" : "go\n");
      const wallMs = (await seen) - begun;
      const { cpuMs } = terminal.cost();
      await Bun.sleep(SETTLED_MS);
      return { wallMs, cpuMs: cpuMs - before.cpuMs, settledCpuMs: terminal.cost().cpuMs - before.cpuMs };
    } finally {
      await close();
    }
  };
  const seen = await pairs(
    effort.shows,
    () => ask("floor-say"),
    () => ask("khaelor"),
  );
  const of = (name: string, take: (shown: Shown) => number): Figure => ({
    name: `200 KB of markdown at once, ${name}`,
    unit: "ms",
    floor: seen.floor.map(take),
    product: seen.product.map(take),
    aim: { ratio: 2 },
  });
  return [
    of("Enter → end seen", ({ wallMs }) => wallMs),
    of("CPU until then", ({ cpuMs }) => cpuMs),
    of("CPU until all is at rest", ({ settledCpuMs }) => settledCpuMs),
  ];
}

interface Shown {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly settledCpuMs: number;
}

/** 20 s at 200 tokens a second. */
export async function steadily(ground: Ground, effort: Effort): Promise<readonly Figure[]> {
  const text = `${sampleText(effort.steadySeconds * 800)}\n\n${END}`;
  const turn = { content: [{ type: "text" as const, text }], stream: { deltaChars: 16, deltaMs: 20 } };
  const { terminal, close } = await withModel(ground, [ground.program("khaelor")], turn);
  try {
    await terminal.seen(READY, { since: 0 });
    await Bun.sleep(SETTLED_MS);
    const [before, bytes, begun] = [terminal.cost(), terminal.received(), performance.now()];
    const seen = terminal.seen(END);
    terminal.write("go\r");
    const seconds = ((await seen) - begun) / 1000;
    const of = (name: string) => `${effort.steadySeconds} s at 200 tokens a second, ${name}`;
    return [
      single(of("CPU"), "ms", terminal.cost().cpuMs - before.cpuMs, { most: 75 * effort.steadySeconds }),
      single(of("written"), "bytes", terminal.received() - bytes),
      single(of("frames a second"), "/s", terminal.frames(bytes) / seconds),
    ];
  } finally {
    await close();
  }
}

/** Beside a program that has painted once: what wakes that up is the runtime's. */
export async function idling(ground: Ground, effort: Effort): Promise<readonly Figure[]> {
  const rest = async (program: Program): Promise<Rested> => {
    const { terminal, close } = await withModel(ground, [ground.program(program)], { content: [] });
    try {
      await terminal.seen(program === "khaelor" ? FRAME : "FULL_FRAME", { since: 0 });
      await Bun.sleep(2 * SETTLED_MS);
      const [before, bytes] = [terminal.cost(), terminal.received()];
      await Bun.sleep(effort.idleSeconds * 1000);
      const after = terminal.cost();
      const [wakeUps, cpuMs] = [wokenBetween(before, after), after.cpuMs - before.cpuMs];
      return { bytes: terminal.received() - bytes, wakeUps, cpuMs };
    } finally {
      await close();
    }
  };
  const [floor, product] = await Promise.all([rest("floor-tui"), rest("khaelor")]);
  const of = (name: string, unit: Unit, take: (rested: Rested) => number): Figure => ({
    name: `idle for ${effort.idleSeconds} s, ${name}`,
    unit,
    floor: [take(floor)],
    product: [take(product)],
  });
  return [
    { ...of("written", "bytes", ({ bytes }) => bytes), aim: { most: 0 } },
    of("wake-ups of all threads", "", ({ wakeUps }) => wakeUps),
    of("CPU", "ms", ({ cpuMs }) => cpuMs),
  ];
}

interface Rested {
  readonly bytes: number;
  readonly wakeUps: number;
  readonly cpuMs: number;
}
