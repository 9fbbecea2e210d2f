/** What was said before, to be walked through from the draft: older sessions first, then this one. What is being written is kept at the bottom. */
import type { SaidBefore } from "../ports.ts";
import type { PlacedChip } from "../screen/port.ts";
import { expanded } from "./said.ts";
import { chipsOf } from "./said-chips.ts";

export interface Written {
  readonly text: string;
  readonly chips: readonly PlacedChip[];
}

export interface PromptHistory {
  /** Of other sessions and from before; the newest first. */
  setOlder(said: readonly SaidBefore[]): void;
  /** Newer than all else; the draft that a walk has left stands before it. */
  add(written: Written): void;
  /** The newest first, each once. */
  texts(): readonly string[];
  /** With its files, by one of `texts`. */
  find(text: string): Written | undefined;
  /**
   * What stands before what is shown now; undefined at the beginning. `isChanged`: what is shown is not as the last step left it.
   * Then it is the draft, and the draft of before is in the history.
   */
  back(current: Written, isChanged: boolean): Written | undefined;
  /** What stands behind it, at the end the draft; undefined when that is shown already. */
  forward(current: Written, isChanged: boolean): Written | undefined;
}

const MAX_ENTRIES = 1000;

export function createPromptHistory(): PromptHistory {
  let older: readonly Written[] = [];
  let own: readonly Written[] = [];
  /** How far up from the bottom; 0 is the draft. */
  let up = 0;
  let draft: Written = { text: "", chips: [] };
  const all = (): readonly Written[] => {
    const said = new Set(own.map(textOf));
    return [...older.filter((one) => !said.has(one.text)), ...own];
  };
  const shown = (entries: readonly Written[]) => entries[entries.length - up];
  function put(written: Written): void {
    const text = textOf(written);
    if (text.trim() === "") return;
    own = [...own.filter((one) => textOf(one) !== text), written].slice(-MAX_ENTRIES);
  }
  function endWalk(): void {
    if (up > 0) put(draft);
    up = 0;
  }
  /** By what the walk says: the editor shows a text cleaned and cut, so that comparing it tells nothing. */
  function keep(current: Written, isChanged: boolean): void {
    if (isChanged) endWalk();
    if (up === 0) draft = current;
  }
  return {
    setOlder(said) {
      older = said.slice(0, MAX_ENTRIES).toReversed().map(written);
    },
    add(written) {
      endWalk();
      put(written);
    },
    texts: () => all().map(textOf).toReversed(),
    find: (text) => all().findLast((one) => textOf(one) === text),
    back(current, isChanged) {
      keep(current, isChanged);
      const entries = all();
      if (up >= entries.length) return undefined;
      up++;
      return shown(entries);
    },
    forward(current, isChanged) {
      keep(current, isChanged);
      if (up === 0) return undefined;
      up--;
      return up === 0 ? draft : shown(all());
    },
  };
}

const written = ({ text, mentions }: SaidBefore): Written => ({ text, chips: chipsOf(text, mentions) });
const textOf = ({ text, chips }: Written): string => expanded(text, chips);
