/** What the user switches on the screen itself: theme, mouse, vim keys, folds. Nothing of it is recorded. */
import type { TerminalSettings } from "../ports.ts";
import type { ThemeMode } from "../view/theme.ts";
import type { Core } from "./core.ts";

export type Toggle = "mouse" | "vim" | "thinking" | "details";

export interface Toggles {
  toggle(what: Toggle): void;
  theme(wanted: TerminalSettings["theme"]): void;
  /** The terminal said what it is. */
  terminalMode(mode: ThemeMode): void;
  mode(): ThemeMode;
  isMouseFree(): boolean;
  isVim(): boolean;
}

type ToggleParts = Pick<Core, "screen" | "transcript" | "say" | "redraw"> & {
  readonly settings: Pick<TerminalSettings, "theme" | "mouse" | "vim">;
  /** What the terminal is taken for until it says so. */
  readonly mode: ThemeMode;
  readonly onVim: (isOn: boolean) => void;
};

export function createToggles({ screen, transcript, say, redraw, settings, mode, onVim }: ToggleParts): Toggles {
  const state = { theme: settings.theme, terminal: mode, hasMouse: settings.mouse, isVim: settings.vim };
  const current = () => (state.theme === "auto" ? state.terminal : state.theme);
  const kinds: Readonly<Record<Toggle, () => void>> = {
    mouse() {
      state.hasMouse = !state.hasMouse;
      screen().setMouse(state.hasMouse);
      say(state.hasMouse ? "The mouse scrolls, folds and selects here." : "The mouse is the terminal's own.");
    },
    vim() {
      state.isVim = !state.isVim;
      onVim(state.isVim);
      say(state.isVim ? "Vim keys are on." : "Vim keys are off.");
    },
    thinking: () => say(transcript.toggleAll("thinking") ? "Thinking is shown." : "Thinking is folded."),
    details: () => say(transcript.toggleAll("details") ? "Every card is open." : "Every card is folded."),
  };
  return {
    toggle(what) {
      kinds[what]();
      redraw();
    },
    theme(wanted) {
      state.theme = wanted;
      screen().setTheme(current());
      say(`Theme: ${wanted}${wanted === "auto" ? ` (${current()})` : ""}`);
    },
    terminalMode(told) {
      state.terminal = told;
      if (state.theme === "auto") screen().setTheme(told);
    },
    mode: current,
    isMouseFree: () => !state.hasMouse,
    isVim: () => state.isVim,
  };
}
