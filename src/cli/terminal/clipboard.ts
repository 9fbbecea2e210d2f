/** Hands text to a clipboard of this machine: tmux's, which also passes it on to the terminal, or the desktop's. */
import type { Environment } from "../settings.ts";
import { feedProgram, findProgram } from "./programs.ts";

const BOUND_MS = 3_000;

export interface ClipboardParts {
  readonly env: Environment;
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
}

/** True: a program took it. Whether it arrived where the user pastes nobody can know. */
export async function copyText(text: string, { env, cwd, platform }: ClipboardParts): Promise<boolean> {
  for (const words of clipboardsOf(env, platform)) {
    const [name = "", ...rest] = words;
    const path = findProgram(name, env);
    if (path && (await feedProgram({ words: [path, ...rest], env, cwd, input: text }, BOUND_MS))) return true;
  }
  return false;
}

/** In the order in which they are tried. Over a remote login the desktop here is nobody's. */
export function clipboardsOf(env: Environment, platform: NodeJS.Platform): readonly (readonly string[])[] {
  const isRemote = Boolean(env.SSH_CONNECTION || env.SSH_TTY);
  return [...(env.TMUX ? [["tmux", "load-buffer", "-w", "-"]] : []), ...(isRemote ? [] : desktopOf(env, platform))];
}

function desktopOf(env: Environment, platform: NodeJS.Platform): readonly (readonly string[])[] {
  if (platform === "darwin") return [["pbcopy"]];
  return [
    ...(env.WAYLAND_DISPLAY ? [["wl-copy"]] : []),
    ...(env.DISPLAY
      ? [
          ["xclip", "-selection", "clipboard", "-in"],
          ["xsel", "--clipboard", "--input"],
        ]
      : []),
    ...(env.WSL_DISTRO_NAME ? [["clip.exe"]] : []),
  ];
}
