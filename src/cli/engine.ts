/** What an engine is made from, and what a front gets: the words between `compose.ts` and everything that uses it. */
import type { Agent, Deadline } from "../agent/index.ts";
import type { ModelAuth } from "../anthropic/index.ts";
import type { KhaelorConfig } from "../config/index.ts";
import type { OutputSchema } from "../context/index.ts";
import type { SessionHandle, SessionStore } from "../session/index.ts";
import type { LogOptions } from "../shared/index.ts";
import type { PromptChoice } from "./prompt-choice.ts";
import type { SessionChoice } from "./session-choice.ts";
import type { Environment, Flags, Places } from "./settings.ts";

export interface EngineOptions extends SessionChoice {
  readonly places: Places;
  readonly env: Environment;
  readonly flags: Flags;
  readonly prompt?: PromptChoice;
  readonly log: LogOptions;
  /** Of a new session, until its first message names it. */
  readonly title: string;
  /** In place of the user's own key and base URL: the embedded model's. */
  readonly connection?: Connection;
  readonly somebodyToAsk: boolean;
  /** Told, in words for people, what went wrong beside the work while it ran. */
  readonly onTrouble?: (text: string) => void;
  /** A run that ends without proof over the final state is not verified, whatever it did. */
  readonly requireVerified?: boolean;
  /** What answers have to be; the session keeps it. */
  readonly outputSchema?: OutputSchema;
  /** Of a new session, separated by commas; all when absent. */
  readonly tools?: string;
}

export interface Connection {
  readonly auth: ModelAuth;
  readonly baseURL?: string;
}

export interface Engine {
  readonly session: SessionHandle;
  readonly store: SessionStore;
  readonly agent: Agent;
  readonly config: KhaelorConfig;
  /** seq of the first event that this opening of the session wrote. */
  readonly firstSeq: number;
  /** For people, on stderr or a screen; not reasons to stop. */
  readonly notices: readonly string[];
  /** What a run is held to, and what helps to say what went wrong. */
  readonly resultOptions: ResultOptions;
  /** When the run has to end, if it has to. */
  readonly deadline?: Deadline;
  /** Ends the background processes and records that; from then on none can be started. Idempotent. */
  stopProcesses(): Promise<void>;
  /** Ends children, syncs the log, releases its lock. Idempotent. */
  close(): Promise<void>;
}

/** What a run is held to, and what helps to say what went wrong. */
export interface ResultOptions {
  /** Without proof over the final state a finished run is none. */
  readonly requireVerified?: boolean;
  /** Ids to find a mistyped one among. */
  readonly knownModels?: readonly string[];
  /** The session is gone when the run is over. */
  readonly isThrownAway?: boolean;
}
