/** What the simulated model says where no recorded answer is played: enough for a summary, thought and words for anything else. */
import { CHECKPOINT_KEYS } from "../../src/context/checkpoint/types.ts";
import type { Script, ScriptedTurn, ScriptRequest } from "../../src/simulator/index.ts";

/** A request that names every key of a checkpoint asks for one. */
export const asksForCheckpoint = (request: ScriptRequest): boolean => {
  const asked = request.lastUserText();
  return CHECKPOINT_KEYS.every((key) => asked.includes(key));
};

export const CHECKPOINT_TEXT = `objective: The work that the conversation is about.
completed:
  - the earlier steps
current_state: The earlier steps are done.
important_files: []
changes: []
failed_attempts: []
decisions: []
running_processes: []
next_steps:
  - go on
raw_evidence: []
`;

export const CHECKPOINT_TURN: ScriptedTurn = { content: [{ type: "text", text: CHECKPOINT_TEXT }] };

export const obligingModel: Script = (request) =>
  asksForCheckpoint(request)
    ? CHECKPOINT_TURN
    : {
        content: [
          { type: "thinking", thinking: "Where this stands is known." },
          { type: "text", text: "Understood." },
        ],
      };
