/** What the bundler supplies. Prose lies beside the code that sends it: `import prose from "./read.md" with { type: "text" }`. */
declare module "*.md" {
  const text: string;
  export default text;
}

/** The version, put in by `scripts/build.ts`; running from source there is none, so ask `typeof` first. */
declare const KHAELOR_VERSION: string | undefined;
