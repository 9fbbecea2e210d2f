/** Commands that go from session to session: begin one, go on with another, name this one, look for words in all. */
import { searchLog } from "../../session/index.ts";
import { StoreError } from "../../shared/index.ts";
import type { ChoiceRow, CommandUi, SessionRow } from "../../tui/index.ts";
import { sessionsNamed } from "../find-session.ts";
import { holdsAnything } from "../readable-lines.ts";
import { validTitle } from "../session-choice.ts";
import { MAX_ROWS } from "../terminal/session-queries.ts";
import { isUnsaid } from "../terminal/unsaid.ts";
import { excerpt, localMinute, moneyText } from "../words.ts";
import { type SlashContext, splitSwitches } from "./define.ts";
import { projectSessions } from "./project-sessions.ts";

export async function begin(args: string, ui: CommandUi, _context: SlashContext): Promise<void> {
  await ui.switchTo(args.trim() === "" ? {} : { name: validTitle(args) });
}

/** One match is gone on with; of several, the user chooses. */
export async function resume(args: string, ui: CommandUi, context: SlashContext): Promise<void> {
  const words = args.trim();
  const { store, project } = await projectSessions(context);
  const open = context.host.shown().id;
  const named = words === "" ? [] : await sessionsNamed(store, words, project);
  if (named.includes(open) && named.length === 1) return ui.say("That is the session that is open.");
  const [only, second] = named.filter((id) => id !== open);
  if (only !== undefined && second === undefined) return switchTo(only, ui, context);
  const rows = await context.queries.sessions(words, new AbortController().signal);
  if (rows.length === 0) {
    throw new Error(
      words === "" ? "There is no other session of this project." : `No other session has the words "${words}".`,
    );
  }
  const chosen = await ui.choose({
    title: titleOf(words, rows.length),
    rows: rows.map(choiceRow),
    isFiltered: true,
  });
  if (chosen !== undefined) await switchTo(chosen, ui, context);
}

const titleOf = (words: string, count: number): string => {
  const title = words === "" ? "Which session?" : `Sessions with "${words}"`;
  return count < MAX_ROWS ? title : `${title} The newest ${MAX_ROWS}; /resume WORDS finds the others`;
};

/** What is open is closed first. One that is damaged, or open elsewhere, can be looked at, if there is anything to be seen. */
async function switchTo(id: string, ui: CommandUi, context: SlashContext): Promise<void> {
  const { store } = await projectSessions(context);
  if ((await store.locate(id)) === undefined) throw new Error(`There is no session ${id}.`);
  if (!(await holdsAnything(store, id)))
    throw new Error(`Nothing of session ${id} can be read. khaelor fsck ${id} says why.`);
  await ui.switchTo({ resume: id });
}

/** Where nothing is named: all of it, or of a damaged one what comes up to its last safe point. */
export async function fork(args: string, ui: CommandUi, { host }: SlashContext): Promise<void> {
  const state = host.current()?.session.state();
  if (state && isUnsaid(state)) throw new Error("Nothing was said in this session yet: there is nothing to copy.");
  const { id, forkFrom } = host.shown();
  const [, typed] = /^@?(\d+)$/.exec(args.trim()) ?? [];
  if (args.trim() !== "" && typed === undefined) {
    throw new Error(`/fork ${args.trim()}: behind @ stands the number of an event, as in /fork @120.`);
  }
  if (forkFrom === "nothing") throw new Error("No event of this session can be gone on from. /new begins one.");
  const seq = typed === undefined ? forkFrom : Number(typed);
  await ui.switchTo({ fork: { id, ...(seq !== undefined && { seq }) } });
}

function choiceRow({ id, title, updatedAt, pendingApprovals, costUsd, excerpt: found }: SessionRow): ChoiceRow {
  const marks = [
    ...(pendingApprovals > 0 ? ["waits for you"] : []),
    ...(costUsd === null || costUsd === 0 ? [] : [moneyText(costUsd)]),
    ...(updatedAt > 0 ? [localMinute(updatedAt)] : []),
  ];
  return { value: id, label: found === undefined ? title : `${title}: ${found}`, detail: marks.join("  ") };
}

export async function rename(args: string, ui: CommandUi, { host }: SlashContext): Promise<void> {
  const { session } = host.engine();
  const typed = args.trim() || (await ui.ask("Title", { initial: session.state().meta.title }));
  if (typed === undefined) return;
  const title = validTitle(typed);
  session.publish({ type: "session.renamed", payload: { title } }); // which is shown by itself
}

/** Of one session, and of all. */
const MAX_OF_ONE = 5;
const MAX_MATCHES = 200;
const LINE_CHARACTERS = 160;

export async function search(args: string, ui: CommandUi, context: SlashContext): Promise<void> {
  const { words, switches } = splitSwitches(args, ["--all"]);
  if (words === "") throw new Error("What is to be found? /search TEXT");
  if (!switches.has("--all")) return ui.act({ kind: "search", text: words });
  const rows = await matches(words, context);
  if (rows.length === 0) return ui.say(`"${words}" stands in no session of this project.`);
  const chosen = await ui.choose({ title: `"${words}" in the sessions of this project`, rows, isFiltered: true });
  if (chosen === undefined) return;
  const [id = ""] = chosen.split("@");
  if (id === context.host.shown().id) ui.act({ kind: "search", text: words });
  else await switchTo(id, ui, context);
}

/** Newest sessions first. What a fork took over counts as its parent's, as long as there is one. */
async function matches(words: string, context: SlashContext): Promise<readonly ChoiceRow[]> {
  const { store, project } = await projectSessions(context);
  const listings = await store.list({ projectHash: project, quick: true });
  const ids = new Set(listings.map(({ id }) => id));
  const rows: ChoiceRow[] = [];
  for (const { id, path, meta, glance } of listings) {
    if (rows.length >= MAX_MATCHES) break;
    const skip = (owner: string) => owner !== id && ids.has(owner);
    const found = await searchLog(path, words, { limit: MAX_OF_ONE, skip }).catch((error: unknown) => {
      if (error instanceof StoreError) return []; // one that cannot be read hides no other
      throw error;
    });
    for (const { seq, who, line, ts } of found) {
      rows.push({
        value: `${id}@${seq}`,
        label: `${who}: ${excerpt(line, words, LINE_CHARACTERS)}`,
        detail: `${(meta ?? glance)?.title || id}  ${localMinute(ts)}`,
      });
    }
  }
  return rows;
}
