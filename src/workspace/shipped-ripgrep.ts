/**
 * Which ripgrep is shipped for this machine: a file of the package when running from source, a file inside the executable when
 * compiled. Nothing of it is read here.
 */
import { errorCode, errorMessage } from "../shared/index.ts";

export interface ShippedFile {
  /** Absolute; inside the executable when `embedded`. */
  readonly path: string;
  /** It cannot be run where it lies. */
  readonly embedded: boolean;
  /** Of its bytes, when the build knew it. */
  readonly sha256?: string;
}

/** The reason is for people and models. */
export type Shipped = ShippedFile | { readonly missing: string };

/** Where the bundle of an executable lies. */
const INSIDE = "/$bunfs/";

export async function shippedRipgrep(): Promise<Shipped> {
  const path = await packageFile();
  if (typeof path !== "string") return path;
  const embedded = path.startsWith(INSIDE);
  const known = embedded && typeof KHAELOR_RIPGREP_SHA256 === "string";
  return { path, embedded, ...(known && { sha256: KHAELOR_RIPGREP_SHA256 }) };
}

async function packageFile(): Promise<string | { readonly missing: string }> {
  try {
    const path = await ofThisMachine();
    return path ?? { missing: `this version carries no ripgrep for ${process.platform} on ${process.arch}` };
  } catch (error) {
    if (errorCode(error) === undefined) throw error; // a package that is not installed has one
    return { missing: `its package is not installed (${errorMessage(error)}); run scripts/bun install` };
  }
}

/**
 * The conditions are literal, because the bundler then leaves the other branches out, with packages that are not there. The
 * files are written out for the same reason.
 */
async function ofThisMachine(): Promise<string | undefined> {
  if (process.platform === "linux" && process.arch === "x64")
    return (await import("@vscode/ripgrep-linux-x64/bin/rg", { with: { type: "file" } })).default;
  if (process.platform === "linux" && process.arch === "arm64")
    return (await import("@vscode/ripgrep-linux-arm64/bin/rg", { with: { type: "file" } })).default;
  if (process.platform === "darwin" && process.arch === "x64")
    return (await import("@vscode/ripgrep-darwin-x64/bin/rg", { with: { type: "file" } })).default;
  if (process.platform === "darwin" && process.arch === "arm64")
    return (await import("@vscode/ripgrep-darwin-arm64/bin/rg", { with: { type: "file" } })).default;
  return undefined;
}
