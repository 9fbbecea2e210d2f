/**
 * A scripted model that mends add.sh by what it is shown and by nothing else, so that it goes on sensibly from any point of a
 * session: it reads, edits wrongly, claims to be done, is told otherwise, reads again and edits rightly.
 */
import type { Script, ScriptedTurn, ScriptRequest } from "../../src/simulator/index.ts";
import { bash, edit, read, say, text, thinking, turn } from "./driving.ts";

export const mendingModel: Script = (request): ScriptedTurn => {
  const results = request.toolResults().filter(({ isError }) => !isError);
  const looked = results.findLastIndex(({ name, input }) => name === "read" && input.file_path === "add.sh");
  const changed = results.findLastIndex(({ name }) => name === "edit");
  const shown = results[looked]?.text ?? "";
  const asked = request.lastUserText();
  if (results.length > 0 && !results.some(({ name }) => name === "bash")) return turn(bash("echo looked around"));
  if (looked === -1 || failedSince(request) || (REPAIR.test(asked) && changed > looked)) {
    return turn(thinking("I have to see it as it is now."), text("Reading."), read("README.md"), read("add.sh"));
  }
  if (changed < looked && shown.includes("$1 - $2")) {
    return turn(thinking("A product, then."), edit("add.sh", "$1 - $2", "$1 * $2"));
  }
  if (changed < looked && shown.includes("$1 * $2") && mustRepair(request)) {
    return turn(thinking("A sum."), text("Repairing."), edit("add.sh", "$1 * $2", "$1 + $2"));
  }
  return say("It adds now.");
};

/** The newest call of a file tool did not come back with a result. */
const failedSince = (request: ScriptRequest): boolean =>
  request.toolResults().findLast(({ name }) => name !== "bash")?.isError === true;

/** Somebody has said so: the gate, or the user. */
const mustRepair = ({ body }: ScriptRequest): boolean => REPAIR.test(JSON.stringify(body));
const REPAIR = /fails with exit code|repair it/;
