/** What is new in each version, put in by the build as the version is. */
export const RELEASE_NOTES: string =
  typeof KHAELOR_RELEASE_NOTES === "string" ? KHAELOR_RELEASE_NOTES : "Run from source: CHANGELOG.md has them.";
