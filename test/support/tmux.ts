/** The same terminal over a real tmux: a server of its own, without anybody's configuration, gone when it is closed. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Ended, matches, type Terminal, type TerminalOptions, terminalEnv, tooLate, WAIT_MS } from "./terminal.ts";
import { colorsInRow } from "./terminal-colors.ts";
import { keyBytes } from "./terminal-keys.ts";

export const hasTmux = (): boolean => Bun.which("tmux") !== null;

export interface Tmux extends Terminal {
  /** Another look at the server, such as `["show-buffer"]`. */
  ask(args: readonly string[]): string;
  /** With the sequences that make its colours. */
  styledScreen(): string;
}

export async function openTmux(options: TerminalOptions): Promise<Tmux> {
  const { command, cols = 100, rows = 30, cwd } = options;
  const folder = mkdtempSync(join(tmpdir(), "khaelor-tmux-"));
  const socket = join(folder, "socket");
  const { TERM: _outer, ...env } = terminalEnv(options.env);
  const tmux = (args: readonly string[], input?: string): string => {
    const ran = Bun.spawnSync(["tmux", "-S", socket, "-f", "/dev/null", ...args], {
      env,
      stdin: input === undefined ? "ignore" : Buffer.from(input),
      stdout: "pipe",
      stderr: "pipe",
    });
    if (ran.exitCode !== 0) throw new Error(`tmux ${args.join(" ")}: ${ran.stderr}`);
    return ran.stdout.toString();
  };
  const size = ["-x", `${cols}`, "-y", `${rows}`];
  const told = options.env.TERM === undefined ? [] : ["-e", `TERM=${options.env.TERM}`];
  // The exit status stays readable after the end, and the pane with it.
  tmux(["new-session", "-d", ...size, "-c", cwd, ...told, "cat", ";", "set", "-g", "remain-on-exit", "on"]);
  tmux(["set", "-g", "escape-time", "0", ";", "set", "-g", "status", "off"]);
  tmux(["respawn-pane", "-k", "-c", cwd, ...told, "--", ...command]);
  const pane = (format: string) => tmux(["display-message", "-p", format]).trimEnd();
  const pid = Number(pane("#{pane_pid}"));
  const screen = () => tmux(["capture-pane", "-p"]).replace(/ +$/gm, "").trimEnd();
  let isOpen = true;
  const exited = (async (): Promise<Ended> => {
    // A pane is dead as soon as nobody holds its terminal; how the program ended comes after it, and is sometimes never told.
    for (let looks = 0; looks < 50 && isOpen; await Bun.sleep(30)) {
      const [isDead, code = "", signal = ""] = pane("#{pane_dead},#{pane_dead_status},#{pane_dead_signal}").split(",");
      if (code !== "" || signal !== "") return { code: code === "" ? null : Number(code), signal: signal || null };
      if (isDead === "1") looks++;
    }
    return { code: null, signal: null };
  })();
  const send = (text: string) => void tmux(["send-keys", "-l", "--", text]);
  return {
    pid,
    type: send,
    key: (...names) => names.forEach((name) => void send(keyBytes(name))),
    paste(text) {
      tmux(["load-buffer", "-"], text);
      tmux(["paste-buffer", "-p"]);
    },
    resize: (width, height) => void tmux(["resize-window", "-x", `${width}`, "-y", `${height}`]),
    screen,
    styledScreen: () => tmux(["capture-pane", "-p", "-e"]).trimEnd(),
    row: (index) => tmux(["capture-pane", "-p"]).split("\n").slice(0, -1).at(index)?.trimEnd() ?? "",
    cursor() {
      const [x = 0, y = 0] = pane("#{cursor_x},#{cursor_y}").split(",").map(Number);
      return { x, y };
    },
    colors: (x, y) => colorsInRow(tmux(["capture-pane", "-p", "-e"]).split("\n"), x, y),
    async waitFor(wanted, boundMs = WAIT_MS) {
      const giveUpAt = Date.now() + boundMs;
      while (!matches(screen(), wanted)) {
        if (Date.now() > giveUpAt) throw tooLate(wanted, screen());
        await Bun.sleep(30);
      }
    },
    ask: tmux,
    exited,
    kill: (signal) => process.kill(pid, signal),
    async close() {
      isOpen = false;
      await exited;
      tmux(["kill-server"]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
