/** What a search may show: it reads many files on the strength of one consent, and must not show what reading one would refuse. */
import type { PermissionEvaluator } from "./types.ts";

/**
 * For a folder whose search has been allowed: which files below it may be shown. Those that may be read anyway, and those for
 * which the question would be the one that was answered for the folder. `root` and the files are absolute.
 */
export function readableBelow(
  evaluator: Pick<PermissionEvaluator, "evaluate">,
  root: string,
): (path: string) => boolean {
  const whole = evaluator.evaluate({ kind: "path", op: "read", path: root });
  const liesOutside = whole.capability === "filesystem.outsideProject";
  return (path) => {
    const { action, tier, because, capability } = evaluator.evaluate({ kind: "path", op: "read", path });
    if (action !== "ask") return action === "allow";
    if (whole.action === "ask" && because === whole.because) return true;
    // A rule may allow the folder by its name: nothing then speaks about what is in it but that it lies elsewhere.
    return liesOutside && tier === "default" && capability === "filesystem.outsideProject";
  };
}
