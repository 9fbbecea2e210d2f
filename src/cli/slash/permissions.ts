/** `/permissions`: what is asked and why, in the mode and the rules in force; changes to both, for this session. */
import { eventsOfTypes } from "../../session/index.ts";
import { nearest, type PermissionRule } from "../../shared/index.ts";
import type { CommandUi } from "../../tui/index.ts";
import { MODES_AT_HAND } from "../permission-control.ts";
import { type SuggestedRule, suggestedRules } from "../permission-suggestions.ts";
import { rulesIn, ruleText } from "../settings.ts";
import { shellWord } from "../words.ts";
import { firstWord, type SlashContext } from "./define.ts";
import { inCode, markdownTable } from "./markdown-table.ts";
import { projectSessions } from "./project-sessions.ts";

const VERBS = ["mode", "allow", "deny", "suggest"] as const;

export async function permissions(args: string, ui: CommandUi, context: SlashContext): Promise<void> {
  const [verb, rest] = firstWord(args);
  switch (VERBS.find((known) => known === verb)) {
    case "mode":
      return changeMode(rest, ui, context);
    case "allow":
    case "deny":
      return addRules(rest, verb === "allow" ? "allow" : "deny", { ui, context });
    case "suggest":
      return suggest(ui, context);
    default:
      if (verb === "") return ui.note(await overview(context));
      throw new Error(unknownVerb(verb));
  }
}

function unknownVerb(verb: string): string {
  const meant = nearest(verb, VERBS);
  return `/permissions ${verb}: ${meant ? `did you mean ${meant}?` : `there are ${VERBS.join(", ")}.`}`;
}

async function changeMode(typed: string, ui: CommandUi, { host }: SlashContext): Promise<void> {
  const control = host.engine().permissions;
  const rows = MODES_AT_HAND.map((mode) => ({ value: mode, label: mode, detail: ABOUT[mode] }));
  const chosen = typed || (await ui.choose({ title: "What is asked?", rows, current: control.mode() }));
  if (chosen === undefined) return;
  const mode = MODES_AT_HAND.find((known) => known === chosen);
  if (mode === undefined)
    throw new Error(
      chosen === "bypass" ? BYPASS : `There is no mode "${chosen}"; there are ${MODES_AT_HAND.join(", ")}.`,
    );
  control.setMode(mode);
  ui.say(`Permission mode: ${mode} (${ABOUT[mode]})`, "ok");
}

const ABOUT: Readonly<Record<(typeof MODES_AT_HAND)[number], string>> = {
  ask: "asks before it changes or runs anything",
  "accept-edits": "edits files of the project without asking",
  plan: "reads only",
};

const BYPASS = "That nothing is asked is decided when khaelor starts: --yolo. In a session it cannot be reached.";

interface Work {
  readonly ui: CommandUi;
  readonly context: SlashContext;
}

async function addRules(text: string, action: PermissionRule["action"], { ui, context }: Work): Promise<void> {
  if (text === "") throw new Error(`Which rule? As in /permissions ${action} npm test *`);
  const control = context.host.engine().permissions;
  for (const rule of rulesIn(text, action)) control.addRule(rule);
  const until = action === "allow" ? "for this session, also when it is resumed" : "until this session is closed";
  ui.say(`From here on, ${until}: ${action} ${text}`, "ok");
}

/** What was refused is read back this far. */
const MAX_DENIALS = 10;

async function overview({ host }: SlashContext): Promise<string> {
  const { permissions: control, session } = host.engine();
  const rules = control.rules();
  const table =
    rules.length === 0
      ? "No rules: reading in the project and known read-only commands run, everything else asks."
      : markdownTable(
          ["", "what", "pattern", "said by"],
          rules.map(({ action, capability, pattern, source }) => [action, capability, inCode(pattern), source]),
        );
  const denials = await recentDenials(session.path);
  const refused =
    denials.length === 0
      ? "Nothing was refused."
      : ["Refused, newest first:", "", ...denials.map((line) => `- ${line}`)].join("\n");
  return [
    `Mode **${control.mode()}**. Shift+Tab changes it.`,
    `Rules, the last that matches wins:\n\n${table}`,
    refused,
  ].join("\n\n");
}

async function recentDenials(path: string): Promise<readonly string[]> {
  const asked = new Map<string, string>();
  const denials: string[] = [];
  for await (const event of eventsOfTypes(path, new Set(["permission.requested", "permission.denied"]))) {
    if ("opaque" in event) continue;
    if (event.type === "permission.requested") asked.set(event.payload.permissionRequestId, event.payload.descriptor);
    if (event.type !== "permission.denied") continue;
    const { permissionRequestId, source, feedback } = event.payload;
    const what = asked.get(permissionRequestId);
    denials.push(`${source}: ${what === undefined ? feedback : `${what}. ${feedback}`}`);
  }
  return denials.slice(-MAX_DENIALS).reverse();
}

async function suggest(ui: CommandUi, context: SlashContext): Promise<void> {
  const { store, project } = await projectSessions(context);
  const found = await suggestedRules(store, project);
  if (found.length === 0) return ui.note("Nothing was asked in this project's sessions that a rule could answer.");
  const rows = found.map(({ capability, pattern, asked, allowed, refused }) => [
    capability,
    inCode(pattern),
    asked,
    allowed,
    refused,
  ]);
  ui.note(
    `What was asked most, as rules:\n\n${markdownTable(["what", "pattern", "asked:", "allowed:", "refused:"], rows)}\n\n${waysToAllow(found[0])}`,
  );
}

function waysToAllow(rule: SuggestedRule | undefined): string {
  if (!rule) return "";
  const text = ruleText(rule);
  const [here, run] = [inCode(`/permissions allow ${text}`), inCode(`--allow ${shellWord(text)}`)];
  return `For this session: ${here}. For one run: ${run}. For good: answer the next such question with a or A.`;
}
