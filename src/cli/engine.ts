/** What an engine is made from, and what a front gets: the words between `compose.ts` and everything that uses it. */
import type { Agent, Deadline } from "../agent/index.ts";
import type { ModelAuth, ModelFacts } from "../anthropic/index.ts";
import type { KhaelorConfig } from "../config/index.ts";
import type { ContextEngine, OutputSchema } from "../context/index.ts";
import type { Price, SessionHandle, SessionStore } from "../session/index.ts";
import type { LogOptions } from "../shared/index.ts";
import type { SearchScope } from "../tools/index.ts";
import type { Workspace } from "../workspace/index.ts";
import type { BudgetControl } from "./budget-control.ts";
import type { Outside } from "./outside.ts";
import type { PermissionControl } from "./permission-control.ts";
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
  /** This machine when absent. */
  readonly outside?: Outside;
  /** Nobody works without a pause at a terminal: `limits.maxSeconds` is for runs without one. */
  readonly hasNoDeadline?: boolean;
}

export interface Connection {
  readonly auth: ModelAuth;
  readonly baseURL?: string;
}

export interface Engine {
  readonly session: SessionHandle;
  readonly store: SessionStore;
  readonly agent: Agent;
  /** For looking at what it would do; the agent does it. */
  readonly context: Pick<ContextEngine, "planned">;
  readonly config: KhaelorConfig;
  /** In what the session works: its folder, and the project around it, absolute and real. */
  readonly workspace: Workspace;
  readonly projectRoot: string;
  /** What a search of its files is given, and which of them it may show. */
  readonly search: SearchScope;
  readonly permissions: PermissionControl;
  readonly budget: BudgetControl;
  readonly models: ModelKnowledge;
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
  /** Ends one; resolves when that is recorded, or at once when there is none of this name. */
  stopProcess(id: string): Promise<void>;
  /** Ends children, syncs the log, releases its lock. Idempotent. */
  close(): Promise<void>;
}

/** What is known of models without asking anybody. */
export interface ModelKnowledge {
  /** Ids, those of the user's own list first. */
  readonly known: readonly string[];
  facts(id: string): ModelFacts;
  readonly price: Price;
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
