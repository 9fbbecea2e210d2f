/** Which session is worked in, and what it is given. */
import type { Flag } from "./define.ts";

export const SESSION_FLAGS = [
  { names: ["-p", "--print"], key: "print", takes: "switch", about: "work without a screen and print the answer" },
  {
    names: ["-c", "--continue"],
    key: "continueLast",
    takes: "switch",
    about: "go on with this project's newest session",
  },
  {
    names: ["-r", "--resume"],
    key: "resume",
    takes: "id",
    value: "[ID]",
    about:
      "go on with a session, by the beginning of its id or, as --resume=TEXT, by what was said in it; alone: the one that you choose, without a terminal the newest",
  },
  {
    names: ["--fork"],
    key: "fork",
    takes: "value",
    value: "ID[@SEQ]",
    about: "begin a new session with all that another one holds, or with what it held at SEQ",
  },
  {
    names: ["--fork-session"],
    key: "forkSession",
    takes: "switch",
    about: "with --continue or --resume: leave that session as it is and go on in a fork of it",
  },
  { names: ["--session-id"], key: "sessionId", takes: "value", value: "ULID", about: "the id of the new session" },
  { names: ["-n", "--name"], key: "name", takes: "value", value: "TITLE", about: "the session's title" },
  { names: ["--no-session"], key: "noSession", takes: "switch", about: "keep nothing of this run when it has ended" },
  {
    names: ["-f", "--file"],
    key: "file",
    takes: "list",
    value: "PATH[#L5-9]",
    about: "give the model this file with the prompt; repeatable",
  },
  {
    names: ["-i", "--image"],
    key: "image",
    takes: "list",
    value: "PATH",
    about: "give the model this picture with the prompt; repeatable",
  },
  { names: ["-C", "--cwd"], key: "cwd", takes: "value", value: "FOLDER", about: "work in this folder" },
] as const satisfies readonly Flag[];
