/** What the bundler supplies. Prose lies beside the code that sends it: `import prose from "./read.md" with { type: "text" }`. */
declare module "*.md" {
  const text: string;
  export default text;
}

/** The version, put in by `scripts/build.ts`; running from source there is none, so ask `typeof` first. */
declare const KHAELOR_VERSION: string | undefined;

/** CHANGELOG.md, put in likewise. */
declare const KHAELOR_RELEASE_NOTES: string | undefined;

/** A package's program, as the path of a file; only the package of the machine at hand is installed. */
declare module "@vscode/ripgrep-linux-x64/bin/rg" {
  const path: string;
  export default path;
}
declare module "@vscode/ripgrep-linux-arm64/bin/rg" {
  const path: string;
  export default path;
}
declare module "@vscode/ripgrep-darwin-x64/bin/rg" {
  const path: string;
  export default path;
}
declare module "@vscode/ripgrep-darwin-arm64/bin/rg" {
  const path: string;
  export default path;
}

/** The SHA-256 of the embedded ripgrep, put in by `scripts/build.ts`. */
declare const KHAELOR_RIPGREP_SHA256: string | undefined;
