/** A conversation that another agent recorded, in the few things that every format has in common. Nothing here is of one format. */

export type Part =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly mediaType: string; readonly base64: string };

export type AnswerBlock =
  | { readonly type: "text"; readonly text: string }
  /** Its signature was made by another server over another prefix: worth nothing here, but whether there was one is counted. */
  | { readonly type: "thinking"; readonly thinking: string; readonly kind: "signed" | "unsigned" | "redacted" }
  | { readonly type: "call"; readonly id: string; readonly name: string; readonly input: unknown };

export interface Spent {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export interface Said {
  readonly kind: "said";
  readonly parts: readonly Part[];
  /** `program`: what the other agent put in by itself. `summary`: what stood in the place of an older part. */
  readonly by: "user" | "program" | "summary";
  /** The user stopped what was going on. */
  readonly stops?: true;
}

/** A command of the user's own, whose output the model was shown. */
export interface Shell {
  readonly kind: "shell";
  readonly command: string;
  readonly output: string;
  readonly exitCode: number | null;
}

export interface Answer {
  readonly kind: "answer";
  readonly blocks: readonly AnswerBlock[];
  /** `stopped`: by the user. `failed`: it never ended, and is no part of the conversation. */
  readonly end: "finished" | "stopped" | "failed";
  /** As the Messages API calls it; absent where it was not recorded. */
  readonly stopReason?: string;
  readonly failure?: string;
  readonly model?: string;
  readonly messageId?: string;
  readonly spent?: Spent;
}

export interface CallResult {
  readonly kind: "result";
  readonly callId: string;
  readonly text: string;
  readonly isError: boolean;
}

/** `at`: epoch milliseconds, where it was recorded. */
export type Entry = (Said | Shell | Answer | CallResult) & { readonly at?: number };

export interface Transcript {
  readonly format: string;
  readonly entries: readonly Entry[];
  readonly tally: Tally;
}

/** How often something was left out or changed, by its reason in words. */
export interface Tally {
  add(reason: string, times?: number): void;
  readonly counts: ReadonlyMap<string, number>;
}

export function createTally(): Tally {
  const counts = new Map<string, number>();
  return {
    counts,
    add(reason, times = 1) {
      if (times > 0) counts.set(reason, (counts.get(reason) ?? 0) + times);
    },
  };
}
