/** Sees to it that everything holds: after each step, when a process has come to its end, and when the next one has begun. */
import { existsSync, readFileSync, statSync, truncateSync } from "node:fs";
import type { Engine } from "../../src/cli/engine.ts";
import {
  LogWatch,
  mustBeRecovered,
  mustBeSendable,
  mustBeStopped,
  mustEqualReplay,
  mustHaveRecorded,
  mustHold,
  mustReadAsExpected,
  Violation,
} from "./checks.ts";
import type { Life } from "./life.ts";
import { RequestWatch } from "./request-watch.ts";
import type { World } from "./world.ts";

export class Oversight {
  readonly #world: World;
  readonly #requests: RequestWatch;
  /** Lines of the logs that were left behind. */
  events = 0;
  /** The life whose beginning was looked at. */
  #known: Life | undefined;
  /** How many lines the log had that the newest one was forked from. */
  #parentLines = 0;

  constructor(world: World) {
    this.#world = world;
    this.#requests = new RequestWatch(world.api);
  }

  /** Throws a Violation, as all of these do. */
  afterStep(life: Life): void {
    const { violation } = this.#world;
    if (violation) throw violation;
    const { engine, stage, seen, hearing, disk } = life;
    if (disk.problem !== undefined) throw new Violation(disk.problem);
    if (disk.leavesHalfALine)
      throw new Violation("half a line was left in the log, and nobody has tried to take it back");
    if (!engine || stage !== "open") return;
    const watch = this.#watchOf(engine);
    if (watch.read() > 0) {
      mustEqualReplay(watch, engine);
      mustBeSendable(watch.state);
      mustHold(watch, seen.slice(-20));
    }
    if (life !== this.#known) {
      this.#known = life;
      mustBeRecovered(watch, this.#parentLines);
      mustReadAsExpected(watch);
    }
    if (!engine.agent.isBusy()) mustBeStopped(watch.state);
    this.#requests.check(watch);
    if (hearing.problem !== undefined) throw new Violation(`a stopped answer is lost: ${hearing.problem}`);
  }

  #watchOf({ session }: Engine): LogWatch {
    const world = this.#world;
    const { path, id } = session;
    if (world.watch?.path === path) return world.watch;
    if (world.watch) this.#leaveBehind(world.watch);
    world.watch = new LogWatch(path, world);
    world.sessionId = id;
    return world.watch;
  }

  /** The session that a fork was made of. */
  #leaveBehind({ path, lastSeq }: LogWatch): void {
    this.#world.parents.push({ path, bytes: readFileSync(path) });
    this.#parentLines = lastSeq;
    this.events += lastSeq;
  }

  /** It has ended, and did not die. */
  afterLife({ engine, failure, disk, said }: Life): void {
    const { watch } = this.#world;
    if (!engine || !watch || disk.isDead || watch.path !== engine.session.path) return;
    watch.read();
    mustEqualReplay(watch, engine);
    mustReadAsExpected(watch);
    if (failure === undefined) mustHaveRecorded(watch, said);
  }

  /** What the next process finds: all that was written, or what a power cut has left of it, of which `safe` bytes cannot be lost. */
  afterDeath({ seen }: Life, safe: number): void {
    const world = this.#world;
    const { watch } = world;
    if (!watch || !existsSync(watch.path)) return;
    watch.read();
    mustHold(watch, seen);
    const before = watch.state;
    const upTo = this.#powerCut(watch, safe);
    const replay = new LogWatch(watch.path, world);
    replay.read();
    mustHold(replay, seen, upTo);
    if (upTo === Number.POSITIVE_INFINITY && !Bun.deepEquals(replay.state, before, true)) {
      throw new Violation("a whole replay sees another session than the one that grew line by line");
    }
    world.watch = replay;
    this.#requests.forgetBehind(replay.lastSeq);
  }

  /** The seq up to which nothing can be lost. */
  #powerCut(watch: LogWatch, safe: number): number {
    const { dice, note } = this.#world;
    const size = statSync(watch.path).size;
    if (safe === 0 || safe >= size || !dice.chance(0.4)) return Number.POSITIVE_INFINITY;
    note("a power cut");
    const upTo = watch.seqWithin(safe);
    truncateSync(watch.path, safe + dice.below(size - safe));
    if (dice.chance(0.2)) truncateSync(watch.path, size); // blocks that were given to the file and never written
    return upTo;
  }
}
