/** The list of files that a picture has to hold: from git where there is one, else from a short walk. */
import { type AskGit, GIT } from "../git.ts";
import { BOUNDS, type Picture, type PictureParts } from "./types.ts";

export type Listing = Pick<Picture, "form" | "head" | "lacks" | "others"> & { readonly paths: readonly string[] };

/** Submodules are compared by commit only, and a repository inside the project is not entered. */
const STATUS = `${GIT} status --porcelain=v2 --branch -z --untracked-files=all --ignore-submodules=dirty --no-renames`;

/** What differs from the last commit, and what is neither tracked nor ignored. Undefined when git gives no answer in time. */
export async function gitListing(ask: AskGit): Promise<Listing | undefined> {
  const limits = { timeLimitMs: BOUNDS.statusMs, maxOutputBytes: BOUNDS.statusBytes };
  const { exitCode, bytes, complete } = await ask(STATUS, limits);
  if (exitCode !== 0) return undefined;
  const records = new TextDecoder().decode(bytes).split("\0");
  records.pop(); // what stands behind the last NUL: nothing, or a record that was cut
  const oid = records.find((record) => record.startsWith("# branch.oid "))?.slice("# branch.oid ".length);
  const tracked = records.flatMap(changedPath);
  const untracked = byProductsLast(records.flatMap(untrackedPath));
  const all = [...new Set([...tracked, ...untracked])];
  const [paths, beyond] = [all.slice(0, BOUNDS.files), all.slice(BOUNDS.files)];
  const cut = !complete || beyond.length > 0;
  const lacks = cut && tracked.length >= BOUNDS.files ? "anything" : complete ? "nothing" : "some-untracked";
  const head = oid === undefined || oid === "(initial)" ? null : oid;
  return { form: "git", head, lacks, paths, ...(complete && beyond.length > 0 && { others: new Set(beyond) }) };
}

/** Packages that nobody ignored shall not crowd out what people write. */
const byProductsLast = (paths: readonly string[]): readonly string[] => [
  ...paths.filter((path) => !isByProduct(path)),
  ...paths.filter(isByProduct),
];

/** The path stands behind a fixed number of fields: 8 for a change, 10 for a conflict. A submodule is no file. */
function changedPath(record: string): readonly string[] {
  const fields = record.startsWith("1 ") ? 8 : record.startsWith("u ") ? 10 : 0;
  const words = record.split(" ");
  return fields === 0 || words[2]?.startsWith("S") ? [] : [words.slice(fields).join(" ")];
}

const untrackedPath = (record: string): readonly string[] => (record.startsWith("? ") ? [record.slice(2)] : []);

/** A folder, which ends in a slash, is a repository of its own: it is not looked into. */
export const isOpaque = (path: string): boolean => path.endsWith("/");

/** Folders of installed packages and of what builds and runs leave behind. */
const BY_PRODUCTS =
  ".git .hg .svn node_modules .venv venv __pycache__ .cache .tox .mypy_cache .pytest_cache .gradle target dist build".split(
    " ",
  );
const NAMES: ReadonlySet<string> = new Set(BY_PRODUCTS);

/** Whether the file lies in such a folder. */
export const isByProduct = (path: string): boolean =>
  path
    .split("/")
    .slice(0, -1)
    .some((name) => NAMES.has(name));

/** Without git: every file; undefined where there are too many of them for a look at each. */
export async function walkListing({ workspace, root }: PictureParts): Promise<Listing | undefined> {
  const skipped = BY_PRODUCTS.map((name) => `-name ${name}`);
  const found = await workspace.exec({
    command: `exec 2>/dev/null; find . -xdev \\( ${skipped.join(" -o ")} \\) -prune -o -type f -print0`,
    cwd: root,
    timeoutMs: BOUNDS.walkMs,
    maxOutputBytes: BOUNDS.statusBytes,
    exact: true,
  });
  if (!found.ok || found.value.ended !== "exited" || found.value.omittedBytes > 0) return undefined;
  const paths = new TextDecoder().decode(found.value.head).split("\0").slice(0, -1);
  if (paths.length > BOUNDS.files) return undefined;
  return { form: "walk", head: null, lacks: "nothing", paths: paths.map((path) => path.slice(2)).sort() };
}
