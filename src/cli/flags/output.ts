/** What goes in and comes out, and in which form. */
import type { Flag } from "./define.ts";

export const OUTPUT_FLAGS = [
  {
    names: ["--output-format"],
    key: "outputFormat",
    takes: "value",
    value: "FORMAT",
    oneOf: ["text", "json", "stream-json"],
    about: "text (default), json (one result), stream-json (every event, then the result)",
  },
  {
    names: ["--input-format"],
    key: "inputFormat",
    takes: "value",
    value: "FORMAT",
    oneOf: ["text", "stream-json"],
    about: "text (default), or stream-json: a command a line on stdin, so that a program can be the front",
  },
  {
    names: ["--include-partial-messages"],
    key: "includePartialMessages",
    takes: "switch",
    about: "with stream-json: also what is not kept, such as text while it comes",
  },
  {
    names: ["-o", "--output-last-message"],
    key: "outputLastMessage",
    takes: "value",
    value: "FILE",
    about: "write the answer to this file as well",
  },
  { names: ["-q", "--quiet"], key: "quiet", takes: "switch", about: "only the answer, and on stderr only errors" },
  { names: ["--verbose"], key: "verbose", takes: "switch", about: "show on stderr what is done while it is done" },
  {
    names: ["--color"],
    key: "color",
    takes: "value",
    value: "WHEN",
    oneOf: ["auto", "always", "never"],
    about: "auto (default: on a terminal, unless NO_COLOR is set), always, never",
  },
  {
    names: ["--debug"],
    key: "debug",
    takes: "optional",
    value: "[=FILTER]",
    about: "write more to the developer log; with a filter only what names it",
  },
  {
    names: ["--log-level"],
    key: "logLevel",
    takes: "value",
    value: "LEVEL",
    oneOf: ["debug", "warn"],
    about: "what the developer log keeps: warn (default) or debug as well",
  },
  { names: ["--print-logs"], key: "printLogs", takes: "switch", about: "the developer log on stderr as well" },
  { names: ["-h", "--help"], key: "help", takes: "switch", about: "this text" },
  { names: ["-v", "--version"], key: "version", takes: "switch", about: "the version" },
] as const satisfies readonly Flag[];
