/** From what was typed and the user's environment to the places and values that a command works with. */
import { lstatSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import type { ChosenSettings, ConfigLayer } from "../config/index.ts";
import { CAPABILITIES, EXIT, errorCode, type PermissionRule, UserError, withCause } from "../shared/index.ts";
import type { Arguments } from "./args.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export type Flags = ConfigLayer;

export interface Places {
  /** KHAELOR's state folder: `KHAELOR_HOME`, else `~/.khaelor`. */
  readonly home: string;
  readonly userHome: string;
  /** Where the sessions of this run lie and their blobs, when not in `home`. */
  readonly sessionHome?: string;
  /** The working directory as given, absolute. */
  readonly cwd: string;
  /** It was typed, and is not only where the program was started. */
  readonly isNamed?: boolean;
  /** Where settings come from beside the two files. */
  readonly chosen?: ChosenSettings;
}

type PlaceFlags = Pick<Arguments, "cwd"> & Partial<Pick<Arguments, "settings" | "config" | "profile" | "safeMode">>;

export function placesOf(typed: PlaceFlags, env: Environment): Places {
  const userHome = env.HOME || homedir();
  const home = env.KHAELOR_HOME || join(userHome, ".khaelor");
  if (!isAbsolute(home)) {
    const [name, value] = env.KHAELOR_HOME ? ["KHAELOR_HOME", home] : ["HOME", userHome];
    throw new UserError(`${name}: expected an absolute path, got "${value}"`, EXIT.usage);
  }
  refuseNoFolder(home);
  const cwd = workingFolder(typed.cwd);
  return { home, userHome, cwd, isNamed: typed.cwd !== undefined, chosen: chosenSettings(typed, cwd) };
}

/** A file in its place would look like a state without sessions. One that is missing is made when something is kept. */
function refuseNoFolder(home: string): void {
  const kind = kindOf(home);
  if (kind === undefined) return;
  throw new UserError(`${home} is to hold KHAELOR's state, but ${kind}. Move it, or set KHAELOR_HOME.`, EXIT.usage);
}

function kindOf(home: string): string | undefined {
  try {
    const found = lstatSync(home, { throwIfNoEntry: false });
    if (!found || found.isDirectory() || statSync(home, { throwIfNoEntry: false })?.isDirectory()) return undefined;
    return found.isSymbolicLink() ? "it is a link to no folder" : "it is no folder";
  } catch (cause) {
    const code = errorCode(cause);
    if (code === undefined) throw cause;
    return code === "ENOTDIR" ? "a part of this path is no folder" : undefined; // a refusal is told by what is read there
  }
}

const chosenSettings = ({ settings, config, profile, safeMode }: PlaceFlags, cwd: string): ChosenSettings => ({
  ...(settings !== undefined && { file: resolve(cwd, settings) }),
  ...(config !== undefined && { assignments: config }),
  ...(profile !== undefined && { profile }),
  ...(safeMode && { isSafe: true }),
});

/** `-C` is looked at here, so that a slip is told for every command alike. */
function workingFolder(typed: string | undefined): string {
  const folder = absolute(typed ?? ".");
  const problem = typed === undefined ? undefined : whyNoFolder(folder);
  if (problem === undefined) return folder;
  throw new UserError(`-C ${typed}: ${problem}.`, EXIT.usage);
}

function whyNoFolder(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? undefined : "this is no folder";
  } catch (cause) {
    const code = errorCode(cause);
    if (code === undefined) throw cause;
    return code === "ENOENT" || code === "ENOTDIR" ? "there is no such folder" : `it cannot be entered (${code})`;
  }
}

function absolute(folder: string): string {
  try {
    return resolve(folder);
  } catch (cause) {
    if (errorCode(cause) === undefined) throw cause;
    throw withCause(new UserError("The working directory no longer exists: go to another one.", EXIT.usage), cause);
  }
}

