/**
 * What one process waits for from outside. Nothing outside goes on by itself: each thing waits here until it is chosen, so that
 * chance decides about every order, and the same chance decides the same again.
 */

export interface Waiting {
  readonly what: string;
  readonly go: () => void;
  readonly fail: (error: Error) => void;
}

/** How often the event loop has to turn with nothing new before a process counts as being at rest. */
const QUIET_TURNS = 3;

export class Schedule {
  #waiting: Waiting[] = [];
  #running = new Set<Promise<unknown>>();
  /** Counts what was added, so that rest can be told from work. */
  #added = 0;

  /** Grows with everything that happens here. */
  get added(): number {
    return this.#added;
  }

  /** Nothing can be waited for any more: the process is dead. */
  #end: Error | undefined;

  get waiting(): readonly Waiting[] {
    return this.#waiting;
  }

  /** Something was done of which nobody knows yet: the moment in which an end is worst. */
  get hasActed(): boolean {
    return this.#waiting.some(({ what }) => /^end: (write|exec|spawn)/.test(what));
  }

  get isWorking(): boolean {
    return this.#running.size > 0;
  }

  /** Resolves when it is chosen or when `signal` aborts, rejects when neither can be any more. */
  turn(what: string, signal?: AbortSignal): Promise<void> {
    return new Promise((go, fail) => {
      this.#added++;
      if (this.#end) return fail(this.#end);
      if (signal?.aborted) return go();
      const waiting = { what, go, fail };
      this.#waiting.push(waiting);
      signal?.addEventListener("abort", () => this.choose(waiting), { once: true });
    });
  }

  /** `act` happens when it is chosen; what came of it is told when it is chosen again. */
  async pass<T>(what: string, act: () => Promise<T>): Promise<T> {
    await this.turn(`begin: ${what}`);
    const outcome = await this.#run(act).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    await this.turn(`end: ${what}`);
    if ("error" in outcome) throw outcome.error;
    return outcome.value;
  }

  /** There is no rest before this is over. */
  hold(working: Promise<unknown>): void {
    void this.#run(() => working);
  }

  #run<T>(act: () => Promise<T>): Promise<T> {
    const running = act();
    this.#running.add(running);
    const done = (): void => {
      this.#running.delete(running);
      this.#added++;
    };
    running.then(done, done);
    return running;
  }

  choose(chosen: Waiting): void {
    this.#added++;
    this.#waiting = this.#waiting.filter((one) => one !== chosen);
    chosen.go();
  }

  /** Resolves when whatever was set going has come to rest: it waits here, or for nothing at all. */
  async rest(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
      const before = this.#added;
      if (this.#running.size > 0) await Promise.allSettled(this.#running);
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#added !== before || this.#running.size > 0) quiet = -1;
    }
  }

  end(error: Error): void {
    this.#end = error;
    for (const { fail } of this.#waiting.splice(0)) fail(error);
  }
}
