/** `khaelor` on a terminal: which session it begins with and what is said first; what happens then is the interface's. */
import { join } from "node:path";
import { EXIT, type ExitCode } from "../../shared/index.ts";
import type { StartChoice, TerminalPorts } from "../../tui/index.ts";
import type { Arguments } from "../args.ts";
import { canDraw, handOverShell, showShell, takeBackShell, takeEarlyKeys } from "../boot.ts";
import { logChoice } from "../log-choice.ts";
import type { Output } from "../output.ts";
import { promptChoice } from "../prompt-choice.ts";
import { sessionChoice } from "../session-choice.ts";
import { flagLayer, type Places, placesOf } from "../settings.ts";
import { screenOptions } from "../terminal/environment.ts";
import { createHost } from "../terminal/host.ts";
import { loadWithLibrary } from "../terminal/library.ts";
import { beginLife, type Life } from "../terminal/life.ts";
import { terminalPorts } from "../terminal/ports.ts";

export async function interactive(typed: Arguments, output: Output): Promise<ExitCode> {
  const places = placesOf(typed, process.env);
  if (!typed.noSession) return onScreen(typed, places, output);
  const { createThrowaway } = await import("../throwaway.ts");
  const throwaway = createThrowaway(places);
  try {
    return await onScreen(typed, throwaway.places, output);
  } finally {
    throwaway.discard();
  }
}

async function onScreen(typed: Arguments, places: Places, output: Output): Promise<ExitCode> {
  const surroundings = { places, env: process.env, flags: flagLayer(typed), log: logChoice(typed) };
  const start = await startChoice(typed, places);
  const isResumed = start.session.resume !== undefined || start.session.pick !== undefined;
  const { sessionId } = sessionChoice(typed);
  const host = createHost({
    ...surroundings,
    prompt: promptChoice(typed, { cwd: places.cwd, isResumed: isResumed || start.session.fork !== undefined }),
    ...(sessionId !== undefined && { sessionId }),
    ...(typed.tools !== undefined && { tools: typed.tools }),
  });
  const inLines = async (): Promise<ExitCode> => {
    const { onLines } = await import("../terminal/on-lines.ts");
    return onLines({ host, ports: await terminalPorts(host, surroundings), start, output, color: typed.color });
  };
  if (typed.screenReader || !canDraw()) return inLines();
  const life = beginLife();
  try {
    const { loadScreen, runTerminal } = await import("../../tui/index.ts");
    const problem = await loadWithLibrary(loadScreen, join(places.home, "cache", "screen"));
    const ports = await terminalPorts(host, surroundings);
    if (problem !== undefined || ports.settings.screenReader) {
      life.end();
      if (problem !== undefined)
        output.err(`khaelor: the screen cannot be drawn: ${problem}. Here are lines instead.\n`);
      return await inLines();
    }
    const options = screenOptions(process.env, { ...ports.settings, color: typed.color });
    showShell(options); // where it has not been up
    handOverShell();
    const end = await runTerminal(guarded(ports, life), start, { ...options, early: takeEarlyKeys(), stop: life.stop });
    takeBackShell();
    life.end();
    output.show(lastWords(host.farewell(), end.unkept));
    if (end.kind === "failed") throw end.error ?? new Error("the terminal failed");
    return life.exitCode() ?? EXIT.done;
  } finally {
    life.end();
  }
}

/** How to go on, and what is nowhere else. */
const lastWords = (farewell: string | undefined, unkept: string | undefined): string =>
  [farewell, unkept && `What you wrote could not be kept:\n\n${unkept}\n`]
    .map((part) => (part === undefined ? "" : `${part}\n`))
    .join("");

/** The first frame is there when a session is asked for: the engine is not loaded before it, and the guardian not posted. */
function guarded(ports: TerminalPorts, life: Life): TerminalPorts {
  const { host } = ports;
  return {
    ...ports,
    host: {
      close: () => host.close(),
      async open(choice) {
        await new Promise((resolve) => void setImmediate(resolve));
        life.guard();
        return host.open(choice);
      },
    },
  };
}

/** Throws UserError for what contradicts itself. */
async function startChoice(typed: Arguments, places: Places): Promise<StartChoice> {
  const session = sessionOf(typed);
  const isNew = session.resume === undefined && session.pick === undefined && session.fork === undefined;
  if (typed.tools !== undefined) (await import("../tool-choice.ts")).refuseToolsOnResume(typed.tools, !isNew);
  const prompt = typed.operands.join(" ").trim();
  if (typed.file.length + typed.image.length === 0) return { session, ...(prompt !== "" && { prompt }) };
  const { mentionsOf } = await import("../mention-flags.ts");
  return { session, prompt, mentions: mentionsOf(typed, places.cwd, !isNew) };
}

/** `--resume` alone lets the user choose, and with words that name several sessions as well. */
function sessionOf(typed: Arguments): StartChoice["session"] {
  const { resume, fork, name } = sessionChoice(typed);
  const named = { ...(name !== undefined && { name }) };
  if (resume === undefined) return named;
  if (fork) return { ...named, fork: { id: resume, ...fork } };
  return typed.continueLast ? { ...named, resume } : { ...named, pick: { text: resume } };
}
