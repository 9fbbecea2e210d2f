/** `/budget`: what a turn, this session and this day may cost, what they have cost, and changes to the caps. */
import type { CapScope } from "../../agent/index.ts";
import type { CommandUi } from "../../tui/index.ts";
import type { CapReport } from "../budget-control.ts";
import { counted, moneyText } from "../words.ts";
import { readBudget } from "./budget-words.ts";
import type { SlashContext } from "./define.ts";
import { markdownTable } from "./markdown-table.ts";

export async function budget(args: string, ui: CommandUi, context: SlashContext): Promise<void> {
  const wish = readBudget(args);
  if (!wish.ok) throw new Error(wish.error);
  const { scope, usd } = wish.value;
  if (scope !== undefined && usd !== undefined) return change(scope, usd, { ui, context });
  const rows = (await context.host.engine().budget.report()).filter(
    (row) => scope === undefined || row.scope === scope,
  );
  ui.note(budgetTable(rows));
}

export const budgetTable = (rows: readonly CapReport[]): string =>
  [markdownTable(["", "spent:", "cap:", "left:", "said by"], rows.map(cells)), ...rows.flatMap(unreadText), HOW].join(
    "\n\n",
  );

function unreadText({ unread = 0 }: CapReport): readonly string[] {
  if (unread === 0) return [];
  const cost = unread === 1 ? "it cost" : "they cost";
  return [`${counted(unread, "session")} of today could not be read whole: what ${cost} is not all in the sum.`];
}

const HOW =
  "Today counts all sessions. A cap stops the next request, not the one under way. `/budget session 5` sets one, `/budget session off` takes it away.";

const cells = ({ scope, spentUsd, isAtLeast, capUsd, saidBy }: CapReport): readonly string[] => [
  NAMES[scope],
  `${isAtLeast ? "at least " : ""}${moneyText(spentUsd)}`,
  capUsd === undefined ? "none" : moneyText(capUsd),
  capUsd === undefined ? "" : moneyText(Math.max(0, capUsd - spentUsd)),
  saidBy,
];

const NAMES: Readonly<Record<CapScope, string>> = {
  turn: "this turn",
  session: "this session",
  day: "today",
};

interface Work {
  readonly ui: CommandUi;
  readonly context: SlashContext;
}

async function change(scope: CapScope, usd: number | null, { ui, context: { host } }: Work): Promise<void> {
  const engine = host.engine();
  const done = await engine.budget.set(scope, usd);
  if (!done.ok) throw new Error(`${done.error.charAt(0).toUpperCase()}${done.error.slice(1)}`);
  const { usedUp, mayGoOn } = done.value;
  const said =
    usd === null
      ? `No cap for the ${scope} any more.`
      : `From the next request on, the ${scope} may cost ${moneyText(usd)}.`;
  if (usedUp !== undefined) {
    return ui.say(`${said} ${moneyText(usedUp)} are spent already: the next request will be stopped.`, "warn");
  }
  const goesOn = mayGoOn && host.current() === engine && host.resume();
  ui.say(goesOn ? `${said} The turn that it had stopped goes on.` : said, "ok");
}
