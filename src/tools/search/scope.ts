/** What the two searching tools share: the ports they need, where a search begins, and why there may be no answer. */
import { placeAt, type SearchPlace, type SearchPorts, type SearchTrouble } from "../../repository/index.ts";
import { err, ok, type Result, type ToolErrorKind } from "../../shared/index.ts";
import type { Ripgrep } from "../../workspace/index.ts";
import type { ToolContext, ToolResult } from "../define.ts";
import { ERROR_KINDS, fileTrouble } from "../failures.ts";
import { displayPath } from "../paths.ts";
import type { FileToolPorts } from "../read.ts";
import { fitted } from "../refusal.ts";

export interface SearchToolPorts extends FileToolPorts {
  readonly search: SearchScope;
}

export interface SearchScope {
  readonly ripgrep: Ripgrep;
  /** Absolute and real. */
  readonly projectRoot: string;
  /** Where an absolute path really lies, links followed; undefined when that cannot be told. */
  readonly realPath: (path: string) => string | undefined;
  /** For a root whose search was allowed: which files below it may be shown. Asked for each search anew. */
  readonly readableBelow: (root: string) => (path: string) => boolean;
}

export const portsOf = ({ workspace, search }: SearchToolPorts): SearchPorts => ({
  workspace,
  ripgrep: search.ripgrep,
  projectRoot: search.projectRoot,
});

export interface SearchFailure {
  readonly message: string;
  readonly errorKind: ToolErrorKind;
}

/** `path` is absolute, as the call named it. */
export async function placeOf(ports: SearchToolPorts, path: string): Promise<Result<SearchPlace, SearchFailure>> {
  const place = await placeAt(ports.workspace, ports.search.realPath(path) ?? path);
  if (place.ok) return place;
  return err({ message: fileTrouble(place.error, path), errorKind: ERROR_KINDS[place.error.kind] });
}

const TROUBLES: Readonly<Record<SearchTrouble["kind"], ToolErrorKind>> = {
  unavailable: "exec-error",
  "bad-pattern": "invalid-input",
  cancelled: "exec-error",
  io: "exec-error",
};

export const failureOf = ({ kind, message }: SearchTrouble): SearchFailure => ({ message, errorKind: TROUBLES[kind] });

/** A NUL cannot be handed to any program. */
export const withoutNul = (...texts: readonly (string | undefined)[]): Result<undefined, SearchFailure> =>
  texts.some((text) => text?.includes("\0"))
    ? err({ message: "A pattern or path holds a NUL character, which no search can take.", errorKind: "invalid-input" })
    : ok(undefined);

export const notSearched = ({ message, errorKind }: SearchFailure, context: ToolContext): ToolResult => ({
  modelText: fitted(message, context),
  errorKind,
  ui: { kind: "search", summary: "not searched" },
});

/** In the middle or at the end of a sentence, where a lone dot would be lost or read as two. */
export const saidPath = (path: string, cwd: string): string =>
  path === cwd ? "the working directory" : shownPath(path, cwd);

/** Quoted where it could pass for something else: a name may hold line ends. */
export function shownPath(path: string, cwd: string): string {
  const shown = path === cwd ? "." : displayPath(path, cwd);
  return /[\p{Cc}\p{Cf}\u2028\u2029]/u.test(shown) ? JSON.stringify(shown) : shown;
}