/** The command line as a layer of configuration; the loader checks it like a file. */
export function flagLayer(typed: Arguments): Flags {
  const permissions = [
    ...typed.allow.flatMap((rule) => rulesIn(rule, "allow")),
    ...typed.deny.flatMap((rule) => rulesIn(rule, "deny")),
  ];
  const permissionMode = typed.yolo ? "bypass" : typed.permissionMode;
  const layer = {
    ...(typed.model !== undefined && { model: typed.model }),
    ...(typed.auxModel !== undefined && { auxModel: typed.auxModel }),
    ...(typed.fallbackModel !== undefined && { fallbackModel: typed.fallbackModel }),
    ...(typed.effort !== undefined && { effort: typed.effort }),
    ...limitFlags(typed),
    ...(typed.addDir.length > 0 && {
      additionalDirectories: typed.addDir.map((folder) => resolve(workingFolder(typed.cwd), folder)),
    }),
    ...(permissionMode !== undefined && { permissionMode }),
    ...(permissions.length > 0 && { permissions }),
    ...(typed.theme !== undefined && { theme: typed.theme }),
    ...terminalFlags(typed),
  };
  return layer as ConfigLayer; // the loader refuses what does not fit
}

function limitFlags({ maxTurns, maxBudgetUsd, timeout }: Arguments): object {
  const limits = {
    ...(maxTurns !== undefined && { maxTurns: numberIn(maxTurns) }),
    ...(maxBudgetUsd !== undefined && { maxBudgetUsd: numberIn(maxBudgetUsd) }),
    ...(timeout !== undefined && { maxSeconds: secondsIn(timeout) }),
  };
  return Object.keys(limits).length > 0 ? { limits } : {};
}

function terminalFlags({ noMouse, noAltScreen, screenReader }: Arguments): object {
  const terminal = {
    ...(noMouse && { mouse: false }),
    ...(noAltScreen && { alternateScreen: false }),
    ...(screenReader && { screenReader: true }),
  };
  return Object.keys(terminal).length > 0 ? { terminal } : {};
}

/** What is no plain number stays a word, which the loader then refuses by name. */
const numberIn = (text: string): number | string => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);

const SECONDS = { "": 1, s: 1, m: 60, h: 3600 } as const;

/** Of `--timeout`. Throws UserError. */
export function secondsIn(text: string): number {
  const [, amount, unit = ""] = /^(\d+(?:\.\d+)?)([smh]?)$/.exec(text) ?? [];
  const seconds = Number(amount) * SECONDS[unit as keyof typeof SECONDS]; // as: the pattern lets no other through
  if (seconds > 0) return seconds;
  throw new UserError(`--timeout must be a time such as 90, 90s, 10m or 2h, not "${text}".`, EXIT.usage);
}

/** Without a capability a rule is about commands, whichever of the two command capabilities they need. */
const COMMAND_CAPABILITIES = ["process.execute", "git.modify"] as const;

/** What changes a repository begins with git, by whichever path, or with a variable before it. */
const mayMeanGit = (pattern: string): boolean => /^\s*(?:\S*[*=]|(?:\S*\/)?git(?:\s|$))/.test(pattern);

/** Of a rule as it is typed. Throws UserError. */
export function rulesIn(text: string, action: PermissionRule["action"]): readonly PermissionRule[] {
  const capability = CAPABILITIES.find((name) => text.startsWith(`${name}:`));
  if (!capability) {
    const named = mayMeanGit(text) ? COMMAND_CAPABILITIES : (["process.execute"] as const);
    return named.map((name) => ({ capability: name, pattern: text, action }));
  }
  const pattern = text.slice(capability.length + 1);
  if (pattern === "")
    throw new UserError(`The rule "${text}" has no pattern; for everything say "${capability}:*".`, EXIT.usage);
  return [{ capability, pattern, action }];
}

/** The rule as it would be typed; the opposite of `rulesIn`. */
export const ruleText = ({ capability, pattern }: { readonly capability: string; readonly pattern: string }): string =>
  COMMAND_CAPABILITIES.some((name) => name === capability) ? pattern : `${capability}:${pattern}`;
