/** Help about commands, the terminal and the program itself. Asks nobody: there is no network here. */

import type { CommandUi } from "../../tui/index.ts";
import { RELEASE_NOTES } from "../release-notes.ts";
import { VERSION } from "../version.ts";
import type { SlashCatalog, SlashContext, SlashEntry } from "./define.ts";
import { inCode } from "./markdown-table.ts";

export async function help(args: string, ui: CommandUi, catalog: SlashCatalog): Promise<void> {
  const topic = args.trim().replace(/^\//, "").toLowerCase();
  if (topic === "") return ui.act({ kind: "help" });
  if (topic === "keys") return ui.act({ kind: "keys" });
  const found = catalog.entries.find(({ name, aliases }) => name === topic || aliases.includes(topic));
  if (!found) throw new Error(catalog.unknown(topic));
  ui.note(about(found));
}

function about({ name, aliases, args, about: what, whileBusy }: SlashEntry): string {
  const also = aliases.length > 0 ? ` Also ${aliases.map((alias) => inCode(`/${alias}`)).join(", ")}.` : "";
  const when = whileBusy ? "" : " Not while a turn runs.";
  return `${inCode(`/${name} ${args}`.trim())}\n\n${what.charAt(0).toUpperCase()}${what.slice(1)}.${also}${when}`;
}

export async function releaseNotes(_args: string, ui: CommandUi, _context: SlashContext): Promise<void> {
  ui.show(`What is new (this is ${VERSION})`, unwrapped(RELEASE_NOTES));
}

/** The file is broken into lines for editors; here the screen's width breaks them. */
export const unwrapped = (markdown: string): string => markdown.replaceAll(/(?<=\S)\n *(?=[^\s#*-])/g, " ");

/** Nothing is sent from here: whoever reports decides what goes along. */
export async function feedback(_args: string, ui: CommandUi, { host, places, env }: SlashContext): Promise<void> {
  const { session } = host.engine();
  ui.note(
    [
      "A report is of most use with what was done, what was expected and what came instead, and with these:",
      `- version ${VERSION}, ${process.platform} ${process.arch}, terminal ${inCode(env.TERM ?? "unknown")}`,
      `- the end of the developer log in ${inCode(`${places.home}/logs`)} (start with \`--debug\` for more of it)`,
      `- if it may be shown, the session: ${inCode(session.path)}, or \`/export\`. It holds all that was said and read.`,
      "",
      "`/doctor` looks whether something is missing. Send it where you got khaelor from; nothing is sent from here.",
    ].join("\n"),
  );
}

export async function terminalSetup(_args: string, ui: CommandUi, { env }: SlashContext): Promise<void> {
  ui.note([...TERMINAL, ...(env.TMUX ? TMUX : []), ...(env.SSH_CONNECTION ? SSH : [])].join("\n"));
}

const TERMINAL = [
  "- A new line: Ctrl+J works everywhere, a backslash before Enter too. Shift+Enter needs a terminal that reports it (kitty's keyboard protocol).",
  "- Colours: `COLORTERM=truecolor` says that the terminal has all of them. `NO_COLOR=1` takes them away. `/theme` chooses light or dark.",
  "- The mouse: hold Shift to select as without khaelor, or `/mouse`.",
];

const TMUX = [
  "- tmux: `set -g set-clipboard on` lets what is copied reach your clipboard, `set -g extended-keys on` lets Shift+Enter through,",
  '  `set -as terminal-features ",*:RGB"` gives all colours, and `set -g focus-events on` tells when you look away.',
];

const SSH = ["- Over SSH what is copied travels through the terminal itself, which has to allow it (OSC 52)."];
