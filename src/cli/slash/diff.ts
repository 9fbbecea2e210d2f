/**
 * `/diff`: what changed and whose change it is. KHAELOR's own changes are told from the log and the contents that were kept
 * before each of them, so that they are right without git, and in files that you had changed as well.
 */
import type { CommandUi, DiffFile } from "../../tui/index.ts";
import type { Engine } from "../engine.ts";
import { counted } from "../words.ts";
import { type SlashContext, splitSwitches } from "./define.ts";
import { changedByYou, changedInAll, changedStaged } from "./diff-git.ts";
import { type ChangeList, changedByKhaelor, changedInTurn } from "./diff-own.ts";
import { inCode, markdownTable } from "./markdown-table.ts";

const SCOPES = {
  mine: { title: "What you changed", look: changedByYou },
  staged: { title: "What is staged", look: changedStaged },
  all: { title: "All changes since the last commit", look: changedInAll },
  turn: { title: "What changed in this turn", look: changedInTurn },
  khaelor: { title: "What KHAELOR changed in this session", look: changedByKhaelor },
} satisfies Readonly<
  Record<string, { readonly title: string; readonly look: (engine: Engine) => Promise<ChangeList> }>
>;

type Scope = keyof typeof SCOPES;
const isScope = (word: string): word is Scope => Object.hasOwn(SCOPES, word);

export async function diff(args: string, ui: CommandUi, { host }: SlashContext): Promise<void> {
  const { words, switches } = splitSwitches(args, ["--stat"]);
  const [first = "", ...rest] = words.split(" ");
  const scope = isScope(first) ? first : "khaelor";
  const path = (isScope(first) ? rest : [first, ...rest]).join(" ");
  const { title, look } = SCOPES[scope];
  const { files: all, notes } = await look(host.engine());
  const files = path === "" ? all : all.filter((file) => isAt(file.path, path));
  for (const note of notes) ui.say(note, "warn");
  if (files.length === 0) return ui.say(nothing(scope, path));
  const heading = `${title}${yoursToo(scope, files)}: ${counted(files.length, "file")}, ${statOf(files)}`;
  if (switches.has("--stat")) ui.note(`${heading}\n\n${statTable(files)}`);
  else ui.showDiff(heading, files);
}

/** What both of you changed in a file cannot be told apart: the title does not say that all of it is one's. */
function yoursToo(scope: Scope, files: readonly DiffFile[]): string {
  const shared = files.filter(({ by }) => by === "both").length;
  if (shared === 0 || (scope !== "khaelor" && scope !== "mine")) return "";
  const [whose, where] = [scope === "khaelor" ? "your" : "KHAELOR's", shared === files.length ? "" : `, in ${shared}`];
  return ` (with ${whose} own lines${where})`;
}

/** The file itself, or what lies below the folder. */
function isAt(path: string, wanted: string): boolean {
  const plain = wanted.replace(/^\.\//, "").replace(/\/+$/, "");
  return path === plain || path.startsWith(`${plain}/`) || plain === ".";
}

function nothing(scope: Scope, path: string): string {
  const where = path === "" ? "" : ` in ${path}`;
  const other = scope === "khaelor" ? " /diff mine shows your own, /diff all both." : "";
  return `Nothing${where}: no changes of this kind.${other}`;
}

const sum = (files: readonly DiffFile[], key: "added" | "removed"): number =>
  files.reduce((total, file) => total + file[key], 0);

const statOf = (files: readonly DiffFile[]): string => `+${sum(files, "added")} −${sum(files, "removed")}`;

const statTable = (files: readonly DiffFile[]): string =>
  markdownTable(
    ["file", "added:", "removed:", "by"],
    files.map(({ path, added, removed, by }) => [inCode(path), added, removed, by ?? ""]),
  );
