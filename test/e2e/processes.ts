/** Which processes a process has started, and whether they are still there: for tests that kill. Linux and macOS. */
import { readdirSync, readFileSync } from "node:fs";

export interface Process {
  readonly pid: number;
  readonly parent: number;
  /** Tells two processes with the same number apart. */
  readonly startedAt: string;
}

/** All below `pid`, at this moment; stop it first for an answer that stays true. */
export function descendants(pid: number): readonly Process[] {
  const all = process.platform === "linux" ? fromProc() : fromPs();
  const found: Process[] = [];
  const parents = new Set([pid]);
  for (let size = 0; size !== parents.size; ) {
    size = parents.size;
    for (const one of all) {
      if (!parents.has(one.parent) || parents.has(one.pid)) continue;
      parents.add(one.pid);
      found.push(one);
    }
  }
  return found;
}

/** Those that are still there after `ms`; asked again until then, for a watchdog needs its moment. */
export async function survivors(processes: readonly Process[], ms = 5_000): Promise<readonly Process[]> {
  for (const until = Date.now() + ms; ; await Bun.sleep(20)) {
    const all = process.platform === "linux" ? fromProc() : fromPs();
    const left = processes.filter((one) => all.some((now) => now.pid === one.pid && now.startedAt === one.startedAt));
    if (left.length === 0 || Date.now() > until) return left;
  }
}

/** Zombies do not count: they are gone, and wait only to be asked how. */
function fromProc(): readonly Process[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const fields = statOf(name);
    const [state, parent] = fields;
    if (state === undefined || state === "Z") return [];
    return [{ pid: Number(name), parent: Number(parent), startedAt: fields[19] ?? "" }];
  });
}

/** The fields behind the command's name, which may hold blanks and brackets. */
function statOf(pid: string): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return []; // it has just ended
  }
}

function fromPs(): readonly Process[] {
  const { stdout } = Bun.spawnSync(["ps", "-A", "-o", "pid=,ppid=,state=,lstart="]);
  return stdout
    .toString()
    .split("\n")
    .flatMap((line) => {
      const [pid, parent, state, ...start] = line.trim().split(/\s+/);
      if (!pid || !state || state.startsWith("Z")) return [];
      return [{ pid: Number(pid), parent: Number(parent), startedAt: start.join(" ") }];
    });
}
