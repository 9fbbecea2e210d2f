/**
 * A session's whole life by chance: a user, a model, a wire and a disk that do what they like, a process that dies anywhere, and
 * the next one that goes on. One seed gives one course of events. After each step everything is checked that always holds; in the
 * end everything calms down, and the session has to finish what it is asked for.
 */
import type { Engine } from "../../src/cli/engine.ts";
import { Violation } from "./checks.ts";
import { mustBeWhole, mustTellFiles } from "./final-checks.ts";
import type { Life } from "./life.ts";
import { Oversight } from "./oversight.ts";
import { act } from "./person.ts";
import { World } from "./world.ts";

export interface Plot {
  readonly seed: number;
  /** How often something happens before everything calms down. */
  readonly steps: number;
}

export interface Course {
  readonly steps: number;
  /** Lines of all logs. */
  readonly events: number;
  readonly lives: number;
  /** How often what happened, by name. */
  readonly happened: ReadonlyMap<string, number>;
  /** The types of all events of the last log, in their order. */
  readonly types: readonly string[];
}

/** Real time that a process may work without waiting for anything that is simulated. */
const UNSEEN_WORK_MS = 10_000;
const NOTHING_WRONG = { death: 0, jump: 0 };

/** A session that is asked for one answer, with nothing in its way. */
const CALM_STEPS = 30_000;

/** Throws a Violation that names the seed. */
export async function simulate({ seed, steps }: Plot): Promise<Course> {
  const run = new Simulation(seed);
  try {
    return await run.whole(steps);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new Violation(`seed ${seed}, step ${run.steps} of ${steps}: ${error.message}`, { cause: error });
  } finally {
    await run.close();
  }
}

class Simulation {
  readonly #world: World;
  #life: Life;
  /** What the next process is to be begun on, when that is a fork. */
  #fork: { readonly seq?: number } | undefined;
  readonly #oversight: Oversight;
  steps = 0;

  constructor(seed: number) {
    this.#world = new World(seed);
    this.#oversight = new Oversight(this.#world);
    this.#life = this.#world.begin();
  }

  async whole(steps: number): Promise<Course> {
    const world = this.#world;
    while (this.steps < steps) await this.#step();
    world.isCalm = true;
    await this.#leave();
    this.#next();
    await this.#untilIdle();
    this.#life.engine?.agent.dispatch({ kind: "submit-message", text: "finish", mentions: [] });
    await this.#untilIdle();
    const { watch } = world;
    if (!watch) throw new Violation("there is no session");
    const { turn, meta } = watch.state;
    if (meta.lastOutcome !== "completed")
      throw new Violation(`it ended as ${meta.lastOutcome}: ${JSON.stringify(turn.lastFailure)}`);
    if (turn.pending.length + turn.queued.length > 0) throw new Violation("something is still open in the end");
    await this.#leave();
    await mustBeWhole(world);
    mustTellFiles(world, watch);
    return {
      steps: this.steps,
      events: this.#oversight.events + watch.lastSeq,
      lives: world.lives,
      happened: world.happened,
      types: watch.events.map(({ type }) => type),
    };
  }

