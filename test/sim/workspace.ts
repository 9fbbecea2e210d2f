/** The real workspace on real files, in which nothing begins and nothing is known to have ended before it is chosen. */
import type { LocalWorkspace } from "../../src/workspace/index.ts";
import type { Schedule } from "./schedule.ts";

/** `onEffect` is asked before a file is replaced or a command runs. */
export const steppedWorkspace = (
  own: LocalWorkspace,
  schedule: Schedule,
  onEffect: (what: string) => void,
): LocalWorkspace => ({
  ...own,
  readFile: (path, options) => schedule.pass(`read ${path}`, () => own.readFile(path, options)),
  writeFile: (path, content, options) =>
    schedule.pass(`write ${path}`, () => {
      onEffect(`write ${path}`);
      return own.writeFile(path, content, options);
    }),
  exec: (command) =>
    schedule.pass(`exec ${command.command}`, () => {
      if (typeof command.command === "string") onEffect(command.command);
      return own.exec(command);
    }),
});
