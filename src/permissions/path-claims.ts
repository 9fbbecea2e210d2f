/** Claims for paths and hosts, whether a command touches them or a file tool does. */
import type { Access } from "../shared/index.ts";
import { type Claim, claim } from "./claims.ts";
import { floorOfOpening, floorOfReading, floorOfRemoval, floorOfWrite } from "./floor.ts";
import { guardOfReading, guardOfWrite } from "./guarded.ts";
import { displayPath, type Ground, isWithin, locate, type Place } from "./paths.ts";
import { emptiedBy } from "./places.ts";
import { hostOf } from "./programs/network.ts";
import { normalPath } from "./shell/builtins.ts";
import type { SimpleCommand, Word } from "./shell/types.ts";

export type Use =
  | { readonly kind: "read"; readonly target: Word }
  | { readonly kind: "write"; readonly target: Word }
  /** Counts only where a write would be refused or shown to a person. */
  | { readonly kind: "may-write"; readonly target: Word }
  | { readonly kind: "remove"; readonly target: Word; readonly recursive: boolean; readonly whole?: boolean };

/** One for each folder that the command may run in. */
export function placesOf(target: Word, command: SimpleCommand, ground: Ground): readonly Place[] {
  const cwds = target.shape.startsWith("/") || command.cwds.length === 0 ? [command.cwds[0]] : command.cwds;
  return cwds.map((cwd) => locate(target, cwd, ground));
}

export function pathClaims(use: Use, command: SimpleCommand, ground: Ground): readonly Claim[] {
  return placesOf(use.target, command, ground).flatMap((place) => claimsForPlace(use, place, { command, ground }));
}

interface Context {
  readonly command: Pick<SimpleCommand, "role">;
  readonly ground: Ground;
}

