/** `/doctor`: short looks at what everything else stands on. Each says what it found, and a bad one what to do. Changes nothing. */
import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { problemLines, readCredential } from "../../config/index.ts";
import { errorMessage } from "../../shared/index.ts";
import type { CommandUi } from "../../tui/index.ts";
import { createRipgrep } from "../../workspace/index.ts";
import { loadFor } from "../configuration.ts";
import { VERSION } from "../version.ts";
import { sizeText } from "../words.ts";
import type { SlashContext } from "./define.ts";
import { markdownTable } from "./markdown-table.ts";

interface Finding {
  readonly name: string;
  readonly isGood: boolean;
  readonly words: string;
}

type Look = (context: SlashContext) => Finding | Promise<Finding>;

export async function doctor(_args: string, ui: CommandUi, context: SlashContext): Promise<void> {
  const found = await Promise.all(LOOKS.map((look) => look(context)));
  const table = markdownTable(
    ["", "", ""],
    found.map(({ name, isGood, words }) => [isGood ? "✓" : "✗", `**${name}**`, words]),
  );
  const bad = found.filter(({ isGood }) => !isGood).length;
  const end = bad === 0 ? "All is well." : bad === 1 ? "One thing needs you." : `${bad} things need you.`;
  ui.note([`khaelor ${VERSION}`, "", table, "", end].join("\n"));
}

function terminal({ env }: SlashContext): Finding {
  const { columns, rows, isTTY } = process.stdout;
  const size = isTTY ? `${columns}×${rows}` : "not a terminal";
  const colors = env.NO_COLOR
    ? "no colours (NO_COLOR)"
    : env.COLORTERM
      ? `colours ${env.COLORTERM}`
      : "colours as TERM says";
  const inside = env.TMUX ? ", in tmux" : env.SSH_CONNECTION ? ", over SSH" : "";
  const term = env.TERM ?? "";
  return {
    name: "terminal",
    isGood: isTTY === true && term !== "",
    words: `${term || "TERM is not set"}, ${size}, ${colors}${inside}`,
  };
}

async function key({ places, env }: SlashContext): Promise<Finding> {
  const found = await readCredential(places.home, env);
  if (!found.ok) return { name: "key", isGood: false, words: found.error };
  if (!found.value) return { name: "key", isGood: false, words: "there is none: `/login`" };
  return {
    name: "key",
    isGood: true,
    words: `a ${found.value.kind === "token" ? "token" : "key"} is there; the first request shows whether it is valid`,
  };
}

/** The first line that a program says of its version. */
async function versionOf(program: string, { host }: SlashContext): Promise<string | undefined> {
  const ran = await host.engine().workspace.exec({ command: `${program} --version`, timeoutMs: 5_000 });
  if (!ran.ok || ran.value.exitCode !== 0) return undefined;
  return new TextDecoder().decode(ran.value.head).split("\n", 1)[0];
}

async function git(context: SlashContext): Promise<Finding> {
  const version = await versionOf("git", context);
  const root = existsSync(join(context.host.engine().projectRoot, ".git"));
  const where = root
    ? "this folder is a repository"
    : "this folder is no repository, so /diff knows only KHAELOR's own changes";
  if (version === undefined)
    return { name: "git", isGood: false, words: "cannot be run: changes by commands are found by size and time alone" };
  return { name: "git", isGood: true, words: `${version}; ${where}` };
}

async function search({ places }: SlashContext): Promise<Finding> {
  const found = await createRipgrep({ cacheFolder: join(places.home, "cache") }).program();
  const words = found.ok ? `ripgrep is ready (${found.value})` : found.error;
  return { name: "search", isGood: found.ok, words };
}

async function configuration({ host, ...wanted }: SlashContext): Promise<Finding> {
  const found = await loadFor(wanted, host.engine().projectRoot);
  const problems = found.ok ? problemLines(found.value.warnings) : problemLines(found.error);
  const words = problems.length === 0 ? "can be read, nothing is strange in it" : problems.join("; ");
  return { name: "configuration", isGood: problems.length === 0, words };
}

const LEAST_FREE = 100 * 1024 * 1024;

function disk({ places }: SlashContext): Finding {
  const folder = existsSync(places.home) ? places.home : places.userHome;
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    const free = bavail * bsize;
    return { name: "disk", isGood: free >= LEAST_FREE, words: `${sizeText(free)} free for ${places.home}` };
  } catch (error) {
    return { name: "disk", isGood: false, words: `${folder} cannot be written: ${errorMessage(error)}` };
  }
}

async function log({ host }: SlashContext): Promise<Finding> {
  const { store, session } = host.engine();
  const { verdict, damage } = await store.check(session.id);
  const words = damage[0]
    ? `damaged from line ${damage[0].line} on: ${damage[0].reason}`
    : "this session's log is sound";
  return { name: "log", isGood: verdict === "ok", words };
}

const LOOKS: readonly Look[] = [terminal, key, git, search, configuration, disk, log];
