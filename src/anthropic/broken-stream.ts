/** The errors of a stream that was cut, stalled or makes no sense. They say what is wrong with it, not what follows from that. */

export type BrokenStreamCode =
  | "STREAM_CUT"
  | "STREAM_STALLED"
  | "STREAM_MALFORMED"
  | "STREAM_TOO_LARGE"
  | "NOT_A_STREAM";

/** The stream itself is at fault. `code` says how, for the classifier. */
export class BrokenStream extends Error {
  readonly code: BrokenStreamCode;
  constructor(message: string, { code, cause }: { readonly code: BrokenStreamCode; readonly cause?: unknown }) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "BrokenStream";
    this.code = code;
  }
}

export const malformed = (what: string): BrokenStream => new BrokenStream(what, { code: "STREAM_MALFORMED" });
