/** Engines in places of the test's own choosing: a cut log in a fresh home, a subfolder of a project, another key. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { composeEngine } from "../../src/cli/compose.ts";
import type { Engine, EngineOptions } from "../../src/cli/engine.ts";
import type { House } from "../support/house.ts";

export const engineIn = (
  house: Pick<House, "home" | "cwd" | "simulator">,
  changes: Partial<EngineOptions> = {},
): Promise<Engine> =>
  composeEngine({
    places: { home: house.home, userHome: dirname(house.cwd), cwd: house.cwd },
    env: { PATH: process.env.PATH, HOME: dirname(house.cwd) },
    flags: { permissionMode: "bypass" },
    log: { verbose: false },
    title: "test",
    connection: { auth: { kind: "api-key", value: "test-key" }, baseURL: house.simulator.url },
    somebodyToAsk: false,
    ...changes,
  });

/** A recorded session: its log's lines, and where it lay. */
export interface Recorded {
  readonly id: string;
  readonly home: string;
  readonly path: string;
  readonly lines: readonly string[];
}

export function recordingOf({ home, engine }: House): Recorded {
  const { id, path } = engine.session;
  return { id, home, path, lines: readFileSync(path, "utf8").trimEnd().split("\n") };
}

/** A home that holds the first lines of the session, as a crash right behind the last of them would leave it. */
export function cutHome({ home, path, lines }: Recorded, count: number, tornBytes = ""): string {
  const fresh = join(dirname(home), `${basename(home)}-cut`);
  rmSync(fresh, { recursive: true, force: true });
  for (const kept of ["blobs", "cache"].filter((name) => existsSync(join(home, name)))) {
    cpSync(join(home, kept), join(fresh, kept), { recursive: true });
  }
  const log = join(fresh, relative(home, path));
  mkdirSync(dirname(log), { recursive: true });
  writeFileSync(
    log,
    lines
      .slice(0, count)
      .map((line) => `${line}\n`)
      .join("") + tornBytes,
  );
  return fresh;
}
