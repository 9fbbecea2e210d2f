/**
 * A copy of the sources in which one place can be made wrong, and the simulation run over it in a process of its own. The copy
 * stands beside nothing but the packages, which it shares.
 */
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A deliberate bug, as a change of the real source. */
export interface Mutant {
  readonly name: string;
  /** Under src/. */
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** What the violation says that catches it. */
  readonly caughtBy: RegExp;
  /** Shows it. Chance goes otherwise when the sources change: then one of a few others has to. */
  readonly seed: number;
}

export interface Finding {
  readonly seed?: number;
  readonly message?: string;
}

const STEPS = 600;
const OTHER_SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 14, 15, 16];

/** Real time; the slowest mutant takes a few seconds. */
const LIMIT_MS = 120_000;
const ROOT = join(import.meta.dir, "../..");
const SHARED = ["node_modules", ".tools"];
const COPIED = ["src", "test/sim", "test/support", "package.json", "tsconfig.json", "bunfig.toml"];

export class MutantHouse {
  readonly #folder = realpathSync(mkdtempSync(join(tmpdir(), "khaelor-mutants-")));

  constructor() {
    for (const name of COPIED) cpSync(join(ROOT, name), join(this.#folder, name), { recursive: true });
    for (const name of SHARED) symlinkSync(join(ROOT, name), join(this.#folder, name));
  }

  /** The sources as they are. */
  unchanged(steps: number, seeds: readonly number[]): Promise<Finding> {
    return this.#simulate(steps, seeds);
  }

  /** Runs it with the bug, and takes that back. Throws when the place of the bug is not to be found. */
  async withBug({ name, file, find, replace, seed }: Mutant): Promise<Finding> {
    const path = join(this.#folder, "src", file);
    const source = readFileSync(path, "utf8");
    const places = source.split(find).length - 1;
    if (places !== 1) {
      throw new Error(`The mutant "${name}" must be renewed: src/${file} holds the text to replace ${places} times.`);
    }
    writeFileSync(
      path,
      source.replace(find, () => replace),
    );
    try {
      return await this.#simulate(STEPS, [seed, ...OTHER_SEEDS]);
    } finally {
      writeFileSync(path, source);
    }
  }

  async #simulate(steps: number, seeds: readonly number[]): Promise<Finding> {
    const program = join(this.#folder, "test/sim/first-violation.ts");
    const child = Bun.spawn([process.execPath, program, ...[steps, ...seeds].map(String)], {
      cwd: this.#folder,
      stderr: "pipe",
      timeout: LIMIT_MS,
    });
    const [said, complaint] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    if ((await child.exited) !== 0) throw new Error(`the simulation did not run: ${complaint}`);
    return JSON.parse(said) as Finding; // written by first-violation.ts
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
