/** Reads the imports of TypeScript sources. Type-only ones too: a forbidden type is still a dependency. */
import { posix } from "node:path";

export interface SourceFile {
  /** Relative to `src`, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Import {
  /** As written: a relative path, a built-in or a package. */
  readonly specifier: string;
  /** `value` is a static import or re-export that exists at run time. */
  readonly kind: "value" | "type" | "dynamic";
  /** Relative to `src`, when the specifier is relative. */
  readonly target?: string;
}

const IMPORT = /(?:[\s}*]from\s*|\bimport\s*(\()?\s*)["']([^"'\n]+)["']/g;
const STATEMENT = /^[ \t]*(?:import|export)\b(\s+type\b)?/gm;

export function importsOf({ path, text }: SourceFile): readonly Import[] {
  const statements = [...text.matchAll(STATEMENT)];
  return [...text.matchAll(IMPORT)].map(({ 1: call, 2: specifier = "", index }) => {
    const statement = statements.findLast((one) => one.index <= index + 1);
    const kind = call ? "dynamic" : statement?.[1] ? "type" : "value";
    return { specifier, kind, ...(specifier.startsWith(".") ? { target: resolve(path, specifier) } : {}) };
  });
}

const resolve = (from: string, specifier: string) => posix.normalize(posix.join(posix.dirname(from), specifier));

/** `@scope/name/sub` and `name/sub` without the part inside the package. */
export const packageOf = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");

/** What each file loads when it is loaded: files by path, everything else by specifier. */
export const valueGraph = (files: readonly SourceFile[]): ReadonlyMap<string, readonly string[]> =>
  new Map(
    files.map((file) => [
      file.path,
      importsOf(file)
        .filter(({ kind }) => kind === "value")
        .map(({ target, specifier }) => target ?? packageOf(specifier)),
    ]),
  );

/** Everything that is loaded with `start`, without `start` itself unless it comes round again. */
export function reach(graph: ReadonlyMap<string, readonly string[]>, start: string): ReadonlySet<string> {
  const seen = new Set(graph.get(start) ?? []);
  for (const node of seen) for (const next of graph.get(node) ?? []) seen.add(next);
  return seen;
}
