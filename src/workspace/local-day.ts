/**
 * The day where the user is, from the C library: the runtime's own time zones take four milliseconds to load, and this is the
 * one question about local time at a start.
 */
import { dlopen, FFIType, ptr } from "bun:ffi";
import { firstLibrary, LIBRARIES } from "./pipe.ts";

/** Of `struct tm`, the same on Linux and macOS: seconds, minutes, hours, day, month from 0, years from 1900. */
const [DAY, MONTH, YEAR] = [3, 4, 5];
/** More than any system's `struct tm` has. */
const TM_INTS = 32;

/** yyyy-mm-dd; undefined where the library cannot be asked. */
export function localDay(epochMs: number): string | undefined {
  try {
    const { symbols, close } = firstLibrary(LIBRARIES, (name) =>
      dlopen(name, { localtime_r: { args: [FFIType.ptr, FFIType.ptr], returns: FFIType.ptr } }),
    );
    const time = new BigInt64Array([BigInt(Math.floor(epochMs / 1000))]);
    const parts = new Int32Array(TM_INTS);
    const isTold = symbols.localtime_r(ptr(time), ptr(parts)) !== null;
    close();
    if (!isTold) return undefined;
    const [day = 0, month = 0, year = 0] = [parts[DAY], parts[MONTH], parts[YEAR]];
    return [1900 + year, month + 1, day].map((number) => String(number).padStart(2, "0")).join("-");
  } catch {
    return undefined; // no library under the names that are known: the caller has another way
  }
}
