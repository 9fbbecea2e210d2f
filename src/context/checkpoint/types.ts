/** What a compaction leaves of a conversation, as data. The keys are those of the YAML, in its order. */
export interface Checkpoint {
  /** The user's present objective, in a paragraph. */
  readonly objective: string;
  readonly completed: readonly string[];
  readonly current_state: string;
  readonly important_files: readonly { readonly path: string; readonly reason: string }[];
  readonly changes: readonly string[];
  readonly failed_attempts: readonly string[];
  readonly decisions: readonly string[];
  readonly running_processes: readonly { readonly id: string; readonly command: string; readonly status: string }[];
  readonly next_steps: readonly string[];
  /** Kept word for word, because a summary would destroy it. */
  readonly raw_evidence: readonly { readonly label: string; readonly content: string }[];
}

export const CHECKPOINT_KEYS = [
  "objective",
  "completed",
  "current_state",
  "important_files",
  "changes",
  "failed_attempts",
  "decisions",
  "running_processes",
  "next_steps",
  "raw_evidence",
] as const satisfies readonly (keyof Checkpoint)[];