function claimsForPlace(use: Use, place: Place, { command, ground }: Context): readonly Claim[] {
  // A wrapper's redirections are its own; they are judged in full.
  const role: Claim["role"] = command.role === "guess" ? "guess" : "run";
  if (place.zone === "nowhere") return [];
  if (place.zone === "network") return [networkDevice(place, role)];
  const floor = floorOfUse(use, place, ground);
  const guard = place.zone === "unknown" ? undefined : guardOfUse(use, place, ground);
  const isPlain = floor === undefined && guard === undefined;
  if (isPlain && (use.kind === "may-write" || (use.kind === "read" && place.zone === "spill"))) return [];
  const judged: Partial<Claim> = {
    subjects: spellings(place, ground),
    wildcard: /[*?[]/.test(place.path),
    tree: use.kind === "remove" && use.recursive,
    reads: use.kind === "read",
    role,
    ...(floor !== undefined && { floor }),
    ...(guard !== undefined && { guard }),
  };
  return [place.zone === "unknown" ? unplaced(use, judged) : placed(use, place, { judged, ground })];
}

function unplaced(use: Use, judged: Partial<Claim>): Claim {
  const why = `where ${use.target.text} lies cannot be resolved`;
  return claim({ ...judged, capability: "filesystem.outsideProject", text: use.target.text, why, unresolved: why });
}

interface Judged {
  readonly judged: Partial<Claim>;
  readonly ground: Ground;
}

/** A guarded write is no ordinary write of the project, wherever it lies. */
function placed(use: Use, place: Place, { judged, ground }: Judged): Claim {
  const changes = use.kind !== "read";
  const isInside = place.zone !== "outside" && !(changes && judged.guard !== undefined);
  const inside = changes ? "file.write.project" : "file.read";
  return claim({
    ...judged,
    capability: isInside ? inside : "filesystem.outsideProject",
    text: `${VERBS[use.kind]} ${displayPath(place.path, ground)}`,
    byDefault: isInside && !changes ? "allow" : "ask",
    why: whyOf(isInside, changes),
    edits: isInside && changes,
  });
}

const VERBS = { read: "read", write: "write", "may-write": "write", remove: "remove or change" } as const;

function whyOf(isInside: boolean, changes: boolean): string {
  if (!isInside) return "it lies outside the project, and no rule matches";
  return changes ? "it writes inside the project, and no rule matches" : "reading inside the project is allowed";
}

/** The text and where it really leads both count: a link must not hide what it points to, nor what it is. */
function floorOfUse(use: Use, place: Place, ground: Ground): string | undefined {
  const maybe = use.target.maybe?.startsWith("/") === true ? [normalPath(use.target.maybe)] : [];
  for (const path of new Set([place.path, place.lexical, ...maybe])) {
    const floor = path.startsWith("/") ? floorOfPath(use, path, ground) : undefined;
    if (floor !== undefined) return floor;
  }
  return undefined;
}

function floorOfPath(use: Use, path: string, ground: Ground): string | undefined {
  if (use.kind === "read") return floorOfReading(path, ground);
  return use.kind === "remove" ? floorOfRemoval(path, use.recursive, ground) : floorOfWrite(path, ground);
}

function guardOfUse(use: Use, place: Place, ground: Ground): string | undefined {
  if (use.kind === "remove" && use.whole === true && emptiedBy(place.path).some((path) => isProject(path, ground))) {
    return "removes the whole project, or its history";
  }
  const guard = use.kind === "read" ? guardOfReading : guardOfWrite;
  return guard(place.path, ground) ?? guard(place.lexical, ground);
}

const isProject = (path: string, { roots }: Ground): boolean =>
  roots.some((root) => path === root || path === `${root}/.git`);

/** How a rule may name the path: absolute, from the project's root, from home. */
function spellings(place: Place, ground: Ground): readonly string[] {
  const names = [place.path];
  const root = ground.project.find((folder) => isWithin(place.path, folder));
  if (root !== undefined) {
    const relative = place.path.slice(root === "/" ? 1 : root.length + 1) || ".";
    names.push(relative, `./${relative}`);
  }
  if (isWithin(place.path, ground.home)) names.push(`~${place.path.slice(ground.home.length)}`);
  return names;
}

/** `/dev/tcp/host/port`: bash's own network path. */
function networkDevice(place: Place, role: Claim["role"]): Claim {
  const [host = "", port = ""] = place.lexical.split("/").slice(3);
  return claim({
    capability: "network.access",
    text: `reach ${host}`,
    subjects: [host, `${host}:${port}`],
    why: "no rule matches this host",
    role,
  });
}

interface HostContext {
  readonly ground: Ground;
  readonly command: SimpleCommand;
}

/** `needed`: the program is judged by its hosts alone, so that none is too few. */
export function hostClaims(hosts: readonly Word[], needed: boolean, context: HostContext): readonly Claim[] {
  const { command, ground } = context;
  const { role } = command;
  if (needed && hosts.length === 0) {
    const why = "which host it reaches cannot be told";
    return [claim({ capability: "network.access", text: "reach some host", subjects: ["?"], why, role })];
  }
  return hosts.flatMap((word) => {
    const host = hostOf(word);
    if (host.kind === "file") {
      const target: Word = { ...word, text: host.path, shape: host.path };
      return pathClaims({ kind: "read", target }, command, ground);
    }
    if (host.kind === "unknown") {
      const why = `which host ${word.text} names cannot be resolved`;
      return [claim({ capability: "network.access", text: `reach ${word.text}`, why, unresolved: why, role })];
    }
    const subjects = host.port === undefined ? [host.name] : [host.name, `${host.name}:${host.port}`];
    return [
      claim({
        capability: "network.access",
        text: `reach ${host.name}`,
        subjects,
        why: "no rule matches this host",
        role,
      }),
    ];
  });
}

const MAX_PATH = 4096;

type PathAccess = Extract<Access, { kind: "path" }>;

/** For the file tools: `~` and `~/` are expanded, nothing else is. `cwd` is where relative paths start. */
export function accessClaims(access: PathAccess, cwd: string, ground: Ground): readonly Claim[] {
  const { op, path } = access;
  const capability = op === "read" ? "file.read" : "file.write.project";
  if (path.includes("\0"))
    return [claim({ capability, text: JSON.stringify(path), why: "", floor: "the path holds a NUL character" })];
  if (path === "") return [claim({ capability, text: '""', why: "", floor: "the path is empty" })];
  const shape = path === "~" || path.startsWith("~/") ? ground.home + path.slice(1) : path;
  const target: Word = { text: path, shape, known: true, pattern: false, split: false };
  const place = locate(target, cwd, ground);
  if (path.length > MAX_PATH)
    return [claim({ capability, text: op, why: "", floor: "the path is longer than any system allows" })];
  if (place.zone === "unknown") {
    const why = "where it lies cannot be told: its links go in circles, or cannot be read";
    return [claim({ capability, text: `${op} ${path}`, why: "", floor: why })];
  }
  const opening = floorOfOpening(place.path, ground) ?? floorOfOpening(place.lexical, ground);
  if (opening !== undefined) return [claim({ capability, text: `${op} ${path}`, why: "", floor: opening })];
  const claims = claimsForPlace({ kind: op, target }, place, { command: { role: "run" }, ground });
  if (claims.length > 0) return claims;
  const why = "KHAELOR keeps long tool output there";
  return [
    claim({
      capability,
      text: `${op} ${path}`,
      subjects: spellings(place, ground),
      byDefault: "allow",
      why,
      reads: true,
    }),
  ];
}
