/** A picture from the clipboard of this machine's desktop, as a file that a message can mention. Nothing else is taken from there. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256 } from "../../shared/index.ts";
import type { ClipboardParts } from "./clipboard.ts";
import { findProgram, programOutput } from "./programs.ts";

export type PastedPicture = { readonly path: string } | { readonly problem: string };

const BOUND_MS = 3_000;
/** More than any request takes; what is too large for one is told when it is mentioned. */
const MAX_BYTES = 32 * 1024 * 1024;

const NONE = "There is no picture in the clipboard. Text is pasted with your terminal's own key.";
const NOT_HERE =
  "The clipboard of a remote login cannot be read from here: copy the picture over and mention its path.";

export async function pastePicture({ env, cwd, platform }: ClipboardParts): Promise<PastedPicture> {
  if (env.SSH_CONNECTION || env.SSH_TTY) return { problem: NOT_HERE };
  const readers = readersOf(env, platform);
  const found = readers.flatMap(([name = "", ...rest]) => {
    const path = findProgram(name, env);
    return path === undefined ? [] : [[path, ...rest]];
  });
  if (found.length === 0) return { problem: missing(readers) };
  for (const words of found) {
    const bytes = pictureIn(await programOutput({ words, env, cwd }, { boundMs: BOUND_MS, maxBytes: MAX_BYTES }));
    if (bytes) return { path: kept(bytes) };
  }
  return { problem: NONE };
}

function readersOf(env: ClipboardParts["env"], platform: NodeJS.Platform): readonly (readonly string[])[] {
  if (platform === "darwin") return [["osascript", "-e", "the clipboard as «class PNGf»"]];
  return [
    ...(env.WAYLAND_DISPLAY ? [["wl-paste", "--no-newline", "--type", "image/png"]] : []),
    ...(env.DISPLAY ? [["xclip", "-selection", "clipboard", "-target", "image/png", "-out"]] : []),
  ];
}

function missing(readers: readonly (readonly string[])[]): string {
  const names = readers.map(([name = ""]) => name);
  return names.length === 0
    ? "There is no desktop here whose clipboard could be read: mention the picture's path."
    : `To paste pictures, install ${names.join(" or ")}; or mention the picture's path.`;
}

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");

/** macOS writes the bytes out as `«data PNGf8950…»`. */
function pictureIn(output: Buffer | undefined): Buffer | undefined {
  if (!output) return undefined;
  const [, digits] = output.subarray(0, 64).includes("PNGf") ? (/PNGf([\dA-F]+)/.exec(output.toString()) ?? []) : [];
  const bytes = digits === undefined ? output : Buffer.from(digits, "hex");
  return bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE) ? bytes : undefined;
}

/** In a folder of its own, for the user alone; it is read when the message is said, and the system clears it away. */
function kept(bytes: Buffer): string {
  const name = `pasted-${sha256(bytes).slice(0, 8)}.png`;
  const path = join(mkdtempSync(join(tmpdir(), "khaelor-")), name);
  writeFileSync(path, bytes, { mode: 0o600, flag: "wx" });
  return path;
}
