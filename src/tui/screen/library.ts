/** The library's native part. It is loaded before anything is drawn, so that it can be missing without harm. */
import { resolveRenderLib, setRenderLibPath } from "@opentui/core";

/** Throws when it cannot be had; then another file can be tried. Without a path it is the one that is built in. */
export function loadLibrary(path?: string): void {
  if (path !== undefined) setRenderLibPath(path);
  resolveRenderLib();
}
