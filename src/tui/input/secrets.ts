/** What looks like a key to the API: it belongs into a field that shows none of it, and is never sent to the model. Pure. */
import type { PlacedChip } from "../screen/port.ts";

const KEY = /(?<![\w-])sk-ant-[\w-]{16,}/;
const ALONE = /^\s*(sk-ant-[\w-]*)\s*$/;

/** Nothing but a whole key. */
export const isKeyAlone = (text: string): boolean => ALONE.test(text) && KEY.test(text);

export interface Draft {
  readonly text: string;
  readonly chips: readonly PlacedChip[];
}

/** The first key in a draft, or what of one is typed so far, and the draft without any. Undefined: it holds none. */
export function keyTakenFrom(draft: Draft): { readonly key: string; readonly rest: Draft } | undefined {
  const begun = ALONE.exec(draft.text)?.[1];
  if (begun !== undefined) return { key: begun, rest: { text: "", chips: [] } };
  const key = KEY.exec(draft.text)?.[0];
  if (key === undefined) return undefined;
  let rest = draft;
  for (let found = KEY.exec(rest.text); found; found = KEY.exec(rest.text)) rest = without(rest, found);
  return { key, rest };
}

function without({ text, chips }: Draft, { 0: { length }, index: start }: RegExpExecArray): Draft {
  const end = start + length;
  return {
    text: text.slice(0, start) + text.slice(end),
    chips: chips.flatMap((chip) => {
      if (chip.end <= start) return [chip];
      return chip.start < end ? [] : [{ ...chip, start: chip.start - length, end: chip.end - length }];
    }),
  };
}
