/**
 * The terminal's own settings, through libc: read before anything changes them, so that they can be put back exactly. It takes
 * a third of a millisecond where the runtime's streams take nine, and the first frame waits for it. Where libc is not found
 * everything here says so, and the streams have to do.
 */
import { dlopen } from "bun:ffi";
import { readSync } from "node:fs";

const MUSL = `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`;
const LIBRARIES = process.platform === "darwin" ? ["libSystem.B.dylib"] : ["libc.so.6", MUSL];
/** More than a `struct termios` of any system. */
const SETTINGS_BYTES = 256;
const TCSANOW = 0;
const TIOCGWINSZ = 0x5413n;
const FIONREAD = 0x541bn;
const STDIN = 0;

interface Libc {
  readonly tcgetattr: (fd: number, settings: Uint8Array) => number;
  readonly tcsetattr: (fd: number, when: number, settings: Uint8Array) => number;
  readonly cfmakeraw: (settings: Uint8Array) => void;
  readonly ioctl: (fd: number, request: bigint, answer: Uint16Array | Int32Array) => number;
  readonly tcgetpgrp: (fd: number) => number;
  readonly getpgrp: () => number;
}

let loaded: Libc | undefined;
let isMissing = false;

function libc(): Libc | undefined {
  if (loaded || isMissing) return loaded;
  for (const name of LIBRARIES) {
    try {
      loaded = dlopen(name, {
        tcgetattr: { args: ["i32", "ptr"], returns: "i32" },
        tcsetattr: { args: ["i32", "i32", "ptr"], returns: "i32" },
        cfmakeraw: { args: ["ptr"], returns: "void" },
        ioctl: { args: ["i32", "u64", "ptr"], returns: "i32" },
        tcgetpgrp: { args: ["i32"], returns: "i32" },
        getpgrp: { args: [], returns: "i32" },
      }).symbols;
      return loaded;
    } catch {
      // Not this libc: the next name is tried, and having none is an outcome of its own.
    }
  }
  isMissing = true;
  return undefined;
}

/** A shell that brings it to the front means it; so often it may have meant the background. */
const MOST_STOPS = 8;

/** Started behind a shell's back, the program stops before it touches the terminal, and goes on once the terminal is given to it. */
export function waitForForeground(): void {
  const calls = libc();
  if (!calls) return;
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    const owner = calls.tcgetpgrp(STDIN);
    if (owner <= 0 || owner === calls.getpgrp()) return;
    process.kill(process.pid, "SIGTTOU"); // as the system does when the settings are changed, which is later
  }
}

export interface TtySettings {
  readonly bytes: Uint8Array;
}

/** Whether this descriptor is a terminal. */
export function isTerminal(fd: 0 | 1): boolean {
  const calls = libc();
  if (calls) return calls.tcgetattr(fd, new Uint8Array(SETTINGS_BYTES)) === 0;
  return (fd === 0 ? process.stdin : process.stdout).isTTY === true;
}

/** Undefined where they cannot be had. */
export function readSettings(): TtySettings | undefined {
  const bytes = new Uint8Array(SETTINGS_BYTES);
  return libc()?.tcgetattr(STDIN, bytes) === 0 ? { bytes } : undefined;
}

/** At once, and without losing what is typed. False when the terminal is gone. */
export const writeSettings = ({ bytes }: TtySettings): boolean => libc()?.tcsetattr(STDIN, TCSANOW, bytes) === 0;

/** The same with every key passed on as it is. */
export function rawSettings({ bytes }: TtySettings): TtySettings {
  const raw = bytes.slice();
  libc()?.cfmakeraw(raw);
  return { bytes: raw };
}

/** Where the flags for what is typed stand, and the one that shows it. */
const LOCAL_FLAGS = process.platform === "darwin" ? 24 : 12;
const ECHO = 0x8;

/** The same without showing what is typed. */
export function unseenSettings({ bytes }: TtySettings): TtySettings {
  const unseen = bytes.slice();
  unseen[LOCAL_FLAGS] = (unseen[LOCAL_FLAGS] ?? 0) & ~ECHO;
  return { bytes: unseen };
}

/** What is typed and not read yet. Empty where it is not known how much that is, for then reading could wait. */
export function readWaiting(): Uint8Array {
  const count = new Int32Array(1);
  const isKnown = process.platform === "linux" && libc()?.ioctl(STDIN, FIONREAD, count) === 0;
  const bytes = new Uint8Array(isKnown ? (count[0] ?? 0) : 0);
  return bytes.length === 0 ? bytes : bytes.subarray(0, readSync(STDIN, bytes));
}

export interface TtySize {
  readonly columns: number;
  readonly rows: number;
}

export function terminalSize(): TtySize {
  const size = new Uint16Array(4);
  // Apple's arm64 passes the third argument of ioctl where this call does not put it.
  const isAsked = process.platform === "linux" && libc()?.ioctl(1, TIOCGWINSZ, size) === 0;
  const [rows = 0, columns = 0] = isAsked ? size : [process.stdout.rows, process.stdout.columns];
  return { columns: columns || 80, rows: rows || 24 };
}

/** As `stty` takes them; undefined where their layout is not known. */
export function sttyForm({ bytes }: TtySettings): string | undefined {
  if (process.platform !== "linux") return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const flags = [0, 4, 8, 12].map((at) => view.getUint32(at, true));
  const characters = bytes.subarray(17, 17 + 32);
  return [...flags, ...characters].map((part) => part.toString(16)).join(":");
}
