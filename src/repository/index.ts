/** The door of repository intelligence. */
export { isCheckCommand, leavesProject, mayBeCheck } from "./check-command.ts";
export { detectChecks } from "./checks.ts";
export { type GitDiff, gitDiff } from "./diff.ts";
export { createFileFinder, type FileFinder } from "./file-finder.ts";
export { type FileMap, type FileMapQuery, fileMap } from "./file-map.ts";
export { type Access, type Accesses, accessed, weightOf } from "./frecency.ts";
export { type Glob, type SplitGlob, splitGlob } from "./glob.ts";
export { createPictures, type Pictures } from "./picture/pictures.ts";
export type { Change, Keeper, Picture } from "./picture/types.ts";
export { type FirstBytes, findGitRoot } from "./project-root.ts";
export {
  placeAt,
  type RunEnding,
  type SearchPlace,
  type SearchPorts,
  type SearchTrouble,
} from "./ripgrep-run.ts";
export { runnableChecks } from "./runnable.ts";
export { type SearchFound, type SearchQuery, search } from "./search.ts";
export type { FoundFile, FoundRow } from "./search-tally.ts";
export type { MayShow } from "./shown.ts";
export { baselineOf, type GitSnapshot, gitSnapshot } from "./snapshot.ts";
