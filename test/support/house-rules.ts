/**
 * The house rules as data, and the checker that holds a tree of sources against them. Each complaint names the file, the
 * rule and the way out. This is the only place where the rules are written down.
 */
import { type Import, importsOf, packageOf, reach, type SourceFile, valueGraph } from "./imports.ts";

/** Who may import whom, beside themselves. A room that is not listed may not exist. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  shared: [],
  config: ["shared"],
  workspace: ["shared"],
  anthropic: ["shared"],
  session: ["shared"],
  permissions: ["shared"],
  repository: ["shared", "workspace"],
  tools: ["shared", "workspace", "repository"],
  context: ["shared", "session", "repository", "anthropic"],
  agent: ["shared", "anthropic", "tools", "context", "session", "permissions", "workspace"],
  tui: ["shared", "config"],
  simulator: ["shared", "anthropic"],
  cli: [
    "shared",
    "config",
    "workspace",
    "anthropic",
    "session",
    "permissions",
    "repository",
    "tools",
    "context",
    "agent",
    "tui",
    "simulator",
  ],
};

/** Permissions of the table above that hold for types only. */
const TYPES_ONLY: readonly (readonly [room: string, of: string])[] = [["simulator", "anthropic"]];

/** A package lives in one room, or in one part of it. One that is not listed may not be used in `src`. */
const HOMES: Readonly<Record<string, string>> = {
  arktype: "shared",
  ulid: "shared",
  "@anthropic-ai/sdk": "anthropic",
  "@opentui/core": "tui/screen",
  diff: "tools",
  unbash: "permissions",
  yaml: "context",
  "@vscode/ripgrep-linux-x64": "workspace",
  "@vscode/ripgrep-linux-arm64": "workspace",
  "@vscode/ripgrep-darwin-x64": "workspace",
  "@vscode/ripgrep-darwin-arm64": "workspace",
};

/** Too heavy for the way to the first paint. */
const HEAVY = ["arktype", "@anthropic-ai/sdk", "@opentui/core", "diff", "unbash", "yaml"];
/** What is loaded one after the other until then. The screen's own package is opened by `tui/front.ts`, when the outline stands. */
const ENTRIES = ["cli/main.ts", "cli/commands/interactive.ts", "tui/index.ts"];

/** Who may touch disk, processes and sockets. */
const WORLDLY = [
  /^workspace\//,
  /^session\/store\//,
  /^config\/loader\.ts$/,
  /^cli\//,
  /^simulator\//,
  /^shared\/logging\.ts$/,
  /^shared\/hash\.ts$/,
];
const WORLD_MODULES =
  /^(node:)?(fs|fs\/promises|child_process|cluster|dgram|http|http2|https|net|tls|vm|worker_threads)$|^bun$|^bun:(ffi|sqlite)$/;
