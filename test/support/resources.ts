/**
 * What this process holds at a moment: subscriptions, timers, descriptors, signal handlers, children. Two such pictures are
 * compared, so each names the thing and not only its number.
 */
import { readdirSync, readlinkSync } from "node:fs";
import type { EventBus } from "../../src/shared/index.ts";
import { descendants } from "../e2e/processes.ts";

export interface Held {
  readonly subscriptions: number;
  /** Where each timer that has not fired was set. */
  readonly timers: readonly string[];
  /** What each open descriptor leads to, sockets left out. */
  readonly descriptors: readonly string[];
  /** Besides those of the connections to the model. */
  readonly sockets: number;
  /** One idle connection to the model may be kept or not, so none counts as one. */
  readonly connections: number;
  /** How many handlers of each event this process has. */
  readonly handlers: Readonly<Record<string, number>>;
  readonly children: readonly number[];
}

/** Whose resources are looked at. A simulator in this process holds the other end of each connection. */
export interface Holder {
  readonly bus?: Pick<EventBus, "subscriptions">;
  readonly simulator: { openConnections(): number };
}

export interface ResourceWatch extends Disposable {
  held(holder: Holder): Held;
  /** The picture as soon as it is right; the last one if it is not within two seconds. */
  heldOnce(holder: Holder, isRight: (held: Held) => boolean): Promise<Held>;
}

/** Counts timers from now on, until it is disposed of. */
export function watchResources(): ResourceWatch {
  const timers = watchTimers();
  const held: ResourceWatch["held"] = ({ bus, simulator }) => {
    const targets = descriptorTargets();
    const connections = simulator.openConnections();
    return {
      subscriptions: bus?.subscriptions() ?? 0,
      timers: timers.live(),
      descriptors: targets.filter((target) => !target.startsWith("socket:")),
      sockets: targets.filter((target) => target.startsWith("socket:")).length - 2 * connections,
      connections: Math.max(1, connections),
      handlers: Object.fromEntries(process.eventNames().map((name) => [String(name), process.listenerCount(name)])),
      children: descendants(process.pid).map(({ pid }) => pid),
    };
  };
  return {
    held,
    async heldOnce(holder, isRight) {
      // Closing is the system's and the runtime's business and takes its moment: nothing tells when it is over.
      for (let looks = 0; looks < 400; looks++) {
        if (isRight(held(holder))) break;
        await Bun.sleep(5);
      }
      return held(holder);
    },
    [Symbol.dispose]: timers.restore,
  };
}

function descriptorTargets(): readonly string[] {
  return readdirSync("/proc/self/fd")
    .flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/self/fd/${fd}`)];
      } catch {
        return []; // the one that listed the folder
      }
    })
    .sort();
}

type Task = (...values: unknown[]) => void;

function watchTimers(): { live(): readonly string[]; restore(): void } {
  const { setTimeout: once, setInterval: again, clearTimeout: forget, clearInterval: stop } = globalThis;
  const places = new Map<unknown, string>();
  const watchedOnce = (task: Task, ms?: number, ...values: unknown[]) => {
    const timer = once(() => {
      places.delete(timer);
      task(...values);
    }, ms);
    places.set(timer, placeOf(new Error().stack ?? ""));
    return timer;
  };
  const watchedAgain = (task: Task, ms?: number, ...values: unknown[]) => {
    const timer = again(() => task(...values), ms);
    places.set(timer, placeOf(new Error().stack ?? ""));
    return timer;
  };
  const cleared = (clear: (timer: Timer | undefined) => void) => (timer: Timer | undefined) => {
    places.delete(timer);
    clear(timer);
  };
  Object.assign(globalThis, {
    setTimeout: Object.assign(watchedOnce, once),
    setInterval: watchedAgain,
    clearTimeout: cleared(forget),
    clearInterval: cleared(stop),
  });
  return {
    live: () => [...places.values()].sort(),
    restore: () =>
      Object.assign(globalThis, { setTimeout: once, setInterval: again, clearTimeout: forget, clearInterval: stop }),
  };
}

/** The first line of the stack that is not this file's. */
const placeOf = (stack: string): string =>
  stack
    .split("\n")
    .slice(1)
    .find((line) => !line.includes("support/resources.ts"))
    ?.trim() ?? "somewhere";

/**
 * What is held beyond an earlier picture: its descriptors without those that were there before. Fewer is no leak: what tests
 * before this one have left is collected at its own time.
 */
export function heldBeyond(now: Held, before: Held): Held {
  const known = [...before.descriptors];
  const descriptors = now.descriptors.filter((name) => {
    const at = known.indexOf(name);
    if (at !== -1) known.splice(at, 1);
    return at === -1;
  });
  return { ...now, descriptors };
}
