/**
 * Whom the key is shown to is decided by certificates. The user may name more of them, as a company's proxy needs it; a
 * repository may not: a file that lies in it is refused, and so is one that is named from wherever the program is started.
 */
import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { EXIT, UserError } from "../shared/index.ts";
import { resolveRealPath } from "./real-path.ts";
import type { Environment } from "./settings.ts";

/** What the runtime reads its certificates from. */
const NAMES = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"];

/** `cwd` is the working directory. Throws UserError; called before the key is used. */
export function refuseCertificatesOfProject(env: Environment, cwd: string): void {
  for (const name of NAMES) {
    const path = env[name];
    if (!path) continue;
    const project = projectAround(cwd);
    const isHome = env.HOME !== undefined && (env.HOME === project || liesIn(env.HOME, project)); // then all is the user's own
    if (isAbsolute(path) && (isHome || !liesIn(path, project))) continue;
    throw new UserError(
      `${name} names ${JSON.stringify(path)}, which lies in this project or depends on where khaelor is started: a repository must not decide to whom your key is shown. Name an absolute path outside of it, or unset the variable.`,
      EXIT.usage,
    );
  }
}

/** By its name, and by where it really lies. What cannot be told counts as inside. */
function liesIn(path: string, folder: string): boolean {
  const [real, realFolder] = [resolveRealPath(path), resolveRealPath(folder)];
  if (real === undefined || realFolder === undefined) return true;
  return [path, real].some((one) =>
    [folder, realFolder].some((root) => one.startsWith(root === "/" ? root : `${root}/`)),
  );
}

/** From the nearest folder with a `.git` on, else from the working directory. */
function projectAround(cwd: string): string {
  for (let folder = cwd; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
  }
  return cwd;
}
