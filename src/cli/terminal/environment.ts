/** What the environment says of the terminal: how many colours it has, whether it is dark, how quick the way to it is. Pure. */
import type { ScreenOptions } from "../../tui/index.ts";
import type { Environment } from "../settings.ts";

type Depth = ScreenOptions["depth"];

export interface ScreenWishes {
  /** `--color`. */
  readonly color?: string | undefined;
  readonly theme: "auto" | "light" | "dark";
  readonly mouse: boolean;
  readonly alternateScreen: boolean;
}

export type EnvironmentOptions = Pick<ScreenOptions, "mode" | "depth" | "mouse" | "alternateScreen" | "maxFps">;

export function screenOptions(env: Environment, wishes: ScreenWishes): EnvironmentOptions {
  return {
    mode: wishes.theme === "auto" ? modeOf(env) : wishes.theme,
    depth: depthOf(env, wishes.color ?? "auto"),
    mouse: wishes.mouse,
    alternateScreen: wishes.alternateScreen,
    maxFps: isRemote(env) ? REMOTE_FPS : LOCAL_FPS,
  };
}

/** For what happens by itself: what the user does is painted at once. Twice as many show no more of a text, and cost twice as much. */
const LOCAL_FPS = 30;
/** A frame of a full screen is some kilobytes, and a slow link has to carry the keys as well. */
const REMOTE_FPS = 20;

const isRemote = (env: Environment): boolean =>
  [env.SSH_CONNECTION, env.SSH_CLIENT, env.SSH_TTY].some((value) => value !== undefined && value !== "");

/** The user's word first, then what is known of the terminal. */
function depthOf(env: Environment, color: string): Depth {
  if (color === "never") return "none";
  if (color !== "always") {
    if (env.NO_COLOR) return "none";
    const forced = env.FORCE_COLOR === undefined ? undefined : FORCED[env.FORCE_COLOR];
    if (forced) return forced;
  }
  const found = depthOfTerminal(env);
  return color === "always" && found === "none" ? "16" : found;
}

const FORCED: Readonly<Record<string, Depth>> = {
  "0": "none",
  false: "none",
  "1": "16",
  true: "16",
  "2": "256",
  "3": "full",
};

const FULL_TERMS = /-direct$|^xterm-(kitty|ghostty)|^(alacritty|foot|wezterm|contour|ghostty|kitty|rio)\b/;
const FULL_PROGRAMS: ReadonlySet<string> = new Set([
  "iTerm.app",
  "WezTerm",
  "vscode",
  "ghostty",
  "Hyper",
  "mintty",
  "rio",
]);
const FEW_COLOURS = /^(linux|xterm|screen|tmux|rxvt|ansi|cons25|cygwin|konsole|eterm)/;

function depthOfTerminal(env: Environment): Depth {
  const term = env.TERM ?? "";
  const has256 = /256/.test(term);
  if (term === "" || term === "dumb") return "none";
  if (env.STY) return has256 ? "256" : "16"; // GNU screen passes no more on, whatever terminal it was started in
  if (/^(truecolor|24bit)$/i.test(env.COLORTERM ?? "")) return "full";
  if (FULL_TERMS.test(term) || env.WT_SESSION || FULL_PROGRAMS.has(env.TERM_PROGRAM ?? "")) return "full";
  if (has256 || env.TERM_PROGRAM === "Apple_Terminal") return "256";
  return FEW_COLOURS.test(term) || env.COLORTERM ? "16" : "none";
}

/** The terminal itself tells it later, if it can. `COLORFGBG` ends with the index of the background. */
function modeOf({ COLORFGBG = "" }: Environment): ScreenOptions["mode"] {
  const background = Number(COLORFGBG.split(";").at(-1) || "0");
  return background === 7 || (background >= 9 && background <= 15) ? "light" : "dark";
}
