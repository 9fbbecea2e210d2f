/** What layout is given beside the item: everything a line depends on, so that the same input gives the same lines. */
import type { Item } from "../model/items.ts";
import type { Measure } from "./width.ts";

export interface LayoutContext {
  /** In cells; never below 1. */
  readonly width: number;
  readonly measure: Measure;
  /** Cards and thinking that the user unfolded show all they hold. */
  readonly isOpen: boolean;
  /** Below 40 columns everything takes one line, without decoration. */
  readonly isCompact: boolean;
  /** What stands before it; decides on the blank line between. Undefined: it is the first. */
  readonly follows?: Item | undefined;
}
