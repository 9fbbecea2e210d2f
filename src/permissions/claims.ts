/** A claim: one thing that an access needs, with all that is known for judging it. Made by `capabilities.ts`, judged by `evaluator.ts`. */
import type { Capability } from "../shared/index.ts";
import type { WideText } from "./command-text.ts";

export interface Claim {
  readonly capability: Capability;
  /** For people: the command or the path. */
  readonly text: string;
  /** What allow rules are matched against; a path also in its other spellings. */
  readonly subjects: readonly string[];
  /** What deny and ask rules are matched against besides; for commands those of `process.execute` count as well. */
  readonly wide: WideText | undefined;
  /** A path that stands for others by a wildcard. */
  readonly wildcard: boolean;
  /** A path that is removed with all below it. */
  readonly tree?: boolean;
  /** Denied whatever anybody says. */
  readonly floor?: string;
  /** Asks unless an exact rule allows it. */
  readonly guard?: string;
  /** Asks because it cannot be told what it is; `broken` holds in every mode. */
  readonly unresolved?: string;
  readonly broken?: boolean;
  /** Allowed when no rule matches, with the reason; else the reason for asking. */
  readonly byDefault: "allow" | "ask";
  readonly why: string;
  /** Changes nothing: what plan mode lets through. */
  readonly reads: boolean;
  /** Only changes files of the project: what accept-edits lets through. */
  readonly edits: boolean;
  /** Looked at only for the floor (`guess`) or for the floor, guards and deny rules (`wrapper`). */
  readonly role: "run" | "wrapper" | "guess";
}

export const claim = (given: Partial<Claim> & Pick<Claim, "capability" | "text" | "why">): Claim => ({
  subjects: [given.text],
  wide: undefined,
  wildcard: false,
  byDefault: "ask",
  reads: false,
  edits: false,
  role: "run",
  ...given,
});
