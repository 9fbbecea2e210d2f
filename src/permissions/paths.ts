/** Where a path lies: links followed, measured against the project. Text alone never decides that something is inside. */
import { followLinks } from "./links.ts";
import { type SensitivePlaces, sensitivePlaces } from "./sensitive.ts";
import { normalPath } from "./shell/builtins.ts";
import type { Word } from "./shell/types.ts";

/** What is known of the machine; one for each evaluation, because it remembers where links lead. */
export interface Ground {
  readonly home: string;
  /** The project's root as given and as it really lies. */
  readonly project: readonly string[];
  /** What counts as the project: its root, and the folders that the user added. */
  readonly roots: readonly string[];
  readonly stateFolder: string;
  readonly sensitive: SensitivePlaces;
  readonly resolve: (absolutePath: string) => string | undefined;
  /** A link that an earlier command of the same text makes. */
  readonly addLink: (at: Pick<Word, "shape" | "known">, target: Pick<Word, "shape" | "known">, cwd: string) => void;
  readonly isSpecial: (realPath: string) => boolean;
  readonly settingThatRuns: (folder: string) => string | undefined;
}

/** `nowhere`: a device that neither keeps nor holds anything. `spill`: KHAELOR's own overflow of tool output. */
export type Zone = "inside" | "outside" | "nowhere" | "network" | "spill" | "unknown";

export interface Place {
  readonly zone: Zone;
  /** Where it really lies; as text when that cannot be told. May have wildcards. */
  readonly path: string;
  /** Where the text says that it lies. */
  readonly lexical: string;
}

export interface GroundOptions {
  readonly home: string;
  readonly projectRoot: string;
  readonly additionalRoots?: readonly string[] | undefined;
  readonly stateFolder: string;
  readonly resolvePath: (absolutePath: string) => string | undefined;
  readonly isSpecialFile?: ((realPath: string) => boolean) | undefined;
  readonly settingThatRuns?: ((folder: string) => string | undefined) | undefined;
}

/** Makes a fresh ground for each evaluation. */
export function groundMaker(options: GroundOptions): () => Ground {
  const home = normalPath(options.home);
  const stateFolder = normalPath(options.stateFolder);
  const bothWays = (folder: string): readonly string[] => {
    const root = normalPath(folder);
    return [root, normalPath(options.resolvePath(root) ?? root)];
  };
  const project = [...new Set(bothWays(options.projectRoot))];
  const roots = [...new Set([...project, ...(options.additionalRoots ?? []).flatMap(bothWays)])];
  const settingThatRuns = (path: string): string | undefined => options.settingThatRuns?.(path);
  const sensitive = sensitivePlaces({ home, stateFolder, roots });
  const fixed = { home, stateFolder, project, roots, sensitive, settingThatRuns };
  return () => ({ ...fixed, ...linkReader(options) });
}

function linkReader(options: GroundOptions): Pick<Ground, "resolve" | "addLink" | "isSpecial"> {
  const known = new Map<string, string | undefined>();
  const links = new Map<string, string>();
  const resolve = (path: string): string | undefined => {
    if (known.has(path)) return known.get(path);
    // More links than this in one text are not followed: nothing can be told any more.
    if (links.size > MAX_LINKS) return undefined;
    const made = links.size === 0 ? path : followLinks(path, (name) => links.get(name));
    const resolved = made === undefined ? undefined : options.resolvePath(made);
    const normal = resolved === undefined ? undefined : normalPath(resolved);
    known.set(path, normal);
    return normal;
  };
  return {
    resolve,
    addLink(at, target, cwd) {
      if (!at.known || !target.known) return;
      links.set(normalPath(at.shape.startsWith("/") ? at.shape : `${cwd}/${at.shape}`), target.shape);
      known.clear();
    },
    isSpecial: (path) => options.isSpecialFile?.(path) === true,
  };
}

const MAX_LINKS = 32;

const NOWHERE = /^\/dev\/(?:null|zero|full|u?random|std(?:in|out|err)|fd\/\d+|tty)$|^\/proc\/self\/fd\/\d+$/;
const NETWORK = /^\/dev\/(?:tcp|udp)\//;
const LIVE = /[*?[]/;

export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);

/** `cwd` undefined: a relative path cannot be placed. */
export function locate(
  word: Pick<Word, "shape" | "known" | "pattern">,
  cwd: string | undefined,
  ground: Ground,
): Place {
  const text = word.shape;
  if (!word.known || (cwd === undefined && !text.startsWith("/")))
    return { zone: "unknown", path: text, lexical: text };
  if (text === "-") return { zone: "nowhere", path: text, lexical: text };
  const absolute = text.startsWith("/") ? text : `${cwd}/${text}`;
  const lexical = normalPath(absolute);
  if (NOWHERE.test(lexical)) return { zone: "nowhere", path: lexical, lexical };
  if (NETWORK.test(lexical)) return { zone: "network", path: lexical, lexical };
  const hasWildcard = word.pattern || (cwd !== undefined && !text.startsWith("/") && LIVE.test(cwd));
  const path = hasWildcard ? resolveWildcard(absolute, ground) : ground.resolve(absolute);
  if (path === undefined) return { zone: "unknown", path: lexical, lexical };
  return { zone: zoneOf(path, ground), path, lexical };
}

function zoneOf(path: string, ground: Ground): Zone {
  if (isWithin(path, `${ground.stateFolder}/spill`)) return "spill";
  return ground.roots.some((root) => isWithin(path, root)) ? "inside" : "outside";
}

/** The folder in front of the first wildcard is followed; what comes behind it must not climb. */
function resolveWildcard(absolute: string, ground: Ground): string | undefined {
  const segments = absolute.split("/");
  const first = segments.findIndex((segment) => LIVE.test(segment));
  if (first < 0) return ground.resolve(absolute);
  const below = segments.slice(first).filter((segment) => segment !== "" && segment !== ".");
  if (below.includes("..")) return undefined;
  const folder = ground.resolve(segments.slice(0, first).join("/") || "/");
  return folder === undefined ? undefined : normalPath(`${folder}/${below.join("/")}`);
}

/** For people: below the project as a relative path, below home with a tilde. */
export function displayPath(path: string, ground: Ground): string {
  const root = ground.project.find((folder) => isWithin(path, folder));
  if (root !== undefined) return path === root ? "." : path.slice(root === "/" ? 1 : root.length + 1);
  return isWithin(path, ground.home) ? `~${path.slice(ground.home.length)}` : path;
}
