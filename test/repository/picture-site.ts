/** A project, pictures of it, and commands between them: what the tests of pictures share. */
import { expect } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Change, createPictures, type Picture } from "../../src/repository/index.ts";
import { sha256 } from "../../src/shared/index.ts";
import { createLocalWorkspace } from "../../src/workspace/index.ts";

export interface Site {
  readonly folder: string;
  readonly outside: string;
  readonly blobs: Map<string, Uint8Array>;
  /** Everything that was to be kept, in order. */
  readonly puts: readonly string[];
  write(name: string, content: string): void;
  /** Runs the command between a picture and the question what changed. */
  after(command: string): Promise<Told>;
  run(command: string): Promise<void>;
  take(): Promise<Picture>;
  since(picture: Picture, first?: readonly string[]): Promise<Told>;
}

export interface Told {
  /** `path: before -> after`, contents as text; `-` is no file, `?` is not known. */
  readonly changes: readonly string[];
  readonly unlisted: number;
}

interface Setup {
  readonly git: boolean;
  readonly now?: () => number;
}

export async function onSite(setup: Setup, run: (site: Site) => Promise<void>): Promise<void> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "khaelor-pictures-")));
  const folder = join(root, "project");
  mkdirSync(folder);
  const env = { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: "1" };
  const workspace = createLocalWorkspace({ cwd: folder, env, watchdog: false });
  const blobs = new Map<string, Uint8Array>();
  const puts: string[] = [];
  const keeper = {
    put: async (content: Uint8Array) => {
      puts.push(Buffer.from(content).toString());
      blobs.set(sha256(content), content.slice());
      return sha256(content);
    },
    get: async (hash: string) => blobs.get(hash),
  };
  const pictures = createPictures({ workspace, root: folder, keeper, now: setup.now ?? Date.now });
  const shell = async (command: string) => {
    const ran = await workspace.exec({ command, timeoutMs: 60_000 });
    if (!ran.ok || ran.value.exitCode !== 0) throw new Error(`${command}: ${JSON.stringify(ran)}`);
  };
  const site: Site = {
    folder,
    outside: root,
    blobs,
    puts,
    write(name, content) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    },
    run: shell,
    take: () => pictures.take([]),
    async since(picture, first: readonly string[] = []) {
      const changes: string[] = [];
      const onChange = async (change: Change) => void changes.push(line(change, folder, blobs));
      const unlisted = await pictures.changesSince(picture, { first: new Set(first), onChange });
      return { changes, unlisted };
    },
    async after(command) {
      const picture = await pictures.take([]);
      await shell(command);
      return site.since(picture);
    },
  };
  try {
    if (setup.git) await shell(`git init -q . && git config user.name a && git config user.email a@b`);
    await run(site);
  } finally {
    await workspace.close();
    rmSync(root, { recursive: true, force: true });
  }
}

export function line(change: Change, folder: string, blobs: ReadonlyMap<string, Uint8Array>): string {
  const text = (hash: string | null | undefined, bytes: Uint8Array | undefined) =>
    hash === null ? "-" : hash === undefined ? "?" : JSON.stringify(Buffer.from(bytes ?? []).toString()).slice(1, -1);
  const before = change.beforeSha256 ? blobs.get(change.beforeSha256) : undefined;
  expect(before && Buffer.from(before)).toEqual(change.before && Buffer.from(change.before));
  const name = change.path.slice(folder.length + 1);
  return `${name}: ${text(change.beforeSha256, before)} -> ${text(change.afterSha256, change.after)}`;
}