/** `Bun.file`, `Bun["file"]`, `{ file } = Bun`: any use but a word in a sentence. */
const BUN_GLOBAL = /\bBun(?!\.stringWidth\()(?:\?\.|\.|\s*\[)[\w$"'`]|=\s*Bun\b|\bglobalThis\b[^;\n]*\bBun\b/;

/** Where `await import` may open another room; a package may be loaded lazily in its own home. */
const OPENERS = [/^shared\/schema\.ts$/, /^cli\//, /^tui\/front\.ts$/];
const COMPUTED_IMPORT = /\bimport\s*\(\s*(?!\s|["'])|\brequire\s*\(|\bcreateRequire\b|\bimport\.meta\.require\b/;

const MAX_LINES = 300;
const KERNEL = ["agent/kernel.ts", "agent/next-action.ts", "agent/record-stream.ts"];

/** A door holds named re-exports and comments, nothing else. */
const DOOR_PART = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|export (?:type )?\{[^}]*\} from "[^"]+";/g;

const roomOf = (path: string) => path.slice(0, Math.max(0, path.indexOf("/")));
const isDoor = (path: string) => /^[^/]+\/index\.ts$/.test(path);
const lineCount = (text: string) => text.split("\n").length - (text.endsWith("\n") ? 1 : 0);

/** Every way in which the tree breaks the rules; none means that it stands. */
export const complaints = (files: readonly SourceFile[]): readonly string[] => [
  ...files.flatMap((file) => [...ofText(file), ...importsOf(file).flatMap((one) => ofImport(file.path, one))]),
  ...ofRooms(files),
  ...ofKernel(files),
  ...ofGraph(files),
];

function ofText({ path, text }: SourceFile): readonly string[] {
  const found: string[] = [];
  const complain = (when: boolean, what: string) => when && found.push(`${path}: ${what}`);
  complain(lineCount(text) > MAX_LINES, `${lineCount(text)} lines; at ${MAX_LINES} a file is two files`);
  complain(/\bexport\s*\*/.test(text), "export * hides what a file offers; name it");
  complain(COMPUTED_IMPORT.test(text), "an import must name its module as a literal");
  complain(
    BUN_GLOBAL.test(text) && !WORLDLY.some((place) => place.test(path)),
    "Bun is the world; go through Workspace",
  );
  complain(isDoor(path) && text.replace(DOOR_PART, "").trim() !== "", "a door holds named re-exports and nothing else");
  return found;
}

function ofImport(path: string, { specifier, kind, target }: Import): readonly string[] {
  if (target !== undefined) return ofRelative(path, target, kind);
  if (/^(node|bun):|^bun$/.test(specifier) || WORLD_MODULES.test(specifier)) {
    const forbidden = WORLD_MODULES.test(specifier) && !WORLDLY.some((place) => place.test(path));
    return forbidden ? [`${path}: ${specifier} is the world; go through Workspace`] : [];
  }
  const home = HOMES[packageOf(specifier)];
  if (home !== undefined && path.startsWith(`${home}/`)) return [];
  return [`${path}: ${specifier} ${home ? `lives in ${home}` : "has no home; give it one in the house rules"}`];
}

function ofRelative(path: string, target: string, kind: Import["kind"]): readonly string[] {
  const found: string[] = [];
  const [from, to] = [roomOf(path), roomOf(target)];
  if (from === to && isDoor(target)) found.push(`${path}: nobody goes through their own door`);
  if (from !== to) {
    if (!ROOMS[from]?.includes(to)) found.push(`${path}: ${from} may not import ${to || target}`);
    if (!isDoor(target)) found.push(`${path}: enter ${to || "src"} by its index.ts, not ${target}`);
    const typesOnly = TYPES_ONLY.some(([room, of]) => room === from && of === to);
    if (typesOnly && kind !== "type") found.push(`${path}: ${from} may import only types of ${to}`);
  }
  if (kind === "dynamic" && !OPENERS.some((place) => place.test(path))) {
    found.push(`${path}: only cli opens rooms lazily; import ${target} statically`);
  }
  return found;
}

function ofRooms(files: readonly SourceFile[]): readonly string[] {
  const sources = files.filter(({ path }) => !path.endsWith(".d.ts"));
  const rooms = new Set(sources.map(({ path }) => roomOf(path)));
  return [...rooms].flatMap((room) => {
    if (room === "") return ["src: every source lies in a room"];
    if (!Object.hasOwn(ROOMS, room)) return [`${room}: an unknown room; say in the house rules what it may import`];
    const open = room === "cli" || sources.some(({ path }) => path === `${room}/index.ts`);
    return open ? [] : [`${room}: a room needs a door, index.ts`];
  });
}

function ofKernel(files: readonly SourceFile[]): readonly string[] {
  const parts = files.filter(({ path }) => KERNEL.includes(path));
  const total = parts.reduce((sum, { text }) => sum + lineCount(text), 0);
  if (parts.length < KERNEL.length || total < MAX_LINES) return [];
  return [`agent: the kernel has ${total} lines; ${KERNEL.join(" + ")} stay under ${MAX_LINES}`];
}

function ofGraph(files: readonly SourceFile[]): readonly string[] {
  const graph = valueGraph(files);
  const cycles = [...graph.keys()].filter((path) => reach(graph, path).has(path));
  const heavyIn = (entry: string) => {
    const loaded = reach(graph, entry);
    return HEAVY.filter((name) => loaded.has(name)).map(
      (name) => `${entry}: ${name} must not load before the first paint`,
    );
  };
  return [...(cycles.length > 0 ? [`import cycle: ${cycles.join(", ")}`] : []), ...ENTRIES.flatMap(heavyIn)];
}
