/** The windows between system calls in which a program can be killed; shared by the tracer, which meets them, and by who asks for it. */
import type { Process } from "../processes.ts";

export type Side = "before" | "after" | "torn";

export interface Call {
  readonly name: "write" | "sync" | "rename" | "truncate";
  /** Which argument is the path; without it the first argument is a descriptor. */
  readonly path?: number;
}

export interface Window {
  readonly call: Call["name"];
  /** The name of a place. */
  readonly on: string;
  readonly side: Side;
  /** The type of the event whose line is written. */
  readonly of?: string;
}

/** What the tracer is told. */
export interface Order {
  readonly places: readonly { readonly name: string; readonly matches: string }[];
  /** A window's key; none ever fits the empty one. */
  readonly window: string;
  /** From 1. */
  readonly nth: number;
}

/** What it tells. */
export interface Report {
  readonly isMet: boolean;
  /** How often each window came. */
  readonly counts: Readonly<Record<string, number>>;
  /** Below the program when it was killed. */
  readonly children: readonly Process[];
}

export const windowKey = ({ call, on, side, of }: Window): string =>
  `${side}-${call}:${on}${of === undefined ? "" : `:${of}`}`;

/** By the numbers of each architecture; a rename is told by where it goes to. */
export const CALLS: Readonly<Partial<Record<string, Readonly<Record<number, Call>>>>> = {
  x64: {
    1: { name: "write" },
    18: { name: "write" },
    74: { name: "sync" },
    75: { name: "sync" },
    77: { name: "truncate" },
    82: { name: "rename", path: 1 },
    264: { name: "rename", path: 3 },
    316: { name: "rename", path: 3 },
  },
  arm64: {
    46: { name: "truncate" },
    64: { name: "write" },
    68: { name: "write" },
    82: { name: "sync" },
    83: { name: "sync" },
    38: { name: "rename", path: 3 },
    276: { name: "rename", path: 3 },
  },
};

/** Names for the files that matter. In this order: the first that fits counts. */
export const placesOf = ({ state, project }: { readonly state: string; readonly project: string }): Order["places"] => [
  { name: "log", matches: `^${state}/.*\\.jsonl$` },
  { name: "torn", matches: `^${state}/.*\\.torn$` },
  { name: "blob", matches: `^${state}/blobs/` },
  { name: "file", matches: `^${project}/[^.]` },
  { name: "stdout", matches: "^stdout$" },
];
