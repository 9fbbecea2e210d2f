/**
 * What the server knows of each model. Its own table on purpose: were it the client's, a wrong entry there would agree with
 * itself. An unknown or retired model is refused.
 */
export type ThinkingType = "adaptive" | "between_tools" | "disabled" | "enabled";
export type Effort = "low" | "medium" | "high" | "xhigh" | "max";

export interface SimulatedModel {
  readonly id: string;
  readonly aliases?: readonly string[];
  readonly displayName: string;
  readonly line: "haiku" | "sonnet" | "opus" | "fable" | "mythos";
  readonly createdAt: string;
  readonly lifecycle: "active" | "deprecated" | "retired";
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  readonly thinking: readonly ThinkingType[];
  /** Whether a request that says nothing about thinking gets it. */
  readonly thinkingByDefault: boolean;
  readonly efforts: readonly Effort[];
  /** `disabled` is refused above this effort. */
  readonly disabledUpTo?: Effort;
  /** Thinking text is left out unless a request asks for it. */
  readonly omitsThinking: boolean;
  /** Older turns' thinking is rendered, or silently dropped. */
  readonly keepsThinking: "all" | "last-turn";
  readonly prefixCheck: boolean;
  readonly systemRole: boolean;
  readonly forcedTools: boolean;
  readonly prefill: boolean;
  /**
   * Takes, as recorded requests show, a call's id again in a later turn, an assistant's message first, and white space as a
   * text beside a call. Of later models nobody has shown it.
   */
  readonly lenientHistory: boolean;
  readonly cacheMinimum: number;
  /** Takes a request for a summary, and the block that it brings. */
  readonly serverCompaction: boolean;
  /** Fewer than the API's 32 MB, for tests of requests that are too large. */
  readonly requestBytes?: number;
}

const ALL_EFFORTS: readonly Effort[] = ["low", "medium", "high", "xhigh", "max"];
const MILLION = 1_000_000;

/** The newest generation; the entries below say where they differ. */
const current = {
  createdAt: "2026-09-01T00:00:00Z",
  lifecycle: "active",
  contextWindow: MILLION,
  maxOutputTokens: 128_000,
  thinking: ["adaptive"],
  thinkingByDefault: true,
  efforts: ALL_EFFORTS,
  omitsThinking: true,
  keepsThinking: "all",
  prefixCheck: true,
  systemRole: true,
  forcedTools: false,
  prefill: false,
  lenientHistory: false,
  cacheMinimum: 512,
  serverCompaction: true,
} as const;

const fifth = { ...current, createdAt: "2026-05-01T00:00:00Z", prefixCheck: false, forcedTools: true } as const;

const fourth = {
  ...fifth,
  createdAt: "2026-02-01T00:00:00Z",
  thinking: ["adaptive", "disabled"],
  thinkingByDefault: false,
  systemRole: false,
} as const;

const fourSix = {
  ...fourth,
  thinking: ["adaptive", "enabled", "disabled"],
  efforts: ["low", "medium", "high", "max"],
  omitsThinking: false,
} as const;

const fourFive = {
  ...fourSix,
  createdAt: "2025-10-01T00:00:00Z",
  contextWindow: 200_000,
  maxOutputTokens: 64_000,
  thinking: ["enabled", "disabled"],
  efforts: [],
  keepsThinking: "last-turn",
  prefill: true,
  lenientHistory: true,
  cacheMinimum: 4096,
  serverCompaction: false,
} as const;

const mythos = { line: "mythos", serverCompaction: false } as const;

export const MODELS: readonly SimulatedModel[] = [
  { ...current, id: "claude-fable-5-2", displayName: "Claude Fable 5.2", line: "fable" },
  { ...current, id: "claude-fable-5-1", displayName: "Claude Fable 5.1", line: "fable" },
  { ...fifth, id: "claude-fable-5", displayName: "Claude Fable 5", line: "fable" },
  { ...current, ...mythos, id: "claude-mythos-5-2", displayName: "Claude Mythos 5.2" },
  { ...current, ...mythos, id: "claude-mythos-5-1", displayName: "Claude Mythos 5.1" },
  { ...fifth, ...mythos, id: "claude-mythos-5", displayName: "Claude Mythos 5" },
  { ...current, id: "claude-opus-5-5", displayName: "Claude Opus 5.5", line: "opus" },
  {
    ...current,
    id: "claude-sonnet-5-5",
    displayName: "Claude Sonnet 5.5",
    line: "sonnet",
    thinking: ["adaptive", "between_tools"],
  },
  {
    ...current,
    id: "claude-haiku-5-5",
    displayName: "Claude Haiku 5.5",
    line: "haiku",
    thinking: ["adaptive", "disabled"],
    disabledUpTo: "high",
    forcedTools: true,
  },
  {
    ...fifth,
    id: "claude-opus-5",
    displayName: "Claude Opus 5",
    line: "opus",
    thinking: ["adaptive", "disabled"],
    disabledUpTo: "high",
  },
  {
    ...fifth,
    id: "claude-sonnet-5",
    displayName: "Claude Sonnet 5",
    line: "sonnet",
    thinking: ["adaptive", "disabled"],
    systemRole: false,
    cacheMinimum: 1024,
  },
  {
    ...fourth,
    id: "claude-opus-4-8",
    displayName: "Claude Opus 4.8",
    line: "opus",
    systemRole: true,
    cacheMinimum: 1024,
  },
  { ...fourth, id: "claude-opus-4-7", displayName: "Claude Opus 4.7", line: "opus", cacheMinimum: 2048 },
  {
    ...fifth,
    ...mythos,
    id: "claude-mythos-preview",
    displayName: "Claude Mythos Preview",
    lifecycle: "deprecated",
    efforts: ["low", "medium", "high", "max"],
    systemRole: false,
    cacheMinimum: 4096,
  },
  { ...fourSix, id: "claude-opus-4-6", displayName: "Claude Opus 4.6", line: "opus", cacheMinimum: 4096 },
  { ...fourSix, id: "claude-sonnet-4-6", displayName: "Claude Sonnet 4.6", line: "sonnet", cacheMinimum: 1024 },
  {
    ...fourFive,
    id: "claude-opus-4-5-20251101",
    aliases: ["claude-opus-4-5"],
    displayName: "Claude Opus 4.5",
    line: "opus",
    lifecycle: "deprecated",
    efforts: ["low", "medium", "high"],
    keepsThinking: "all",
  },
  {
    ...fourFive,
    id: "claude-haiku-4-5-20251001",
    aliases: ["claude-haiku-4-5"],
    displayName: "Claude Haiku 4.5",
    line: "haiku",
  },
  {
    ...fourFive,
    id: "claude-sonnet-4-5-20250929",
    aliases: ["claude-sonnet-4-5"],
    displayName: "Claude Sonnet 4.5",
    line: "sonnet",
    lifecycle: "deprecated",
    cacheMinimum: 1024,
  },
  {
    ...fourFive,
    id: "claude-opus-4-1-20250805",
    aliases: ["claude-opus-4-1"],
    displayName: "Claude Opus 4.1",
    line: "opus",
    lifecycle: "retired",
  },
];

export const findModel = (models: readonly SimulatedModel[], name: string): SimulatedModel | undefined =>
  models.find((model) => model.id === name || model.aliases?.includes(name));

/** A model of the table with some facts changed, such as a small window that a test can fill. */
export function modelLike(id: string, changes: Partial<SimulatedModel> = {}): SimulatedModel {
  const found = findModel(MODELS, id);
  if (!found) throw new Error(`the simulator knows no model ${id}`);
  return { ...found, ...changes };
}
