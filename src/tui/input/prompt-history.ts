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
  add(written: Written): void;
  /** The newest first, each once. */
  texts(): readonly string[];
  /** What stands before what is shown now; undefined at the beginning. What was changed is kept as the draft. */
  back(current: Written): Written | undefined;
  /** What stands behind it, at the end the draft; undefined when that is shown already. */
  forward(current: Written): Written | undefined;
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
  function keep(current: Written, entries: readonly Written[]): void {
    if (up === 0) draft = current;
    else if (shown(entries)?.text !== current.text) [draft, up] = [current, 0]; // it was changed: that is what is written now
  }
  return {
    setOlder(said) {
      older = said.slice(0, MAX_ENTRIES).toReversed().map(written);
    },
    add(written) {
      up = 0;
      const text = textOf(written);
      if (text.trim() === "") return;
      own = [...own.filter((one) => textOf(one) !== text), written].slice(-MAX_ENTRIES);
    },
    texts: () => all().map(textOf).toReversed(),
    back(current) {
      const entries = all();
      keep(current, entries);
      if (up >= entries.length) return undefined;
      up++;
      return shown(entries);
    },
    forward(current) {
      const entries = all();
      keep(current, entries);
      if (up === 0) return undefined;
      up--;
      return up === 0 ? draft : shown(entries);
    },
  };
}

const written = ({ text, mentions }: SaidBefore): Written => ({ text, chips: chipsOf(text, mentions) });
const textOf = ({ text, chips }: Written): string => expanded(text, chips);
