/**
 * One open log: appends whole lines, and makes them safe. It knows nothing of what a line means. A line is in the file
 * completely or not at all, as far as anyone who asks this object can tell: what was cut is taken back.
 */
import { close, constants, fstatSync, openSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { errorCode, MAX_LINE_BYTES, StoreError } from "../../shared/index.ts";
import { type Disk, systemDisk } from "./disk.ts";
import { storeFailure } from "./failure.ts";
import { PRIVATE_FILE } from "./paths.ts";

const closeFile = (fd: number): Promise<void> =>
  new Promise((resolve, reject) => close(fd, (error) => (error ? reject(error) : resolve())));

const { O_RDWR, O_RDONLY, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Opens a log and refuses anything but a regular file. The caller owns the descriptor. Throws StoreError. */
export function openLog(
  path: string,
  mode: "read" | "append" | "create",
): { readonly fd: number; readonly stat: Stats } {
  const access = mode === "read" ? O_RDONLY : O_RDWR | O_APPEND;
  const creation = mode === "create" ? O_CREAT | O_EXCL : 0;
  try {
    const fd = openSync(path, access | creation | O_NOFOLLOW | O_NONBLOCK, PRIVATE_FILE);
    const stat = fstatSync(fd);
    if (stat.isFile()) return { fd, stat };
    void closeFile(fd);
  } catch (cause) {
    if (!NO_FILE.has(errorCode(cause) ?? "")) throw storeFailure(cause, `open ${path}`);
  }
  throw new StoreError(
    "io",
    `could not open ${path}: it is not a regular file. Move it away; nothing of it was touched.`,
  );
}

/** What opening a folder for writing, a symbolic link, or a socket ends with. */
const NO_FILE = new Set(["EISDIR", "ELOOP", "ENXIO"]);

export class LogFile {
  readonly path: string;
  readonly #fd: number;
  readonly #disk: Disk;
  /** Bytes of whole lines: what the file must have before the next append. */
  #length: number;
  /** Of those, how many a flush has reached, as far as this object answers for them. */
  #safeLength: number;
  /** A cut line could not be taken back yet. */
  #untrimmed = false;
  #broken: StoreError | undefined;
  #flight: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(path: string, fd: number, length: number, disk: Disk = systemDisk) {
    this.path = path;
    this.#fd = fd;
    this.#length = length;
    this.#safeLength = length;
    this.#disk = disk;
  }

  /** Bytes of whole lines, as this object wrote or found them. */
  get length(): number {
    return this.#length;
  }

  /** Writes one line. When it throws, a StoreError, the file holds what it held before. */
  append(line: string): void {
    const bytes = Buffer.from(`${line}\n`, "utf8");
    if (bytes.length > MAX_LINE_BYTES) throw tooLarge(bytes.length);
    this.#requireUnchanged();
    try {
      this.#writeAll(bytes);
    } catch (cause) {
      this.#untrimmed = true;
      const failure = storeFailure(cause, `write ${this.path}`);
      this.#trim();
      throw failure;
    }
    this.#length += bytes.length;
  }

  #writeAll(bytes: Uint8Array): void {
    // A full disk gives a short count first and its error only at the next call.
    for (let done = 0; done < bytes.length; ) {
      const count = this.#disk.write(this.#fd, bytes, done, bytes.length - done);
      if (count <= 0) throw new Error("the system wrote nothing and named no error");
      done += count;
    }
  }

  /** Takes a cut line back. When even that fails, the next append tries again before it writes. */
  #trim(): boolean {
    try {
      this.#disk.truncate(this.#fd, this.#length);
      this.#untrimmed = false;
    } catch {
      // Still cut: `#untrimmed` says so, and nothing is written behind it.
    }
    return !this.#untrimmed;
  }

  #requireUnchanged(): void {
    if (this.#broken) throw this.#broken;
    if (this.#untrimmed && !this.#trim()) {
      throw new StoreError("io", `could not remove a half-written line from ${this.path}; nothing more is written.`);
    }
    const { size, nlink } = fstatSync(this.#fd);
    if (size === this.#length && nlink > 0) return;
    const how = nlink === 0 ? "deleted or replaced" : `changed from ${this.#length} to ${size} bytes`;
    this.#broken = new StoreError(
      "changed-outside",
      `${this.path} was ${how} by another program; nothing more is written to it. Check it with "khaelor fsck", then start or resume a session.`,
    );
    throw this.#broken;
  }

  /**
   * Resolves when every line appended so far is on the disk. One flush runs at a time; later callers share the next. It begins
   * when the present run of the event loop is over, so that what is asked for at the response and at the start of its call,
   * which mostly follow at once, is one flush and not two in a row.
   */
  sync(): Promise<void> {
    if (this.#next !== undefined) return this.#next;
    const free = this.#flight?.catch(() => undefined) ?? new Promise<void>((resolve) => setImmediate(resolve));
    const next = free.then(() => this.#beginFlush());
    this.#next = next;
    quiet(next);
    return next;
  }

  #beginFlush(): Promise<void> {
    this.#next = undefined;
    const flight = this.#flushOnce().finally(() => {
      this.#flight = undefined;
    });
    this.#flight = flight;
    quiet(flight);
    return flight;
  }

  async #flushOnce(): Promise<void> {
    if (this.#broken) throw this.#broken;
    const length = this.#length;
    if (length === this.#safeLength) return;
    try {
      await this.#disk.flush(this.#fd);
      if (this.#safeLength === 0) this.#disk.syncFolder(dirname(this.path));
    } catch (cause) {
      // After a failed flush the system may forget the lost pages: a later success would prove nothing.
      this.#broken = storeFailure(cause, `bring ${this.path} onto the disk`);
      throw this.#broken;
    }
    this.#safeLength = length;
  }

  /** Gives up the descriptor and with it the lock. The object is not used afterwards. */
  async close(): Promise<void> {
    await closeFile(this.#fd);
  }
}

/** A flush may be started now and awaited later, or by another caller; its failure is kept and reaches every later call. */
function quiet(flight: Promise<void>): void {
  flight.catch(() => undefined);
}

function tooLarge(bytes: number): StoreError {
  return new StoreError(
    "too-large",
    `this event needs a line of ${bytes} bytes; the log takes ${MAX_LINE_BYTES}. Nothing was recorded; send it in parts or name a file instead.`,
  );
}
