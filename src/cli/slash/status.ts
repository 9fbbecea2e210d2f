/** `/status`: this session, and what it stands on. */
import { CAP_SCOPES } from "../../agent/index.ts";
import { modelFacts } from "../../anthropic/index.ts";
import type { CommandUi } from "../../tui/index.ts";
import { capOf } from "../caps.ts";
import type { Engine } from "../engine.ts";
import { contextTokens, withTilde } from "../terminal/session-facts.ts";
import { VERSION } from "../version.ts";
import { counted, localMinute, moneyText, tokensText } from "../words.ts";
import type { SlashContext } from "./define.ts";
import { inCode, markdownTable } from "./markdown-table.ts";

export async function status(_args: string, ui: CommandUi, { host, places }: SlashContext): Promise<void> {
  const engine = host.engine();
  const { session, permissions, projectRoot } = engine;
  const { meta, turn, files, processes } = session.state();
  const instructions = await instructionFiles(engine);
  const short = (path: string) => inCode(withTilde(path, places.userHome));
  const rows: readonly (readonly [string, string])[] = [
    ["session", `${inCode(session.id)} ${meta.title}`.trim()],
    [
      "begun",
      `${localMinute(meta.createdAt)}, ${counted(meta.userMessages, "message")}, ${counted(meta.events, "event")}`,
    ],
    ["log", short(session.path)],
    [
      "folder",
      `${short(meta.workingDirectory)}${meta.workingDirectory === projectRoot ? "" : `, project ${short(projectRoot)}`}`,
    ],
    ["model", modelText(engine)],
    ["context", contextText(engine)],
    ["permissions", `mode ${permissions.mode()}, ${counted(permissions.rules().length, "rule")} (/permissions)`],
    ["instructions", instructions.length > 0 ? instructions.map(short).join(", ") : "none"],
    ["changed", `${counted(Object.keys(files.changes).length, "file")} (/diff)`],
    ["processes", `${counted(processes.live.length, "process", "processes")} (/processes)`],
    ["limits", limitsText(engine)],
    [
      "waiting",
      `${counted(turn.permissions.length, "question")}, ${counted(turn.queued.length, "message")} in the queue`,
    ],
    ["khaelor", VERSION],
  ];
  ui.note(markdownTable(["", ""], rows));
}

function modelText({ session, config, models }: Engine): string {
  const { model, effort, thinking = config.thinking } = session.state().turn;
  const known = models.facts(model) === modelFacts("") ? ", not in the table" : "";
  return `${inCode(model)}, thinking ${thinking}${effort === undefined ? "" : `, effort ${effort}`}${known}`;
}

function contextText({ session, models }: Engine): string {
  const state = session.state();
  const tokens = contextTokens(state);
  const { contextWindow } = models.facts(state.turn.model);
  if (tokens === undefined) return `no answer yet; the window holds ${tokensText(contextWindow)} tokens`;
  return `${tokensText(tokens)} of ${tokensText(contextWindow)} tokens`;
}

function limitsText({ config: { limits }, session }: Engine): string {
  const { maxTurns, maxBudgetUsd } = limits;
  const { budget } = session.state().grants;
  const capped = CAP_SCOPES.flatMap((scope) => {
    const usd = capOf(scope, limits, budget);
    return usd === undefined ? [] : [`${moneyText(usd)} for the ${scope}`];
  });
  return [
    `${counted(maxTurns, "request")} for a message`,
    ...(maxBudgetUsd === undefined ? [] : [`$${maxBudgetUsd} while it is open`]),
    ...(capped.length === 0 ? [] : [`${capped.join(", ")} (/budget)`]),
  ].join(", ");
}

/** As they were when the session began, for those are what the model was given. */
async function instructionFiles({ session }: Engine): Promise<readonly string[]> {
  const { systemSha256 } = session.state().conversation;
  const bytes = systemSha256 === undefined ? undefined : await session.blobs.get(systemSha256);
  if (!bytes) return [];
  const text = new TextDecoder().decode(bytes);
  return [...text.matchAll(/<instructions path=\\"((?:[^"\\]|\\\\.)*?)\\">/g)].map(([, path = ""]) => path);
}
