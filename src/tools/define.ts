/**
 * What a tool is: a name, the prose a model reads, its parameters as plain data, what a call touches, and how it runs.
 * A tool knows no log, no bus and no permissions; it declares what it touches and returns facts.
 */
import type { Access, DiffStats, Infer, Payload, ToolErrorKind, Valid } from "../shared/index.ts";

/** What a running call is given. Valid until `execute` settles. */
export interface ToolContext {
  /** Absent when no call of the model's is behind it. */
  readonly toolUseId?: string;
  /** Aborts with the turn; a tool stops within 250 ms and returns what it has. */
  readonly signal: AbortSignal;
  /** Live output for a screen, raw; the runtime cleans it. */
  readonly emitOutput: (chunk: string) => void;
  /** Stores the content that a write is about to replace (null: there was no file). Awaited before the write. */
  readonly beforeWrite: (path: string, before: Uint8Array | null) => Promise<void>;
  /** The hash of this file as the model last saw or left it in this session, by real path; undefined if it never did. */
  readonly lastSeenSha256: (realPath: string) => string | undefined;
  /** Where this call's whole output may be kept. */
  readonly spillFile: string;
  /** How much of it may be kept. Absent: as much as of any output. */
  readonly spillRoom?: SpillRoom;
  /** How many bytes of result text the call may return. */
  readonly maxResultBytes: number;
}

export interface SpillRoom {
  /** 0: nothing may be kept. */
  readonly bytes: number;
  /** Then why, and what to do about it, in words for the result. */
  readonly why?: string;
}

export interface ToolResult {
  /** What the model reads: never blank, well-formed, within `maxResultBytes`. */
  readonly modelText: string;
  /** Present when the call failed: the result is then sent as an error. */
  readonly errorKind?: ToolErrorKind;
  /** Of what was to be read stands in it: lines, or the names in a folder, which is a failure all the same. */
  readonly shows?: "lines" | "names";
  readonly spillFile?: string;
  readonly ui: Payload<"tool.completed">["ui"];
  /** Facts name a file by its absolute path after links. */
  readonly read?: readonly FileReadFact[];
  readonly modified?: readonly FileModifiedFact[];
}

export type FileReadFact = Omit<Payload<"file.read">, "toolUseId">;
export type FileModifiedFact = Omit<Payload<"file.modified">, "toolUseId">;
export type { DiffStats };

export interface ToolDefinition {
  readonly name: string;
  /** The prose of the tool's .md file, in the cached prefix of every request. */
  readonly description: string;
  /** At most five properties, with descriptions; plain data in arktype's syntax. */
  readonly parameters: unknown;
  /** A call that changes nothing needs no sync before it runs. */
  readonly readOnly: boolean;
  /** What a call with this input touches. Called only with input that fits `parameters`. */
  readonly access: (input: unknown, cwd: string) => readonly Access[];
  readonly execute: (input: unknown, context: ToolContext) => Promise<ToolResult>;
}

interface ToolShape<def> {
  readonly name: string;
  readonly description: string;
  readonly parameters: Valid<def>;
  readonly readOnly: boolean;
  readonly access: (input: Infer<def>, cwd: string) => readonly Access[];
  readonly execute: (input: Infer<def>, context: ToolContext) => Promise<ToolResult>;
}

/** Types `access` and `execute` by the parameters. The runtime calls them only after `accepts(parameters, input)`. */
export const defineTool = <const def>(shape: ToolShape<def>): ToolDefinition => shape as unknown as ToolDefinition;
