/**
 * What the user says, on its way into the log: at once, or, when it mentions files, as soon as these are captured. The order
 * in which things were said is kept. What an interrupt meets on this way is still recorded, but begins nothing.
 */
import type { SessionHandle } from "../session/index.ts";
import { isBlank, type KernelCommand, type Payload } from "../shared/index.ts";
import { type Captured, type CaptureMentions, NOTHING_CAPTURED } from "./mentions.ts";
import type { TurnRunner } from "./turn-runner.ts";
import type { UserShell } from "./user-shell.ts";

export type Said = Extract<KernelCommand, { readonly kind: "submit-message" | "steer" | "shell" }>;

export interface Intake {
  take(said: Said): void;
  /** Cuts short what is being captured; of all that was taken so far, nothing begins or continues a turn. */
  interrupt(): void;
  /** How much was taken and is not recorded yet. */
  waiting(): number;
  /** Resolves when everything taken is recorded. Rejects with what prevented it, such as a StoreError. */
  settled(): Promise<void>;
}

export interface IntakeDeps {
  readonly session: SessionHandle;
  readonly runner: TurnRunner;
  /** The volatile context to record with a message; immediate. */
  readonly captureContext: () => NonNullable<Payload<"user.message-created">["context"]>;
  readonly captureMentions: CaptureMentions;
  readonly userShell: UserShell;
  /** Told of what was queued after its interrupt: like everything queued before it, it waits for the user. */
  readonly onStopped: (eventId: string) => void;
}

interface Waiting {
  readonly said: Said;
  readonly signal: AbortSignal;
}

export function createIntake(deps: IntakeDeps): Intake {
  const { runner } = deps;
  let controller = new AbortController();
  const queue: Waiting[] = [];
  /** A command of the user's own does not mix with a running turn: it waits for its end, and what is said meanwhile passes by. */
  const behindTurn: Waiting[] = [];
  let working: Promise<void> | undefined;
  /** Set before anything is taken: what that does at once may already say more. */
  let isWorking = false;
  let watching: Promise<void> | undefined;
  let death: { readonly cause: unknown } | undefined;

  function begin(): void {
    if (isWorking) return;
    isWorking = true;
    working = work();
  }

  async function work(): Promise<void> {
    try {
      for (let next = queue[0]; next; next = queue[0]) {
        await take(next);
        queue.shift();
      }
    } catch (cause) {
      death ??= { cause };
    } finally {
      working = undefined;
      isWorking = false; // in the same moment as the last look at the queue
    }
  }

  async function take(next: Waiting): Promise<void> {
    const { said, signal } = next;
    if (said.kind !== "shell") {
      record(deps, said, {
        captured: await deps.captureMentions(said.mentions ?? [], signal),
        isStopped: signal.aborted,
      });
    } else if (runner.isBusy() && !signal.aborted) {
      behindTurn.push(next);
      watching ??= takeUp();
    } else {
      await runShell(deps, said.command, signal);
    }
  }

  async function takeUp(): Promise<void> {
    await runner.settled().catch(() => undefined); // whoever waits for the runner is told
    watching = undefined;
    queue.push(...behindTurn.splice(0));
    begin();
  }

  return {
    take(said) {
      if (isNothing(said)) return;
      if (!isWorking && said.kind !== "shell" && !said.mentions?.length) {
        return record(deps, said, { captured: NOTHING_CAPTURED, isStopped: false });
      }
      queue.push({ said, signal: controller.signal });
      begin();
    },
    interrupt() {
      controller.abort();
      controller = new AbortController();
    },
    waiting: () => queue.length + behindTurn.length,
    async settled() {
      while (isWorking || watching !== undefined) await (working ?? watching);
      if (death) throw death.cause;
    },
  };
}

/** Nothing that was said is not sent: the conversation would end in the model's own words, which the API refuses. */
function isNothing(said: Said): boolean {
  return said.kind === "shell" ? isBlank(said.command) : isBlank(said.text) && !said.mentions?.length;
}

async function runShell(
  { session, runner, userShell }: IntakeDeps,
  command: string,
  signal: AbortSignal,
): Promise<void> {
  const payload = await userShell(command, signal);
  while (runner.isBusy()) await runner.settled(); // nothing may come before an answer that is under way
  session.publish({ type: "user.message-created", payload });
}

interface Ready {
  readonly captured: Captured;
  readonly isStopped: boolean;
}

type Message = Exclude<Said, { readonly kind: "shell" }>;

function record(deps: IntakeDeps, said: Message, { captured, isStopped }: Ready): void {
  const { session, runner, captureContext } = deps;
  const context = [...captureContext(), ...captured.context];
  const { mentions, attachments } = captured;
  const more = { ...(context.length > 0 && { context }), ...(attachments.length > 0 && { attachments }) };
  if (said.kind === "steer" || runner.isBusy()) {
    const deliver = said.kind === "steer" ? (said.deliver ?? "now") : "now";
    const payload = { text: said.text, deliver, ...more, ...(mentions.length > 0 && { mentions }) };
    const { id } = session.publish({ type: "user.steering-queued", payload });
    if (isStopped) deps.onStopped(id);
  } else {
    session.publish({ type: "user.message-created", payload: { text: said.text, mentions, by: "user", ...more } });
    if (isStopped) session.publish({ type: "user.interrupted", payload: { scope: "turn", pendingToolUseIds: [] } });
  }
  for (const payload of captured.reads) session.publish({ type: "file.read", payload });
  if (!isStopped) runner.wake();
}
