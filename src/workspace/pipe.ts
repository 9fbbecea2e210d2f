/**
 * A real pipe, made through libc. The runtime's own "pipe" is a pair of sockets, on which `> /dev/stdout` and
 * `tee /dev/stderr` in a user's command fail.
 */

import { dlopen, FFIType, ptr } from "bun:ffi";

export interface Pipe {
  readonly read: number;
  readonly write: number;
}

const LINUX_LIBRARIES = ["libc.so.6", `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`, "libc.so"];
export const LIBRARIES = process.platform === "darwin" ? ["libSystem.B.dylib"] : LINUX_LIBRARIES;
const O_CLOEXEC_LINUX = 0o2000000;
const F_SETFD = 2;
const FD_CLOEXEC = 1;

const F_GETFL = 3;
const F_SETFL = 4;
const O_NONBLOCK = process.platform === "darwin" ? 0x4 : 0o4000;

interface Calls {
  readonly make: () => Pipe;
  readonly control: (fd: number, command: number, value: number) => number;
}

let calls: Calls | undefined;

function library(): Calls {
  calls ??= process.platform === "darwin" ? darwinCalls() : linuxCalls();
  return calls;
}

/** Both ends are closed on exec; a child gets an end only by being handed it. The caller closes both. Throws. */
export const makePipe = (): Pipe => library().make();

/** From now on a write to this end takes what there is room for, or fails with EAGAIN. The other end stays as it is. Throws. */
export function neverBlock(fd: number): void {
  const { control } = library();
  const flags = control(fd, F_GETFL, 0);
  if (flags >= 0 && control(fd, F_SETFL, flags | O_NONBLOCK) === 0) return;
  throw Object.assign(new Error("a pipe could not be made to never block"), { code: "EIO" });
}

function linuxCalls(): Calls {
  const { i32, ptr: pointer } = FFIType;
  const { pipe2, fcntl } = firstLibrary(LINUX_LIBRARIES, (name) =>
    dlopen(name, {
      pipe2: { args: [pointer, i32], returns: i32 },
      fcntl: { args: [i32, i32, i32], returns: i32 },
    }),
  ).symbols;
  return { make: () => ends((pair) => pipe2(pair, O_CLOEXEC_LINUX)), control: fcntl };
}

/** Without pipe2, and with fcntl's third argument where Apple's arm64 convention puts variadic ones: on the stack. */
function darwinCalls(): Calls {
  const { i32, ptr: pointer } = FFIType;
  const library = dlopen("libSystem.B.dylib", {
    pipe: { args: [pointer], returns: i32 },
    fcntl: {
      args: process.arch === "arm64" ? [i32, i32, i32, i32, i32, i32, i32, i32, i32] : [i32, i32, i32],
      returns: i32,
    },
  });
  const { pipe, fcntl } = library.symbols;
  const call = fcntl as unknown as (...args: readonly number[]) => number;
  const padding = process.arch === "arm64" ? [0, 0, 0, 0, 0, 0] : [];
  const control = (fd: number, command: number, value: number) => call(fd, command, ...padding, value);
  const make = () => {
    const made = ends((pair) => pipe(pair));
    for (const fd of [made.read, made.write]) control(fd, F_SETFD, FD_CLOEXEC);
    return made;
  };
  return { make, control };
}

/** What loads from the first of the names that can be loaded. Throws when none can. */
export function firstLibrary<T>(names: readonly string[], load: (name: string) => T): T {
  const refusals: unknown[] = [];
  for (const name of names) {
    try {
      return load(name);
    } catch (error) {
      refusals.push(error);
    }
  }
  throw Object.assign(new AggregateError(refusals, `none of ${names.join(", ")} can be loaded`), { code: "ENOSYS" });
}

function ends(make: (pair: ReturnType<typeof ptr>) => number): Pipe {
  const pair = new Int32Array(2);
  const [read = -1, write = -1] = make(ptr(pair)) === 0 ? pair : [];
  if (read < 0) throw Object.assign(new Error("no pipe could be made: too many open files?"), { code: "EMFILE" });
  return { read, write };
}
