/** The program's version, put in by the build. Run from source there is no released version to speak of. */
declare const KHAELOR_VERSION: string | undefined;

export const VERSION: string = typeof KHAELOR_VERSION === "string" ? KHAELOR_VERSION : "0.0.0-source";
