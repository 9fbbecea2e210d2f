/** One process from its start to its end: the real engine on a stepped wire, disk, clock and workspace. */
import "./warm-up.ts";
import type { Fetch } from "../../src/anthropic/index.ts";
import { composeEngine } from "../../src/cli/compose.ts";
import type { Engine, EngineOptions } from "../../src/cli/engine.ts";
import { errorMessage, StoreError, UserError } from "../../src/shared/index.ts";
import type { MessagesApi } from "../../src/simulator/index.ts";
import type { LocalWorkspace } from "../../src/workspace/index.ts";
import type { Dice } from "../support/story/dice.ts";
import { type SeenEvent, Violation } from "./checks.ts";
import type { SimulatedClock } from "./clock.ts";
import { Died, type DiskParts, FaultyDisk } from "./disk.ts";
import { Hearing } from "./hearing.ts";
import { Schedule } from "./schedule.ts";
import { createWire } from "./wire.ts";
import { steppedWorkspace } from "./workspace.ts";

export interface Surroundings {
  /** Nothing goes wrong. */
  readonly isCalm: boolean;
  readonly dice: Dice;
  readonly clock: SimulatedClock;
  readonly api: MessagesApi;
  readonly disk: Omit<DiskParts, "dice" | "schedule">;
  /** Asked before the world is changed; throws a Violation when the log would not know of it. */
  readonly onEffect: (what: string) => void;
}

/** Real time, for commands that run have to be ended. */
const UNWINDING_MS = 20_000;

export type Opening = Omit<EngineOptions, "outside">;

export class Life {
  readonly schedule = new Schedule();
  readonly disk: FaultyDisk;
  /** Durable events that a subscriber was handed. */
  readonly seen: SeenEvent[] = [];
  readonly hearing = new Hearing();
  /** How what was said to it begins. */
  readonly said: string[] = [];
  stage: "opening" | "open" | "closing" | "over" = "opening";
  isBuried = false;
  engine: Engine | undefined;
  /** Why it could not begin, or what ended it. */
  failure: unknown;
  readonly #workspaces: LocalWorkspace[] = [];
  readonly #wire: ReturnType<typeof createWire>;
  readonly #surroundings: Surroundings;
  readonly #composed: Promise<void>;

  get isCalm(): boolean {
    return this.#surroundings.isCalm;
  }

  constructor(surroundings: Surroundings, opening: Opening) {
    this.#surroundings = surroundings;
    const { dice, clock, api, disk, onEffect } = surroundings;
    this.disk = new FaultyDisk({ ...disk, dice, schedule: this.schedule });
    this.#wire = createWire({ api, dice, schedule: this.schedule, onBug: (error) => this.#fail(error) });
    const outside = {
      clock,
      random: dice.roll,
      fetch: this.#wire.fetch as Fetch,
      disk: this.disk,
      workspace: (own: LocalWorkspace): LocalWorkspace => {
        this.#workspaces.push(own);
        return steppedWorkspace(own, this.schedule, onEffect);
      },
    };
    this.#composed = composeEngine({ ...opening, outside }).then(
      (engine) => this.#opened(engine),
      (error: unknown) => {
        this.#fail(error);
        this.stage = "over";
      },
    );
  }

  #opened(engine: Engine): void {
    this.engine = engine;
    if (this.stage !== "opening") return;
    this.stage = "open";
    engine.session.bus.onAny((event) => {
      this.hearing.hear(event);
      if ("seq" in event) this.seen.push({ seq: event.seq, id: event.id });
    });
  }

  #fail(error: unknown): void {
    if (this.stage !== "over") this.failure ??= error; // later it is what a dead process still finds out
  }

  /** The user sees to what runs; what ended it for good ends the process. */
  watch(): void {
    const { engine } = this;
    if (!engine || this.stage !== "open") return;
    engine.agent.settled().catch((error: unknown) => {
      this.#fail(error);
      this.close();
    });
  }

  /** What a command threw at the user ends the program. */
  stop(error: unknown): void {
    this.#fail(error);
    this.close();
  }

  /** As the program is left: what runs is stopped, what is open is recorded, the lock is given back. */
  close(): void {
    const { engine } = this;
    if (this.stage !== "open" || !engine) return;
    this.stage = "closing";
    this.#left(engine)
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.stage = "over";
      });
  }

  async #left(engine: Engine): Promise<void> {
    try {
      engine.agent.dispatch({ kind: "quit" });
    } catch (error) {
      this.#fail(error); // it cannot be recorded, and ends the turn all the same
    }
    await engine.agent.settled().catch((error: unknown) => this.#fail(error));
    await engine.close();
  }

  /**
   * `kill -9`: from here on nothing that it asks of the outside succeeds, so nothing that it still does has an effect. Resolves
   * when it has found that out, for its descriptors and its lock are its own to give back.
   */
  async bury(): Promise<void> {
    this.isBuried = true;
    this.stage = "over";
    this.disk.isDead = true;
    this.schedule.end(new Died("the process is dead"));
    this.#wire.hangUpAll();
    await this.#unwound();
    for (const workspace of this.#workspaces) await workspace.close();
  }

  async #unwound(): Promise<void> {
    let isOver = false;
    const end = async (): Promise<void> => {
      await this.#composed;
      // Whoever waits for the user's answer finds nothing out.
      const hasQuestion = (this.engine?.session.state().turn.permissions.length ?? 0) > 0;
      if (!hasQuestion) await this.engine?.agent.settled().catch(() => undefined); // it dies of its death
      await this.engine?.close().catch(() => undefined);
      isOver = true;
    };
    const ending = end();
    for (const until = Date.now() + UNWINDING_MS; !isOver; await Bun.sleep(1)) {
      if (Date.now() > until) throw new Violation("a process for which everything fails does not come to an end");
      this.#surroundings.clock.ring();
      await this.schedule.rest();
    }
    await ending;
  }

  /** What ended it is nothing that may end a program. */
  mustBeForeseen(): void {
    const { failure } = this;
    if (failure === undefined || this.disk.isDead || failure instanceof StoreError || failure instanceof UserError)
      return;
    if (failure instanceof Violation) throw failure;
    if (failure instanceof Died) return;
    const stack = failure instanceof Error ? failure.stack : "";
    throw new Violation(`nobody foresaw: ${errorMessage(failure)}\n${stack}`);
  }
}
