/**
 * Files for `@`: those of the session's folder that a search may show, ranked by letters and by use. What was mentioned
 * before counts, and what this session read or changed, and what git says was changed when it began.
 */
import { isAbsolute, join, relative } from "node:path";
import { createFileFinder, type FileFinder, weightOf } from "../../repository/index.ts";
import { projectHash } from "../../session/index.ts";
import { systemClock } from "../../shared/index.ts";
import type { Queries } from "../../tui/index.ts";
import type { Engine } from "../engine.ts";
import { type FileUses, openFileUses } from "./file-uses.ts";
import type { EngineHost } from "./host.ts";
import type { Surroundings } from "./surroundings.ts";

/** A listing that takes longer shows what it has found by then. */
const LISTING_LIMIT_MS = 5_000;

const CHANGED_WEIGHT = 2;
const READ_WEIGHT = 1;
const DIRTY_WEIGHT = 0.5;

interface Found {
  readonly engine: Engine;
  readonly finder: FileFinder;
  readonly uses: FileUses;
}

export function createFindFiles(
  host: Pick<EngineHost, "current" | "onScreen">,
  { places }: Pick<Surroundings, "places">,
): Pick<Queries, "findFiles" | "noteAccess"> {
  let found: Found | undefined;
  /** Another session may have another folder, and other rules. */
  function current(): Found | undefined {
    const engine = host.current();
    if (found && found.engine === engine) return found;
    found?.finder.dispose();
    found = engine && open(engine, places.home);
    return found;
  }
  return {
    async findFiles(text, limit, signal) {
      const here = current();
      if (!here)
        throw new Error(host.onScreen() ? "this session is only looked at" : "the session is still being opened");
      return here.finder.find(text, limit, signal);
    },
    noteAccess(path) {
      const here = current();
      if (!here || here.engine.resultOptions.isThrownAway) return; // a session that keeps nothing keeps this neither
      const inProject = below(here.engine.projectRoot, join(here.engine.workspace.cwd(), path));
      if (inProject !== undefined) here.uses.note(inProject, systemClock.now());
    },
  };
}

function open(engine: Engine, home: string): Found {
  const { workspace, search, projectRoot, session } = engine;
  const root = workspace.cwd();
  const uses = openFileUses(home, projectHash(projectRoot));
  const finder = createFileFinder({
    ports: { workspace, ripgrep: search.ripgrep, projectRoot: search.projectRoot, timeLimitMs: LISTING_LIMIT_MS },
    place: { root, isFolder: true },
    mayShow: search.readableBelow(root),
    now: () => performance.now(),
    revision: () => Object.keys(session.state().files.changes).length,
    weights: () => weightsOf(engine, uses, root),
  });
  return { engine, finder, uses };
}

function weightsOf({ session, projectRoot }: Engine, uses: FileUses, root: string): ReadonlyMap<string, number> {
  const now = systemClock.now();
  const { changes, seen, baseline } = session.state().files;
  const weights = new Map<string, number>();
  const add = (path: string, weight: number) => {
    const name = below(root, path);
    if (name !== undefined) weights.set(name, (weights.get(name) ?? 0) + weight);
  };
  for (const [path, access] of uses.all()) add(join(projectRoot, path), weightOf(access, now));
  for (const path of Object.keys(changes)) add(absolute(path, root), CHANGED_WEIGHT);
  for (const path of Object.keys(seen)) add(absolute(path, root), READ_WEIGHT);
  const gitRoot = baseline?.root;
  if (gitRoot !== undefined) for (const path of baseline?.dirtyFiles ?? []) add(join(gitRoot, path), DIRTY_WEIGHT);
  return weights;
}

const absolute = (path: string, root: string): string => (isAbsolute(path) ? path : join(root, path));

/** Undefined: it lies elsewhere. A folder keeps its slash. */
function below(root: string, path: string): string | undefined {
  const inside = relative(root, path);
  if (inside === "" || inside === ".." || inside.startsWith("../")) return undefined;
  return path.endsWith("/") ? `${inside}/` : inside;
}
