/** A home folder for one test, a store over it, and logs written by hand. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createSessionStore, type SessionStore, type StoreParts, storePaths } from "../../src/session/index.ts";
import { idSource, type Payload, silentLogger } from "../../src/shared/index.ts";

export const ID = "01J8ZQ0000SESS0000000000AA";
export const PROJECT = "ab12";

export const STARTED: Payload<"session.started"> = {
  title: "demo",
  projectHash: PROJECT,
  workingDirectory: "/home/dev/proj",
  gitBranch: "main",
  model: "model-a",
  auxModel: "model-b",
  khaelorVersion: "0.1.0",
};

export interface Workshop extends Disposable {
  readonly home: string;
  readonly store: SessionStore;
  /** Where the log of `id` lies. */
  readonly log: (id?: string) => string;
  readonly write: (content: string | Uint8Array, id?: string) => void;
  readonly text: (id?: string) => string;
}

export function workshop(parts: Partial<StoreParts> = {}, root = tmpdir()): Workshop {
  const home = mkdtempSync(join(root, "khaelor-session-"));
  const now = parts.now ?? (() => 1_765_500_000_000);
  const store = createSessionStore({
    home,
    now,
    newId: idSource(now),
    price: () => 0,
    logger: silentLogger,
    ...parts,
  });
  const log = (id = ID) => storePaths(home).log(PROJECT, id);
  return {
    home,
    store,
    log,
    write(content, id = ID) {
      mkdirSync(dirname(log(id)), { recursive: true });
      writeFileSync(log(id), content);
    },
    text: (id = ID) => readFileSync(log(id), "utf8"),
    [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** A line as a log holds it, without its newline. */
export function line(
  seq: number,
  type: string,
  payload: unknown,
  more: Readonly<Record<string, unknown>> = {},
): string {
  const id = `01J8ZQ0000EVNT${String(seq).padStart(12, "0")}`;
  return JSON.stringify({ v: 1, id, sessionId: ID, seq, ts: 1_765_400_000_000 + seq * 10, type, payload, ...more });
}

export const lines = (...all: readonly string[]): string => all.map((it) => `${it}\n`).join("");
export const started = (): string => line(1, "session.started", STARTED);
export const said = (seq: number, text: string): string => line(seq, "user.message-created", { text, mentions: [] });
