/**
 * The list of models as it was last asked for, on the user's disk. A run reads it and never renews it; only `khaelor models`
 * asks. What is damaged, of another version or from another address counts as not there.
 */
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, statSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { ListedModel } from "../anthropic/index.ts";
import { accepts, errorMessage } from "../shared/index.ts";

export interface ModelsCache {
  /** Epoch milliseconds. */
  readonly fetchedAt: number;
  readonly models: readonly ListedModel[];
}

const VERSION = 1;
const MAX_BYTES = 4 * 1024 * 1024;
const LIMIT = "number.integer >= 1024";

const FILE = {
  version: "1",
  /** The address that was asked; a gateway's models are not another's. */
  from: "string",
  fetchedAt: "number",
  models: [
    {
      id: "string >= 1",
      "displayName?": "string",
      "lifecycle?": "string",
      "contextWindow?": LIMIT,
      "maxOutputTokens?": LIMIT,
      "thinking?": ["'adaptive' | 'between_tools' | 'disabled' | 'enabled'", "[]"],
      "efforts?": "string[]",
    },
    "[]",
  ],
} as const;

const fileIn = (home: string): string => join(home, "cache", "models.json");

/** Without a base URL: the public API's. */
const addressOf = (baseURL: string | undefined): string => baseURL ?? "api.anthropic.com";

export function readModelsCache(home: string, baseURL?: string): ModelsCache | undefined {
  try {
    const path = fileIn(home);
    if (statSync(path).size > MAX_BYTES) return undefined;
    const parsed: unknown = JSON.parse(readFileSync(path, "utf8"));
    return accepts(FILE, parsed) && parsed.from === addressOf(baseURL) ? parsed : undefined;
  } catch {
    return undefined; // not there yet, or nothing that could be read: `khaelor models` makes it anew
  }
}

/** Replaces the file in one step. The error is one sentence; then the old one is still there. */
export function writeModelsCache(home: string, cache: ModelsCache, baseURL?: string): string | undefined {
  const path = fileIn(home);
  const temporary = `${path}.${process.pid}`;
  try {
    mkdirSync(join(home, "cache"), { recursive: true, mode: 0o700 });
    const file = openSync(temporary, "wx", 0o600);
    try {
      writeSync(file, JSON.stringify({ version: VERSION, from: addressOf(baseURL), ...cache }));
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
    return undefined;
  } catch (error) {
    removeQuietly(temporary);
    return `${path} cannot be written: ${errorMessage(error)}`;
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // it was not made
  }
}
