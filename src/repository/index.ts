/** The door of repository intelligence. */
export { isCheckCommand } from "./check-command.ts";
export { detectChecks } from "./checks.ts";
export { findGitRoot, findProjectRoot } from "./project-root.ts";
export { baselineOf, type GitSnapshot, gitSnapshot } from "./snapshot.ts";
