/** What other projects have recorded of the Messages API: answers, and where they kept them, the requests before them. */

export type Json = Readonly<Record<string, unknown>>;

/** One exchange, or an answer alone. */
export interface Recording {
  /** Position in its file, from 0. */
  readonly at: number;
  readonly request?: RecordedRequest;
  readonly status: number;
  /** The body of a streamed answer, as it came over the wire. */
  readonly stream?: Uint8Array;
  /** The body of any other answer. */
  readonly answer?: unknown;
}

export interface RecordedRequest {
  readonly endpoint: "messages" | "count_tokens";
  /** In lower case, as far as they were kept; credentials never are. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}

export interface RecordedFile {
  readonly path: string;
  readonly format: string;
  readonly recordings: readonly Recording[];
}

export interface Source {
  readonly name: string;
  /** Of the repository's head, or undefined outside a repository. */
  readonly commit: string | undefined;
  /** What may hold recordings, by its name. */
  readonly files: readonly SourceFile[];
}

export interface SourceFile {
  readonly path: string;
  /** Undefined when it is listed but not there, or larger than the bound. */
  read(): Uint8Array | undefined;
}

export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const jsonOf = (value: unknown): Json => (isJson(value) ? value : {});

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
