/** The real workspace on real files, in which nothing begins and nothing is known to have ended before it is chosen. */
import { ok, toBytes } from "../../src/shared/index.ts";
import type { BackgroundProcess, LocalWorkspace, ProcessExit, ProcessStart } from "../../src/workspace/index.ts";
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
  async spawn(start) {
    const begun = await schedule.pass(`spawn ${start.command}`, async () => {
      onEffect(start.command);
      return ok(pretended(start, schedule));
    });
    schedule.hold(Bun.sleep(FIRST_WORDS_MS));
    return begun;
  },
});

/** Its tool gives a process that long for its first words, in real time. */
const FIRST_WORDS_MS = 4;

/** What a process prints before it ends by itself. */
const SENTENCES = 8;

/** A background process that prints something and ends, each when it is chosen; no program runs. */
function pretended({ onOutput }: ProcessStart, schedule: Schedule): BackgroundProcess {
  const { promise: exited, resolve } = Promise.withResolvers<ProcessExit>();
  const end = (exitCode: number | null, signal: string | null): void => resolve({ exitCode, signal, durationMs: 1 });
  let isOver = false;
  void exited.then(() => {
    isOver = true;
  });
  const life = async (): Promise<void> => {
    for (let said = 0; said < SENTENCES; said++) {
      await schedule.turn("a process prints");
      if (!isOver) onOutput(toBytes("it serves\n"));
    }
    await schedule.turn("a process ends");
    end(0, null);
  };
  life().catch(() => end(null, "SIGKILL")); // with the program that began it
  return {
    pid: 1,
    exited,
    write: (bytes) => ok(bytes.byteLength),
    endInput: () => undefined,
    stop: async () => end(null, "SIGTERM"),
  };
}
