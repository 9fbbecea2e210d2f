/** The door of the terminal interface. */
export { type Coalescer, createCoalescer } from "./model/coalescer.ts";
export { type CoalescedFrame, omissionMarker } from "./model/frame.ts";
export { blockKey } from "./model/lanes.ts";
