/** Keeping a whole output beside the result that is cut, as far as there is room: where there is none, the result says so. */
import type { Workspace } from "../workspace/index.ts";
import type { ToolContext } from "./define.ts";
import type { Spill } from "./output-text.ts";

type Room = Pick<ToolContext, "spillFile" | "spillRoom">;

/** For a command: where the workspace may write what is more than it keeps. */
export function spillOptions({ spillFile, spillRoom }: Room) {
  if (!spillRoom) return { spillFile };
  return spillRoom.bytes > 0 ? { spillFile, maxSpillBytes: Math.min(spillRoom.bytes, MAX_SPILL_BYTES) } : {};
}

/** Of one output, as the workspace has it by default. */
const MAX_SPILL_BYTES = 64 * 1024 * 1024;

/** Writes what the caller holds whole. */
export async function keepWhole(content: Uint8Array, workspace: Workspace, room: Room): Promise<Spill> {
  const { bytes, why } = room.spillRoom ?? { bytes: MAX_SPILL_BYTES };
  if (content.length > bytes) return { trouble: why ?? NO_ROOM };
  const written = await workspace.writeFile(room.spillFile, content, { mode: 0o600, masked: true });
  return written.ok ? { file: written.value.realPath } : { trouble: written.error.message };
}

/** Why the workspace was given no file. */
export const noSpill = ({ spillRoom }: Room): Spill =>
  spillRoom?.bytes === 0 ? { trouble: spillRoom.why ?? NO_ROOM } : {};

const NO_ROOM = "there is no room for it";
