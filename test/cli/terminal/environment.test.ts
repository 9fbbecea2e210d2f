/** The colours, the theme and the pace that a terminal gets, by what its environment says. */
import { expect, test } from "bun:test";
import { screenOptions } from "../../../src/cli/terminal/environment.ts";

const WISHES = { theme: "auto", mouse: true, alternateScreen: true } as const;
type Environment = Readonly<Record<string, string>>;

const DEPTHS: readonly (readonly [depth: string, env: Environment, color?: string])[] = [
  ["full", { TERM: "xterm-256color", COLORTERM: "truecolor" }],
  ["full", { TERM: "xterm", COLORTERM: "24bit" }],
  ["full", { TERM: "xterm-direct" }],
  ["full", { TERM: "xterm-kitty" }],
  ["full", { TERM: "alacritty" }],
  ["full", { TERM: "xterm-256color", TERM_PROGRAM: "iTerm.app" }],
  ["full", { TERM: "xterm-256color", WT_SESSION: "1" }],
  ["full", { TERM: "tmux-256color", COLORTERM: "truecolor", TMUX: "/tmp/x" }],
  ["256", { TERM: "xterm-256color" }],
  ["256", { TERM: "tmux-256color" }],
  ["256", { TERM: "xterm-256color", TERM_PROGRAM: "Apple_Terminal" }],
  ["256", { TERM: "screen-256color", COLORTERM: "truecolor", STY: "1.pts" }],
  ["16", { TERM: "screen", COLORTERM: "truecolor", STY: "1.pts" }],
  ["16", { TERM: "xterm" }],
  ["16", { TERM: "linux" }],
  ["16", { TERM: "vt220", COLORTERM: "yes" }],
  ["none", { TERM: "vt100" }],
  ["none", { TERM: "dumb", COLORTERM: "truecolor" }],
  ["none", { COLORTERM: "truecolor" }],
  ["none", { TERM: "xterm-256color", COLORTERM: "truecolor", NO_COLOR: "1" }],
  ["full", { TERM: "xterm-256color", COLORTERM: "truecolor", NO_COLOR: "" }],
  ["full", { TERM: "xterm-256color", COLORTERM: "truecolor", NO_COLOR: "1" }, "always"],
  ["16", { TERM: "vt100" }, "always"],
  ["none", { TERM: "xterm-256color", COLORTERM: "truecolor" }, "never"],
  ["none", { TERM: "xterm-256color", NO_COLOR: "1", FORCE_COLOR: "3" }],
  ["full", { TERM: "xterm", FORCE_COLOR: "3" }],
  ["256", { TERM: "xterm", FORCE_COLOR: "2" }],
  ["16", { TERM: "xterm-256color", FORCE_COLOR: "1" }],
  ["none", { TERM: "xterm-256color", FORCE_COLOR: "0" }],
  ["256", { TERM: "xterm-256color", FORCE_COLOR: "what" }],
];

test.each(DEPTHS.map(([depth, env, color = "auto"]) => [depth, env, color] as const))(
  "%s for %j %s",
  (depth, env, color) => {
    expect(screenOptions(env, { ...WISHES, color }).depth as string).toBe(depth);
  },
);

test("what the user wishes is passed on", () => {
  const env = { TERM: "xterm-256color", COLORFGBG: "15;0" };
  expect(screenOptions(env, { theme: "light", mouse: false, alternateScreen: false })).toEqual({
    mode: "light",
    depth: "256",
    mouse: false,
    alternateScreen: false,
    maxFps: 30,
  });
});

test("a background that is told by its index makes the theme", () => {
  const modes = ["0;15", "15;0", "0;default;15", "7;8", "0;7", "", "what"].map(
    (COLORFGBG) => screenOptions({ COLORFGBG }, WISHES).mode,
  );
  expect(modes).toEqual(["light", "dark", "light", "dark", "light", "dark", "dark"]);
});

test("over a network fewer frames are drawn", () => {
  const paces = [{ SSH_TTY: "/dev/pts/1" }, { SSH_CONNECTION: "a" }, { SSH_CLIENT: "b" }, { SSH_TTY: "" }, {}].map(
    (env) => screenOptions(env, WISHES).maxFps,
  );
  expect(paces).toEqual([20, 20, 20, 30, 30]);
});
