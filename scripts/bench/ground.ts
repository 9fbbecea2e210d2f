/** Where the bench works: one temporary folder with a home, a small repository and the compiled programs, gone afterwards. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");
const PROGRAMS = join(import.meta.dir, "programs");

/** The programs by name; each is compiled with the flags of the product. */
const ENTRIES = {
  khaelor: join(ROOT, "src/cli/start.ts"),
  "floor-hello": join(PROGRAMS, "floor-hello.ts"),
  "floor-sdk": join(PROGRAMS, "floor-sdk.ts"),
  "floor-tui": join(PROGRAMS, "floor-tui.ts"),
  "floor-say": join(PROGRAMS, "floor-say.ts"),
  "floor-parse": join(PROGRAMS, "floor-parse.ts"),
  "floor-append": join(PROGRAMS, "floor-append.ts"),
  "floor-record": join(PROGRAMS, "floor-record.ts"),
  "probe-replay": join(PROGRAMS, "probe-replay.ts"),
  "probe-recover": join(PROGRAMS, "probe-recover.ts"),
  "floor-list": join(PROGRAMS, "floor-list.ts"),
  "probe-list": join(PROGRAMS, "probe-list.ts"),
  "probe-append": join(PROGRAMS, "probe-append.ts"),
  "probe-calls": join(PROGRAMS, "probe-calls.ts"),
  "probe-frames": join(PROGRAMS, "probe-frames.ts"),
  "probe-step": join(PROGRAMS, "probe-step.ts"),
  "probe-context": join(PROGRAMS, "probe-context.ts"),
} as const;

export type Program = keyof typeof ENTRIES;

export interface Ground {
  readonly root: string;
  readonly project: string;
  /** KHAELOR_HOME. */
  readonly state: string;
  /** Nothing of the person who runs the bench. */
  readonly env: Readonly<Record<string, string>>;
  readonly program: (name: Program) => string;
  /** A path that nothing has used yet. */
  readonly fresh: (name: string) => string;
  readonly close: () => void;
}

/** Compiles the programs first; all unless some are named. */
export async function openGround(programs = Object.keys(ENTRIES) as readonly Program[]): Promise<Ground> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "khaelor-bench-")));
  const at = (name: string): string => join(root, name);
  const close = (): void => rmSync(root, { recursive: true, force: true });
  const env = { PATH: process.env.PATH ?? "", HOME: at("home"), KHAELOR_HOME: at("state"), TMPDIR: at("tmp") };
  let used = 0;
  try {
    for (const name of ["home", "project", "tmp", "bin"]) mkdirSync(at(name));
    await makeRepository(at("project"), env);
    for (const name of programs) await compile(ENTRIES[name], join(at("bin"), name));
  } catch (error) {
    close();
    throw error;
  }
  return {
    root,
    project: at("project"),
    state: at("state"),
    env,
    program: (name) => join(at("bin"), name),
    fresh: (name) => at(`${name}-${++used}`),
    close,
  };
}

async function makeRepository(folder: string, env: Readonly<Record<string, string>>): Promise<void> {
  writeFileSync(join(folder, "README.md"), "# A small project\n");
  writeFileSync(join(folder, "main.sh"), "echo hello\n");
  const identity = ["-c", "user.name=bench", "-c", "user.email=bench@invalid", "-c", "commit.gpgsign=false"];
  await order(["git", "init", "-q"], folder, env);
  await order(["git", "add", "-A"], folder, env);
  await order(["git", ...identity, "commit", "-q", "-m", "as found"], folder, env);
}

const compile = (entry: string, outfile: string): Promise<void> =>
  order([process.execPath, join(ROOT, "scripts/build.ts"), entry, outfile], ROOT, process.env);

async function order(command: string[], cwd: string, env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const child = Bun.spawn(command, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const [out, errors, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (status !== 0) throw new Error(`${command.join(" ")} failed:\n${out}${errors}`);
}
