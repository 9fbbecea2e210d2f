/** The obedient model, which also sums up what it is asked to: a checkpoint, the same each time. */
import type { Script, ScriptRequest } from "../../src/simulator/index.ts";
import { obedientModel } from "./obedient-model.ts";

export const SUMMARY = `objective: keep the greeting friendly
completed:
  - the greeting was read
current_state: nothing is half done
important_files:
  - path: src/greet.ts
    reason: the greeting is in it
changes: []
failed_attempts: []
decisions:
  - the name stays the only argument
running_processes: []
next_steps:
  - wait for the user
raw_evidence: []
`;

export const AUX = "claude-haiku-5-5";

/** Whether the request asks for a summary, by whatever route. */
export const asksForSummary = ({ body, lastUserText }: ScriptRequest): boolean =>
  body.model === AUX || body.compaction !== undefined || lastUserText().includes("This is no message of the user's");

export const summingModel: Script = (request) =>
  asksForSummary(request) ? { content: [{ type: "text", text: SUMMARY }] } : obedientModel(request);
