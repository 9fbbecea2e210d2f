/**
 * Loads the configuration, and is the only file of this room that touches the disk: small regular files are read within a
 * bound, and the user's own state files are replaced in one step with mode 0600. Nothing here writes into a project.
 */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, realpath, rename, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { err, errorCode, errorMessage, ok, type Result } from "../shared/index.ts";
import { type GrantFile, grantFile, parseGrants, projectGrantFile } from "./grant-file.ts";
import { type CheckedLayer, checkLayer } from "./layer.ts";
import { mergeConfig } from "./merge.ts";
import { parseJson } from "./parse.ts";
import type { ConfigLayer, ConfigProblem, ResolvedConfig } from "./types.ts";

export interface LoadOptions {
  /** khaelor's own folder, usually `~/.khaelor`. */
  readonly home: string;
  readonly projectRoot: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the command line said; checked like a file. */
  readonly flags: ConfigLayer;
  /** What the program ships with. */
  readonly defaults: { readonly model: string; readonly auxModel: string };
}

/** Where a project's file lies below its root. */
export const PROJECT_CONFIG = join(".khaelor", "config.json");

/**
 * The configuration, or every problem that must be repaired first: a file that cannot be understood may hold a deny rule, so
 * it is never left out in silence. Missing files are fine.
 */
export async function loadConfig(options: LoadOptions): Promise<Result<ResolvedConfig, readonly ConfigProblem[]>> {
  const { home, projectRoot, env, flags, defaults } = options;
  const [user, project, userGrants, projectGrants] = await Promise.all([
    readConfigFile(join(home, "config.json")),
    readConfigFile(join(projectRoot, PROJECT_CONFIG)),
    readGrants(grantFile(home)),
    readGrants(projectGrantFile(home, projectRoot), projectRoot),
  ]);
  // A project that is the user's home folder: its file is the user's own.
  const foreign = project?.realPath === user?.realPath ? undefined : project;
  const flagLayer = checkLayer("the command line", flags);
  const environment = checkLayer("the environment", fromEnvironment(env));
  const layers = [user?.layer, foreign?.layer, flagLayer, environment].filter((layer) => layer !== undefined);
  const problems = [...layers.flatMap((layer) => layer.problems), ...userGrants.problems, ...projectGrants.problems];
  if (problems.length > 0) return err(problems);
  const merged = mergeConfig({
    flags: flagLayer.values,
    ...(foreign && { project: foreign.layer }),
    projectTrusted: projectGrants.trusted,
    user: user?.layer.values ?? {},
    userGrants: userGrants.rules,
    projectGrants: projectGrants.rules,
    environment: environment.values,
    defaults,
  });
  const unknown = layers.flatMap((layer) => layer.unknown);
  const files = [user?.layer.file, foreign?.layer.file].filter((file) => file !== undefined);
  return ok({ ...merged, warnings: [...unknown, ...merged.warnings], files });
}

/** The few keys that the environment may set. Permissions are not among them: an inherited variable is too easily forgotten. */
function fromEnvironment(env: LoadOptions["env"]): Readonly<Record<string, unknown>> {
  const given: Readonly<Record<string, string | undefined>> = {
    model: env.KHAELOR_MODEL,
    auxModel: env.KHAELOR_AUX_MODEL,
    effort: env.KHAELOR_EFFORT,
    thinking: env.KHAELOR_THINKING,
    baseUrl: env.ANTHROPIC_BASE_URL,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== ""));
}

const MAX_CONFIG_BYTES = 1024 * 1024;

interface ReadLayer {
  readonly layer: CheckedLayer;
  readonly realPath: string;
}

async function readConfigFile(path: string): Promise<ReadLayer | undefined> {
  const file = await readRegularFile(path, MAX_CONFIG_BYTES);
  if (!file.ok) return { layer: failed(path, "a readable file", file.error), realPath: path };
  if (file.value === undefined) return undefined;
  const { text, realPath, sizeBytes } = file.value;
  if (sizeBytes > MAX_CONFIG_BYTES) return { layer: failed(path, "at most 1 MiB", `${sizeBytes} bytes`), realPath };
  const parsed = parseJson(text);
  if (parsed.ok) return { layer: checkLayer(path, parsed.value.value, parsed.value.lineOf), realPath };
  const { line, expected, got } = parsed.error;
  return { layer: failed(path, expected, got, line), realPath };
}

function failed(file: string, expected: string, got: string, line?: number): CheckedLayer {
  const empty = checkLayer(file, {});
  return { ...empty, problems: [{ file, ...(line !== undefined && { line }), key: "", expected, got }] };
}

/** Exported for `persistPermissionGrant`, which reads before it writes. */
export async function readGrants(path: string, project?: string): Promise<GrantFile> {
  const file = await readRegularFile(path, MAX_CONFIG_BYTES);
  if (file.ok) return parseGrants(path, file.value?.text, project);
  return { rules: [], trusted: false, problems: failed(path, "a readable file", file.error).problems };
}

export interface SmallFile {
  /** After links. */
  readonly realPath: string;
  /** At most the bytes that were asked for; invalid UTF-8 is replaced. */
  readonly text: string;
  readonly sizeBytes: number;
  /** Permission bits. */
  readonly mode: number;
  readonly uid: number;
}

/** Undefined when there is no such file. The error is one sentence; devices, pipes and folders are errors. */
export async function readRegularFile(path: string, maxBytes: number): Promise<Result<SmallFile | undefined, string>> {
  try {
    const realPath = await realpath(path);
    // The links are resolved: a link at the end now was put there since. Non-blocking, for a pipe would never open.
    const file = await open(realPath, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return await readOpen(file, realPath, maxBytes);
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return ok(undefined);
    return err(`${path} cannot be read: ${errorMessage(error)}`);
  }
}

async function readOpen(
  file: FileHandle,
  realPath: string,
  maxBytes: number,
): Promise<Result<SmallFile | undefined, string>> {
  const stat = await file.stat();
  if (!stat.isFile()) return err(`${realPath} is not a regular file`);
  const buffer = Buffer.alloc(Math.min(stat.size, maxBytes));
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  const text = buffer.toString("utf8", 0, filled);
  return ok({ realPath, text, sizeBytes: stat.size, mode: stat.mode & 0o777, uid: stat.uid });
}

/** Replaces or makes a file of the user's own, mode 0600, in folders of mode 0700. A link stays a link. */
export async function replacePrivateFile(path: string, text: string): Promise<Result<undefined, string>> {
  let temporary: string | undefined;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const target = await realpath(path).catch(() => path); // new, or a link to nothing, which is replaced
    temporary = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString("hex")}`);
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, target);
    return ok(undefined);
  } catch (error) {
    if (temporary !== undefined) await unlink(temporary).catch(() => undefined);
    return err(`${path} cannot be written: ${errorMessage(error)}`);
  }
}

/** Whether the file is gone now; an error says why it is still there. */
export async function removeFile(path: string): Promise<Result<undefined, string>> {
  try {
    await unlink(path);
    return ok(undefined);
  } catch (error) {
    return errorCode(error) === "ENOENT" ? ok(undefined) : err(`${path} cannot be removed: ${errorMessage(error)}`);
  }
}
