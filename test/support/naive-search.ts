/**
 * What a search should find, worked out slowly: a walk over the tree with ignore rules and name patterns read anew, for small
 * trees and plain patterns. It shares no code with the program.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Rule {
  readonly fits: (path: string, isFolder: boolean) => boolean;
  readonly brings: boolean;
}

const WILD: Readonly<Record<string, string>> = {
  "**/": "(?:[^/]+/)*",
  "/**": "/.+",
  "**": ".+",
  "*": "[^/]*",
  "?": "[^/]",
  "{": "(?:",
  "}": ")",
  ",": "|",
};

/** `*`, `?`, `**` between slashes, `{a,b}` without nesting (no other comma or brace); everything else stands for itself. */
export function naivePattern(pattern: string): RegExp {
  const parts = pattern.split(/(\*\*\/|\/\*\*$|^\*\*$|\*|\?|[{},])/);
  const source = parts.map((part) => WILD[part] ?? part.replace(/[.+^$()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${source.join("")}$`, "su");
}

function ruleOf(line: string): Rule {
  const brings = line.startsWith("!");
  const text = brings ? line.slice(1) : line;
  const onlyFolders = text.endsWith("/");
  const body = text.replace(/\/$/, "");
  const expression = naivePattern(body.replace(/^\//, ""));
  const byName = !body.includes("/");
  return {
    brings,
    fits: (path, isFolder) =>
      (!onlyFolders || isFolder) && expression.test(byName ? path.slice(path.lastIndexOf("/") + 1) : path),
  };
}

function rulesIn(path: string): readonly Rule[] {
  try {
    return readFileSync(path, "utf8").split("\n").filter(Boolean).map(ruleOf).reverse();
  } catch {
    return []; // there is none
  }
}

/** `path` is relative to the project. The nearest file of the strongest kind that says something decides. */
function isIgnored(project: string, path: string, isFolder: boolean): boolean {
  const parents = path.split("/").map((_, index, all) => all.slice(0, all.length - 1 - index).join("/"));
  for (const [kind, folders] of [
    [".ignore", parents],
    [".gitignore", parents],
    [".khaelorignore", [""]],
  ] as const) {
    for (const folder of folders) {
      const below = folder === "" ? path : path.slice(folder.length + 1);
      const rule = rulesIn(join(project, folder, kind)).find(({ fits }) => fits(below, isFolder));
      if (rule) return !rule.brings;
    }
  }
  return false;
}

/** The files below a folder of the project that a search should look at, relative to the project. */
export function naiveFiles(project: string, folder = ""): readonly string[] {
  return readdirSync(join(project, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.name === ".git" || isIgnored(project, path, entry.isDirectory())) return [];
    if (entry.isDirectory()) return naiveFiles(project, path);
    return entry.isFile() ? [path] : [];
  });
}

/** `path` is relative to where the search begins. */
export function naiveGlob(glob: string, path: string): boolean {
  if (glob.startsWith("!")) return !naiveGlob(glob.slice(1), path);
  const text = glob.replace(/^\.?\//, "").replace(/\/$/, "/**");
  return naivePattern(text).test(glob.includes("/") ? path : path.slice(path.lastIndexOf("/") + 1));
}

/** The numbers of the lines that match. */
export function naiveLines(path: string, expression: RegExp): readonly number[] {
  const lines = readFileSync(path, "utf8").split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.flatMap((line, index) => (expression.test(line.replace(/\r$/, "")) ? [index + 1] : []));
}
