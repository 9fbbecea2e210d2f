/**
 * Runs a command and watches its system calls, to end it with SIGKILL inside a window that nobody outside can hit by luck: before,
 * after or in the middle of the n-th write of a line, of a flush, of a rename. `bun tracer.ts ORDER.json COMMAND…`; what was met
 * is written beside the order. Linux on x64 and arm64, where a process may trace its children.
 */
import { dlopen, ptr } from "bun:ffi";
import { closeSync, openSync, readFileSync, readlinkSync, readSync, writeFileSync } from "node:fs";
import { descendants } from "../processes.ts";
import { CALLS, type Call, type Order, type Report, type Side, windowKey } from "./windows.ts";

const { ptrace, waitpid, kill } = dlopen("libc.so.6", {
  ptrace: { args: ["i64", "i64", "i64", "i64"], returns: "i64" },
  waitpid: { args: ["i32", "ptr", "i32"], returns: "i32" },
  kill: { args: ["i32", "i32"], returns: "i32" },
}).symbols;

/** Of linux/ptrace.h. */
const [POKE_USER, SYSCALL, SEIZE, INTERRUPT, GET_SYSCALL_INFO] = [6, 24, 0x4206, 0x4207, 0x420e];
const [TRACE_SYSGOOD, TRACE_CLONE, EXIT_KILL] = [1, 8, 1 << 20];
const WAIT_ALL = 0x40000000;
const SYSCALL_STOP = 5 | 0x80;
const [ENTRY, EXIT] = [1, 2];
const RDX_IN_USER = 96;
const SIGKILL = 9;

const [orderPath = "", ...command] = process.argv.slice(2);
const order = JSON.parse(readFileSync(orderPath, "utf8")) as Order;
const child = Bun.spawn(command, { stdio: ["inherit", "inherit", "inherit"] });
const isTraced =
  Number(ptrace(SEIZE, child.pid, 0, TRACE_SYSGOOD | TRACE_CLONE | EXIT_KILL)) === 0 &&
  Number(ptrace(INTERRUPT, child.pid, 0, 0)) === 0;
const memory = isTraced ? openSync(`/proc/${child.pid}/mem`, "r") : -1;
const calls: ReadonlyMap<number, Call> = new Map(
  Object.entries(CALLS[process.arch] ?? {}).map(([nr, call]) => [Number(nr), call]),
);

const counts: Record<string, number> = {};
const report: { -readonly [K in keyof Report]: Report[K] } = { isMet: false, counts, children: [] };
const status = new Int32Array(1);
const facts = new Uint8Array(96);
const view = new DataView(facts.buffer);
/** By thread: the call that it is in, and what is known of it. */
const inside = new Map<number, Place>();

interface Place {
  readonly call: Call["name"];
  readonly on: string;
  readonly of: string | undefined;
  isTorn?: true;
}

function follow(): number {
  for (;;) {
    const thread = waitpid(-1, ptr(status), WAIT_ALL);
    const state = status[0] ?? 0;
    if (thread < 0) return 0;
    if ((state & 0xff) !== 0x7f) {
      inside.delete(thread);
      if (thread === child.pid) return state;
      continue;
    }
    const signal = (state >> 8) & 0xff;
    const isEvent = state >> 16 !== 0;
    if (signal === SYSCALL_STOP) look(thread);
    ptrace(SYSCALL, thread, 0, isEvent || signal === SYSCALL_STOP ? 0 : signal);
  }
}

function look(thread: number): void {
  ptrace(GET_SYSCALL_INFO, thread, facts.length, Number(ptr(facts)));
  if (facts[0] === ENTRY) {
    const call = calls.get(Number(view.getBigUint64(24, true)));
    const place = call && placeOf(call);
    if (!place) return;
    inside.set(thread, place);
    if (meets(place, "before")) end();
    else if (meets(place, "torn") && process.arch === "x64") {
      place.isTorn = true;
      ptrace(POKE_USER, thread, RDX_IN_USER, Math.floor(argument(2) / 2));
    }
    return;
  }
  const place = facts[0] === EXIT ? inside.get(thread) : undefined;
  inside.delete(thread);
  if (!place || Number(view.getBigInt64(24, true)) < 0) return;
  if (place.isTorn || meets(place, "after")) end();
}

const argument = (at: number): number => Number(view.getBigUint64(32 + 8 * at, true));

/** Where in the state folder or the project the call acts; undefined elsewhere. */
function placeOf({ name, path: at }: Call): Place | undefined {
  const path = at === undefined ? pathOf(argument(0)) : stringAt(argument(at));
  const on = order.places.find(({ matches }) => new RegExp(matches).test(path))?.name;
  if (on === undefined) return undefined;
  const of = name === "write" && on === "log" ? typeOf(bytesAt(argument(1), Math.min(argument(2), 400))) : undefined;
  return { call: name, on, of };
}

function pathOf(fd: number): string {
  if (fd === 1) return "stdout";
  try {
    return readlinkSync(`/proc/${child.pid}/fd/${fd}`);
  } catch {
    return ""; // closed meanwhile, or no file of a name
  }
}

function bytesAt(address: number, size: number): string {
  const bytes = new Uint8Array(size);
  try {
    return Buffer.from(bytes.subarray(0, readSync(memory, bytes, 0, size, address))).toString("latin1");
  } catch {
    return ""; // not mapped to its full size
  }
}

/** Paths are short; a page's end may cut what is behind. */
const stringAt = (address: number): string =>
  (bytesAt(address, 1024) || bytesAt(address, 4096 - (address % 4096))).split("\0")[0] ?? "";

const typeOf = (line: string): string | undefined => /"type":"([a-z.-]+)"/.exec(line)?.[1];

/** Counts it too: each window by itself, and for lines of the log those of every type together. */
function meets({ call, on, of }: Place, side: Side): boolean {
  let isMet = false;
  for (const name of of === undefined ? [undefined] : [undefined, of]) {
    const key = windowKey({ call, on, side, ...(name !== undefined && { of: name }) });
    counts[key] = (counts[key] ?? 0) + 1;
    if (key === order.window && counts[key] === order.nth) isMet = true;
  }
  return isMet;
}

function end(): void {
  report.children = descendants(child.pid);
  report.isMet = true;
  kill(child.pid, SIGKILL);
}

const state = isTraced ? follow() : await child.exited;
if (memory >= 0) closeSync(memory);
writeFileSync(`${orderPath}.report`, JSON.stringify(report));
const killed = state & 0x7f;
if (killed !== 0 && isTraced) process.kill(process.pid, killed);
process.exit(isTraced ? (state >> 8) & 0xff : state);
