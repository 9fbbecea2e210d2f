/**
 * A disk on which anything can go wrong, over real files: writes that are short, that fail, or in the middle of which the
 * process dies; flushes that come late or never; other processes' locks. It knows what of a log a power cut would leave.
 */
import { fstatSync } from "node:fs";
import { type Disk, systemDisk } from "../../src/session/index.ts";
import type { Dice } from "../support/story/dice.ts";
import type { Schedule } from "./schedule.ts";

/** The process ends in the middle of what it does. */
export class Died extends Error {}

/** How likely something goes wrong, each in [0, 1]. */
export interface DiskWeather {
  readonly shortWrite: number;
  readonly failure: number;
  readonly death: number;
  readonly lock: number;
}

export const CALM_DISK: DiskWeather = { shortWrite: 0, failure: 0, death: 0, lock: 0 };

interface OpenFile {
  written: number;
  safe: number;
  /** A flush has failed: what it was to bring onto the disk may be dropped, and no later flush tells. */
  isLost?: true;
}

export interface DiskParts {
  readonly dice: Dice;
  readonly schedule: Schedule;
  readonly weather: () => DiskWeather;
  /** Told what went wrong, by name. */
  readonly note: (what: string) => void;
  /** Told each line before the first byte of it is written. */
  readonly onLine: (line: string, isAllSafe: boolean) => void;
}

const LEAVING_MS = 5_000;

const FAILURES = ["ENOSPC", "EIO", "EROFS", "EDQUOT"] as const;

export class FaultyDisk implements Disk {
  readonly #parts: DiskParts;
  readonly #files = new Map<number, OpenFile>();
  /** An error that stays for so many calls: a disk is not full for one moment. */
  #trouble: { readonly code: string; calls: number } | undefined;
  /** What a lock meets here; decided at the first one. */
  #foreignLock: "none" | "held" | "unsupported" | undefined;
  isDead = false;
  /** What was done to it that nobody may do. */
  problem: string | undefined;
  /** A line was cut by an error, and nobody has tried to take it back. */
  #hasHalfALine = false;

  constructor(parts: DiskParts) {
    this.#parts = parts;
  }

  /** Of the log that is open: so many bytes would survive a power cut. */
  safeBytes(): number {
    return this.#log()?.safe ?? 0;
  }

  #log(): OpenFile | undefined {
    return [...this.#files.values()].at(-1);
  }

  write = (fd: number, bytes: Uint8Array, offset: number, length: number): number => {
    this.#mustLive();
    const { dice, weather, note, onLine } = this.#parts;
    const file = this.#file(fd);
    const { death, shortWrite, failure } = weather();
    if (offset === 0) onLine(Buffer.from(bytes).toString("utf8"), file.safe === file.written);
    if (dice.chance(death)) return this.#die(fd, bytes.subarray(offset, offset + length));
    if (this.#foreignLock === "held") this.problem ??= "a log is written whose lock somebody else holds";
    if (offset === 0 && this.#hasHalfALine) this.problem ??= "a line is written behind half a line";
    this.#mayFail(failure, "write", () => {
      this.#hasHalfALine = offset > 0;
    });
    const isFilling = offset === 0 && dice.chance(failure);
    const part = isFilling || dice.chance(shortWrite) ? 1 + dice.below(length) : length;
    if (part < length) note("a short write");
    if (part < length && isFilling) this.#trouble = { code: "ENOSPC", calls: 1 + dice.below(4) };
    const count = systemDisk.write(fd, bytes, offset, part);
    file.written += count;
    return count;
  };

  /** Before the write, in the middle of it, or behind it. */
  #die(fd: number, bytes: Uint8Array): never {
    const { dice, note } = this.#parts;
    const moment = dice.pick(["before", "during", "after"]);
    note(`a death ${moment} a write`);
    if (moment === "during") systemDisk.write(fd, bytes, 0, dice.below(bytes.length));
    if (moment === "after") systemDisk.write(fd, bytes, 0, bytes.length);
    this.isDead = true;
    throw new Died("the process died");
  }

  flush = async (fd: number): Promise<void> => {
    this.#mustLive();
    const { written } = this.#file(fd);
    await this.#parts.schedule.turn("flush");
    this.#mustLive();
    const file = this.#file(fd);
    this.#mayFail(this.#parts.weather().failure / 2, "flush", () => {
      file.isLost = true;
    });
    if (!file.isLost) file.safe = Math.max(file.safe, written);
  };

  flushNow = (fd: number): void => {
    this.#mustLive();
    this.#mayFail(this.#parts.weather().failure, "flush");
    const file = this.#file(fd);
    file.safe = file.written;
  };

  syncFolder = systemDisk.syncFolder;

  truncate = (fd: number, length: number): void => {
    this.#mustLive();
    this.#hasHalfALine = false;
    this.#mayFail(this.#parts.weather().failure, "truncate");
    systemDisk.truncate(fd, length);
    const file = this.#file(fd);
    file.written = length;
    file.safe = Math.min(file.safe, length);
  };

  /** A process that is not there any more may have left a watchdog, which holds the lock until its commands have ended. */
  lock = async (fd: number): ReturnType<Disk["lock"]> => {
    this.#mustLive();
    const { dice, weather, note } = this.#parts;
    if (this.#foreignLock === undefined) {
      this.#foreignLock = dice.chance(weather().lock) ? dice.pick(["held", "unsupported"]) : "none";
      if (this.#foreignLock !== "none") note(`a lock that is ${this.#foreignLock}`);
    }
    if (this.#foreignLock !== "none") return this.#foreignLock;
    for (const until = Date.now() + LEAVING_MS; ; await Bun.sleep(1)) {
      const outcome = await systemDisk.lock(fd);
      if (outcome !== "held" || Date.now() > until) return outcome;
    }
  };

  read = (path: string): Promise<Uint8Array> => {
    this.#mustLive();
    return this.#parts.schedule.pass("read a blob", () => systemDisk.read(path));
  };

  replace = async (path: string, content: Uint8Array): Promise<void> => {
    this.#mustLive();
    await this.#parts.schedule.pass("store a blob", async () => {
      this.#mayFail(this.#parts.weather().failure, "blob");
      await systemDisk.replace(path, content);
    });
    this.#mustLive();
  };

  /** What was cut has to be taken back before anything else happens, as far as the system lets one. */
  get leavesHalfALine(): boolean {
    return this.#hasHalfALine && !this.isDead;
  }

  /** Other processes' space, other people's cables: it is over. */
  mend(): void {
    this.#trouble = undefined;
  }

  #file(fd: number): OpenFile {
    const known = this.#files.get(fd);
    if (known) return known;
    const { size } = fstatSync(fd);
    const file = { written: size, safe: size };
    this.#files.set(fd, file);
    return file;
  }

  #mustLive(): void {
    if (this.isDead) throw new Died("the process is dead");
  }

  #mayFail(chance: number, where: string, before = (): void => undefined): void {
    const { dice, note } = this.#parts;
    if (!this.#trouble && dice.chance(chance)) {
      this.#trouble = { code: dice.pick(FAILURES), calls: 1 + dice.below(6) };
    }
    if (!this.#trouble) return;
    const { code } = this.#trouble;
    if (--this.#trouble.calls <= 0) this.#trouble = undefined;
    note(`${code} at a ${where}`);
    before();
    throw Object.assign(new Error(`simulated ${code}`), { code });
  }
}
