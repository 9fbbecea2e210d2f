/** What runs beside the conversation: background processes, and what waits to be said. */
import type { SessionState } from "../../session/index.ts";
import { systemClock } from "../../shared/index.ts";
import type { CommandUi } from "../../tui/index.ts";
import { counted } from "../words.ts";
import type { SlashContext } from "./define.ts";
import { inCode, markdownTable } from "./markdown-table.ts";

export async function processes(_args: string, ui: CommandUi, { host }: SlashContext): Promise<void> {
  const { live, ended } = host.engine().session.state().processes;
  if (live.length + ended.length === 0) return ui.note("Nothing runs in the background.");
  const now = systemClock.now();
  const rows = [
    ...live.map(({ processId, pid, command, startedAt }) => [
      processId,
      inCode(command),
      `runs for ${ageText(now - startedAt)}, pid ${pid}`,
    ]),
    ...ended.toReversed().map((one) => [one.processId, inCode(one.command), endText(one)]),
  ];
  ui.note(markdownTable(["", "command", ""], rows));
}

type Ended = SessionState["processes"]["ended"][number];

function endText({ cause, exitCode, signal }: Ended): string {
  if (exitCode !== null) return `${cause}, exit code ${exitCode}`;
  return signal === undefined ? cause : `${cause}, ${signal}`;
}

function ageText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`;
}

/** One without a name is stopped when it is the only one; of several the user chooses. */
export async function stop(args: string, ui: CommandUi, { host }: SlashContext): Promise<void> {
  const engine = host.engine();
  const { live } = engine.session.state().processes;
  if (live.length === 0) return ui.say("Nothing runs in the background. Escape stops a turn.");
  const chosen = args.trim() || (await toStop(live, ui));
  if (chosen === undefined) return;
  const ids = chosen === "all" ? live.map(({ processId }) => processId) : [chosen];
  const known = ids.filter((id) => live.some(({ processId }) => processId === id));
  if (known.length === 0)
    throw new Error(`There is no process ${chosen}; there are ${live.map(({ processId }) => processId).join(", ")}.`);
  await Promise.all(known.map((id) => engine.stopProcess(id)));
  ui.say(`Stopped ${known.length === 1 ? known[0] : counted(known.length, "process", "processes")}.`, "ok");
}

async function toStop(live: SessionState["processes"]["live"], ui: CommandUi): Promise<string | undefined> {
  const [only, second] = live;
  if (only && !second) return only.processId;
  const rows = live.map(({ processId, command }) => ({ value: processId, label: `${processId}  ${command}` }));
  return ui.choose({ title: "Stop which process?", rows: [...rows, { value: "all", label: "all of them" }] });
}

export async function queue(args: string, ui: CommandUi, { host }: SlashContext): Promise<void> {
  const text = args.trim();
  if (text === "") return ui.note(queuedText(host.engine().session.state()));
  const isBusy = host.engine().agent.isBusy();
  host.dispatch({ kind: "steer", text, deliver: "next-turn" });
  if (isBusy) ui.say("It is said when this turn is over.", "ok");
}

function queuedText({ turn: { queued } }: SessionState): string {
  if (queued.length === 0) return "Nothing waits. /queue TEXT says something when the turn is over.";
  return queued.map(({ text, deliver }) => `- ${deliver === "now" ? "soon" : "after this turn"}: ${text}`).join("\n");
}
