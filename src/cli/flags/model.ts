/** What answers, what it is told to be, and how much it may spend. */
import type { Flag } from "./define.ts";

export const MODEL_FLAGS = [
  { names: ["-m", "--model"], key: "model", takes: "value", value: "ID", about: "the model to use" },
  { names: ["--aux-model"], key: "auxModel", takes: "value", value: "ID", about: "the model for auxiliary work" },
  {
    names: ["--fallback-model"],
    key: "fallbackModel",
    takes: "value",
    value: "ID",
    about: "the model to go on with when the first is overloaded or not available",
  },
  { names: ["--effort"], key: "effort", takes: "value", value: "LEVEL", about: "how hard the model thinks" },
  {
    names: ["--max-turns"],
    key: "maxTurns",
    takes: "value",
    value: "N",
    about: "stop with exit code 7 after N requests to the model for one message",
  },
  {
    names: ["--max-budget-usd"],
    key: "maxBudgetUsd",
    takes: "value",
    value: "AMOUNT",
    about: "stop with exit code 7 before the run costs more US dollars than this",
  },
  {
    names: ["--timeout"],
    key: "timeout",
    takes: "value",
    value: "TIME",
    about: "stop with exit code 7 after this time: seconds, or as in 90s, 10m, 2h",
  },
  {
    names: ["--json-schema"],
    key: "jsonSchema",
    takes: "value",
    value: "FILE",
    about: "the answer must be JSON that fits this JSON Schema",
  },
  {
    names: ["--system-prompt"],
    key: "systemPrompt",
    takes: "value",
    value: "TEXT",
    about: "in place of KHAELOR's own words about how to work",
  },
  {
    names: ["--system-prompt-file"],
    key: "systemPromptFile",
    takes: "value",
    value: "FILE",
    about: "the same, from a file",
  },
  {
    names: ["--append-system-prompt"],
    key: "appendSystemPrompt",
    takes: "value",
    value: "TEXT",
    about: "more for the system prompt, behind everything else",
  },
  {
    names: ["--append-system-prompt-file"],
    key: "appendSystemPromptFile",
    takes: "value",
    value: "FILE",
    about: "the same, from a file",
  },
] as const satisfies readonly Flag[];
