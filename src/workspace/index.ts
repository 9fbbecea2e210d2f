/** The door of the world seam: files and processes, and nothing else of the machine. */
export { visibleEnvironment } from "./environment.ts";
export { createLocalWorkspace, type LocalWorkspace, type LocalWorkspaceOptions } from "./local.ts";
export { localDay } from "./local-day.ts";
export type { BackgroundProcess, ProcessExit, ProcessHost, ProcessStart } from "./process-types.ts";
export { createRipgrep, type Ripgrep, type RipgrepOptions } from "./ripgrep.ts";
export type { Shipped, ShippedFile } from "./shipped-ripgrep.ts";
export type {
  Command,
  ExecError,
  FileContent,
  FileError,
  ProcessResult,
  ReadOptions,
  Workspace,
  WriteOptions,
  WriteReceipt,
} from "./types.ts";
