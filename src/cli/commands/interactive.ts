/** `khaelor`: the terminal. Composes the ports of the interface and hands over; what happens then is the interface's. */
import { EXIT, type ExitCode } from "../../shared/index.ts";
import type { TerminalPorts } from "../../tui/index.ts";
import type { Arguments } from "../args.ts";
import { takeEarlyKeys } from "../boot.ts";
import { logChoice } from "../log-choice.ts";
import { promptChoice } from "../prompt-choice.ts";
import { sessionChoice } from "../session-choice.ts";
import { flagLayer, placesOf } from "../settings.ts";
import { createHost } from "../terminal/host.ts";
import { VERSION } from "../version.ts";

export async function interactive(typed: Arguments): Promise<ExitCode> {
  const places = placesOf(typed, process.env);
  const { resume, name } = sessionChoice(typed);
  const isResumed = resume !== undefined;
  const host = createHost({
    places,
    env: process.env,
    flags: flagLayer(typed),
    log: logChoice(typed),
    prompt: promptChoice(typed, { cwd: places.cwd, isResumed }),
  });
  const ports: TerminalPorts = {
    host,
    queries: {
      findFiles: async () => [],
      noteAccess: () => undefined,
      sessions: async () => [],
      promptHistory: async () => [],
      fullOutput: async () => undefined,
    },
    commands: [],
    drafts: { load: async () => undefined, save: () => undefined },
    settings: {
      theme: "auto",
      mouse: true,
      vim: false,
      alternateScreen: true,
      notifications: true,
      keybindings: {},
      home: places.userHome,
      version: VERSION,
    },
    outside: {
      edit: async () => ({ problem: "there is no editor yet" }),
      page: async () => undefined,
      copy: async () => false,
      storeKey: async () => undefined,
    },
  };
  const { runTerminal } = await import("../../tui/index.ts");
  const prompt = typed.operands.join(" ").trim();
  const end = await runTerminal(
    ports,
    {
      session: { ...(isResumed && { resume }), ...(name !== undefined && { name }) },
      ...(prompt !== "" && { prompt }),
    },
    { mode: "dark", depth: "full", mouse: true, alternateScreen: true, maxFps: 60, early: takeEarlyKeys() },
  );
  if (end.kind === "failed") throw end.error ?? new Error("the terminal failed");
  return EXIT.done;
}
