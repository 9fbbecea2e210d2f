/** What it costs to show an answer, and to show nothing. */
import { sampleText } from "../../test/support/obedient-model.ts";
import type { Effort } from "./effort.ts";
import type { Ground, Program } from "./ground.ts";
import { pairs } from "./run.ts";
import type { Figure } from "./table.ts";
import { END, READY, withModel } from "./terminal-ground.ts";

/** Everything arrives at once: from Enter until the end is on the screen, beside a program that prints it. */
export async function atOnce(ground: Ground, effort: Effort): Promise<readonly Figure[]> {
  const text = `${sampleText(200 * 1024)}\n\n${END}`;
  const turn = { content: [{ type: "text" as const, text }], stream: { deltaChars: 4096 } };
  const ask = async (program: Program): Promise<Shown> => {
    const { terminal, close } = await withModel(ground, [ground.program(program)], turn);
    try {
      await terminal.seen(program === "khaelor" ? READY : "READY", { since: 0 });
      await Bun.sleep(500);
      const [before, begun] = [terminal.cost(), performance.now()];
      const seen = terminal.seen(END);
      terminal.write(program === "khaelor" ? "go\r" : "go\n");
      const wallMs = (await seen) - begun;
      await Bun.sleep(1000);
      return { wallMs, cpuMs: terminal.cost().cpuMs - before.cpuMs };
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
  return [of("Enter → end seen", ({ wallMs }) => wallMs), of("CPU", ({ cpuMs }) => cpuMs)];
}

interface Shown {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** 20 s at 200 tokens a second. */
export async function steadily(ground: Ground, effort: Effort): Promise<readonly Figure[]> {
  const text = `${sampleText(effort.steadySeconds * 800)}\n\n${END}`;
  const turn = { content: [{ type: "text" as const, text }], stream: { deltaChars: 16, deltaMs: 20 } };
  const { terminal, close } = await withModel(ground, [ground.program("khaelor")], turn);
  try {
    await terminal.seen(READY, { since: 0 });
    await Bun.sleep(500);
    const [before, bytes] = [terminal.cost(), terminal.received()];
    const seen = terminal.seen(END);
    terminal.write("go\r");
    await seen;
    const name = `${effort.steadySeconds} s at 200 tokens a second`;
    const cpuMs = terminal.cost().cpuMs - before.cpuMs;
    return [
      { name: `${name}, CPU`, unit: "ms", floor: [], product: [cpuMs], aim: { most: 75 * effort.steadySeconds } },
      { name: `${name}, written`, unit: "bytes", floor: [], product: [terminal.received() - bytes] },
    ];
  } finally {
    await close();
  }
}

export async function idling(ground: Ground, effort: Effort): Promise<readonly Figure[]> {
  const { terminal, close } = await withModel(ground, [ground.program("khaelor")], { content: [] });
  try {
    await terminal.seen(READY, { since: 0 });
    await Bun.sleep(3000);
    const [before, bytes] = [terminal.cost(), terminal.received()];
    await Bun.sleep(effort.idleSeconds * 1000);
    const after = terminal.cost();
    const name = `idle for ${effort.idleSeconds} s`;
    return [
      { name: `${name}, written`, unit: "bytes", floor: [], product: [terminal.received() - bytes], aim: { most: 0 } },
      { name: `${name}, wake-ups of all threads`, unit: "", floor: [], product: [after.wakeUps - before.wakeUps] },
      { name: `${name}, CPU`, unit: "ms", floor: [], product: [after.cpuMs - before.cpuMs] },
    ];
  } finally {
    await close();
  }
}
