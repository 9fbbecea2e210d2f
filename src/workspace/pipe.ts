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
const O_CLOEXEC_LINUX = 0o2000000;
const F_SETFD = 2;
const FD_CLOEXEC = 1;

let maker: (() => Pipe) | undefined;

/** Both ends are closed on exec; a child gets an end only by being handed it. The caller closes both. Throws. */
export function makePipe(): Pipe {
  maker ??= process.platform === "darwin" ? darwinMaker() : linuxMaker();
  return maker();
}

function linuxMaker(): () => Pipe {
  const pipe2 = firstLibrary(LINUX_LIBRARIES, (name) =>
    dlopen(name, { pipe2: { args: [FFIType.ptr, FFIType.i32], returns: FFIType.i32 } }),
  ).symbols.pipe2;
  return () => ends((pair) => pipe2(pair, O_CLOEXEC_LINUX));
}

/** Without pipe2, and with fcntl's third argument where Apple's arm64 convention puts variadic ones: on the stack. */
function darwinMaker(): () => Pipe {
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
  return () => {
    const made = ends((pair) => pipe(pair));
    for (const fd of [made.read, made.write]) call(fd, F_SETFD, ...padding, FD_CLOEXEC);
    return made;
  };
}

function firstLibrary<T>(names: readonly string[], load: (name: string) => T): T {
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
