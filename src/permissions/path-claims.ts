/** Claims for paths and hosts, whether a command touches them or a file tool does. */
import type { Access } from "../shared/index.ts";
import { type Claim, claim } from "./claims.ts";
import { floorOfOpening, floorOfReading, floorOfRemoval, floorOfWrite } from "./floor.ts";
import { guardOfReading, guardOfWrite } from "./guarded.ts";
import { displayPath, type Ground, isWithin, locate, type Place } from "./paths.ts";
import { hostOf } from "./programs/network.ts";
import type { SimpleCommand, Word } from "./shell/types.ts";

export type Use =
  | { readonly kind: "read"; readonly target: Word; readonly edits?: boolean }
  | { readonly kind: "write"; readonly target: Word }
  | { readonly kind: "remove"; readonly target: Word; readonly recursive: boolean };

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
  const changes = use.kind !== "read";
  const floor = floorOfUse(use, place, ground);
  const wildcard = /[*?[]/.test(place.path);
  const shared = {
    subjects: spellings(place, ground),
    wildcard,
    reads: !changes,
    role,
    ...(floor !== undefined && { floor }),
  };
  switch (place.zone) {
    case "nowhere":
      return [];
    case "network":
      return [networkDevice(place, role)];
    case "unknown": {
      const why = `where ${use.target.text} lies cannot be resolved`;
      return [
        claim({ ...shared, capability: "filesystem.outsideProject", text: use.target.text, why, unresolved: why }),
      ];
    }
    case "spill":
      if (!changes && floor === undefined) return [];
  }
  const guard = guardOfUse(use, place, ground);
  const text = displayPath(place.path, ground);
  const isInside = place.zone !== "outside" && !(changes && guard !== undefined);
  const capability = !isInside ? "filesystem.outsideProject" : changes ? "file.write.project" : "file.read";
  return [
    claim({
      ...shared,
      capability,
      text: `${verb(use)} ${text}`,
      ...(guard !== undefined && { guard }),
      byDefault: isInside && !changes ? "allow" : "ask",
      why: whyOf(isInside, changes),
      edits: isInside,
    }),
  ];
}

const verb = (use: Use): string => ({ read: "read", write: "write", remove: "remove or change" })[use.kind];

function whyOf(isInside: boolean, changes: boolean): string {
  if (!isInside) return "it lies outside the project, and no rule matches";
  return changes ? "it writes inside the project, and no rule matches" : "reading inside the project is allowed";
}

/** The text and where it really leads both count: a link must not hide what it points to, nor what it is. */
function floorOfUse(use: Use, place: Place, ground: Ground): string | undefined {
  const targets = [...new Set([place.path, place.lexical])].filter((path) => path.startsWith("/"));
  for (const path of targets) {
    const floor =
      use.kind === "read"
        ? floorOfReading(path, ground)
        : use.kind === "write"
          ? floorOfWrite(path, ground)
          : floorOfRemoval(path, use.recursive, ground);
    if (floor !== undefined) return floor;
  }
  return undefined;
}

function guardOfUse(use: Use, place: Place, ground: Ground): string | undefined {
  const guard = use.kind === "read" ? guardOfReading : guardOfWrite;
  return guard(place.path, ground) ?? guard(place.lexical, ground);
}

/** How a rule may name the path: absolute, from the project's root, from home. */
function spellings(place: Place, ground: Ground): readonly string[] {
  const names = [place.path];
  const root = ground.roots.find((folder) => isWithin(place.path, folder));
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
