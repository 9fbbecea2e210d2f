/** The door of the terminal interface. */
export type { AppEnd } from "./app/app.ts";
export { loadScreen, runTerminal } from "./front.ts";
export { bindingProblems } from "./input/key-dispatch.ts";
export { runLines } from "./lines/front.ts";
export type { LineTerminal, TypedLine } from "./lines/port.ts";
export { type Coalescer, createCoalescer } from "./model/coalescer.ts";
export { type CoalescedFrame, omissionMarker } from "./model/frame.ts";
export { blockKey } from "./model/lanes.ts";
export type {
  ChoiceRow,
  CommandUi,
  DiffFile,
  DraftStore,
  Gap,
  OpenSession,
  Outside,
  Queries,
  Question,
  ReadOnly,
  SaidBefore,
  SessionChoice as TerminalChoice,
  SessionFacts,
  SessionHost,
  SessionRow,
  SlashCommand,
  StartChoice,
  TerminalPorts,
  TerminalSettings,
  UiAction,
} from "./ports.ts";
export type { ScreenOptions } from "./screen/port.ts";