  /** The process that runs is closed, which it may not be able to before it is open. */
  async #leave(): Promise<void> {
    const life = this.#life;
    life.disk.mend();
    for (const last = this.steps + CALM_STEPS; life.stage !== "over" && life === this.#life; ) {
      life.close();
      if (this.steps > last) throw new Violation("with nothing in its way it cannot be closed");
      await this.#step();
    }
  }

  async #untilIdle(): Promise<void> {
    const last = this.steps + CALM_STEPS;
    for (;;) {
      if (this.#life.stage === "over") this.#next();
      const { engine, stage, schedule } = this.#life;
      if (stage === "open" && engine && !engine.agent.isBusy() && schedule.waiting.length === 0) return;
      if (this.steps > last) throw new Violation("with nothing in its way it does not come to rest");
      await this.#step();
    }
  }

  async #step(): Promise<void> {
    this.steps++;
    const world = this.#world;
    world.clock.pass(world.dice.below(40));
    if (this.#life.stage === "over") this.#next();
    else this.#happen();
    await this.#life.schedule.rest();
    await this.#unseenWork();
    if (this.#life.disk.isDead && !this.#life.isBuried) await this.#died();
    this.#oversight.afterStep(this.#life);
  }

  #happen(): void {
    const { dice, clock, note } = this.#world;
    const { schedule, disk } = this.#life;
    switch (dice.weighted(this.#chances())) {
      case "outside": {
        const chosen = dice.some(schedule.waiting);
        if (chosen) schedule.choose(chosen);
        break;
      }
      case "time":
        clock.passToNext();
        break;
      case "user":
        this.#userActs();
        break;
      case "death":
        note("a death between two things");
        disk.isDead = true;
        break;
      case "jump":
        note("the clock jumps");
        clock.jump(dice.pick([-3_600_000, -60_000, 86_400_000]));
    }
  }

  #chances() {
    const { clock, isCalm } = this.#world;
    const { schedule, stage, engine } = this.#life;
    const isWaiting = schedule.waiting.length > 0;
    const hasQuestion = (engine?.session.state().turn.permissions.length ?? 0) > 0;
    const userMay = stage === "open" && (!isCalm || (hasQuestion && !isWaiting));
    return {
      outside: isWaiting ? 30 : 0,
      time: clock.hasTimers ? (isWaiting ? 0.3 : 5) : 0,
      user: userMay ? (isWaiting ? 0.9 : 8) : 0,
      ...(isCalm ? NOTHING_WRONG : { death: this.#isTender() ? 0.4 : 0.1, jump: 0.05 }),
    };
  }

  /** A death does most harm while a process begins, and right behind what changed the world. */
  #isTender(): boolean {
    const { schedule, stage } = this.#life;
    return stage === "opening" || schedule.hasActed;
  }

  #userActs(): void {
    const { dice, count, note, isCalm, sessionId } = this.#world;
    const { engine, said } = this.#life;
    if (!engine) return;
    if (isCalm) {
      consent(engine);
      return;
    }
    try {
      const departure = act({ dice, count, note, onSaid: (words) => said.push(words) }, engine);
      if (engine.agent.isBusy()) this.#life.watch();
      if (departure === "stay") return;
      const isFork = departure === "fork" && sessionId !== undefined;
      if (isFork) this.#fork = dice.chance(0.5) ? {} : { seq: 1 + dice.below(engine.session.state().lastSeq) };
      this.#life.close();
    } catch (error) {
      this.#life.stop(error);
    }
  }

  /** What is done without anything simulated, such as a look at a folder, takes no part in chance: it is waited for. */
  async #unseenWork(): Promise<void> {
    const { schedule, disk } = this.#life;
    const until = Date.now() + UNSEEN_WORK_MS;
    for (let turns = 0; schedule.waiting.length === 0 && !disk.isDead && this.#isAtWork(); turns++) {
      if (Date.now() > until) throw new Violation(`nothing goes on (${this.#life.stage})`);
      // What does not go on within this may wait for simulated time.
      if (Date.now() > until - UNSEEN_WORK_MS + 100 && this.#world.clock.hasTimers) return;
      if (turns < 20) await new Promise((resolve) => setImmediate(resolve));
      else await Bun.sleep(1);
    }
    // At its end a process does several such things beside each other.
    const isEnding = (): boolean => this.#life.stage === "closing";
    for (let before = -1; isEnding() && before !== schedule.added; await Bun.sleep(4)) before = schedule.added;
  }

  /** It begins, it ends, or it has something to do for which no timer runs and nobody was asked. */
  #isAtWork(): boolean {
    const { stage, engine } = this.#life;
    if (stage !== "open" || !engine) return stage !== "over";
    return (
      engine.agent.isBusy() && !this.#world.clock.hasTimers && engine.session.state().turn.permissions.length === 0
    );
  }

  /** Another process begins where the last one has left. */
  #next(): void {
    const world = this.#world;
    const life = this.#life;
    life.mustBeForeseen();
    this.#oversight.afterLife(life);
    if (life.isCalm && life.failure !== undefined) {
      throw new Violation(`with nothing in its way it ends: ${String(life.failure)}`);
    }
    life.disk.mend();
    const fork = this.#fork;
    this.#fork = undefined;
    this.#life = world.begin(fork);
  }

  async #died(): Promise<void> {
    const life = this.#life;
    const safe = life.disk.safeBytes();
    await life.bury();
    this.#oversight.afterDeath(life, safe);
  }

  async close(): Promise<void> {
    await this.#life.bury().catch(() => undefined); // what went wrong is told already
    this.#world.close();
  }
}

function consent({ session, agent }: Engine): void {
  const requestId = session.state().turn.permissions[0]?.permissionRequestId ?? "";
  agent.dispatch({ kind: "permission-response", requestId, decision: "once" });
}
