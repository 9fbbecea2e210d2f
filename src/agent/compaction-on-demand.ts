/**
 * A compaction that the user asks for between two turns. It runs where turns run, so that nothing else does meanwhile, and what is
 * said during it waits. Stopped or failed, it leaves the conversation as it was.
 */
import type { CompactionFailure, CompactionWish, ContextEngine } from "../context/index.ts";
import type { SessionHandle } from "../session/index.ts";
import { err, type Payload, type Result } from "../shared/index.ts";
import type { TurnRunner } from "./turn-runner.ts";

export type CompactionOutcome = Result<Payload<"context.compacted">, CompactionFailure | Stopped>;

export interface Stopped {
  readonly reason: "stopped" | "busy";
  readonly message: string;
}

export type OwnWish = Omit<CompactionWish, "trigger">;

export interface CompactionOnDemand {
  /** Resolves when it is recorded, or tells why there is none. Rejects with what ended the program. */
  ask(wish: OwnWish): Promise<CompactionOutcome>;
  /** Does what was asked for; called at the beginning of each run. */
  carryOut(signal: AbortSignal): Promise<void> | undefined;
  /** Asked for, and not over yet. */
  isUnderWay(): boolean;
}

interface Waiting {
  readonly wish: OwnWish;
  readonly done: (outcome: CompactionOutcome) => void;
}

export function createCompactionOnDemand(
  { session, context }: { readonly session: SessionHandle; readonly context: ContextEngine },
  runner: () => TurnRunner,
): CompactionOnDemand {
  let waiting: Waiting | undefined;
  let running = false;

  async function compact({ wish, done }: Waiting, signal: AbortSignal): Promise<void> {
    const made = await context.compress(session.state(), { ...wish, trigger: "user-command" }, signal);
    if (signal.aborted) return done(err({ reason: "stopped", message: "Stopped. The conversation is as it was." }));
    if (made.ok) session.publish({ type: "context.compacted", payload: made.value });
    await session.sync();
    done(made);
  }

  return {
    async ask(wish) {
      if (runner().isBusy() || waiting) {
        return err({ reason: "busy", message: "A turn is under way. Stop it, or wait until it is over." });
      }
      const outcome = new Promise<CompactionOutcome>((done) => {
        waiting = { wish, done };
      });
      runner().wake();
      return Promise.race([
        outcome,
        runner()
          .settled()
          .then(() => outcome),
      ]);
    },
    carryOut(signal) {
      const wanted = waiting;
      waiting = undefined;
      if (!wanted) return undefined;
      running = true;
      return compact(wanted, signal).finally(() => {
        running = false;
      });
    },
    isUnderWay: () => running || waiting !== undefined,
  };
}
