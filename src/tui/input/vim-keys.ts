/** Vim's keys as the documents show them. What they do is in `vim-motions.ts` and `vim.ts`; a test holds the three together. */
export interface VimKeys {
  readonly keys: readonly string[];
  readonly about: string;
}

export const VIM_KEYS: readonly VimKeys[] = [
  { keys: ["h", "j", "k", "l"], about: "left, down, up, right" },
  { keys: ["w", "b", "e"], about: "to the next word, to the beginning of a word, to its end" },
  { keys: ["0", "^", "$"], about: "to the beginning of the line, to its first letter, to its end" },
  { keys: ["gg", "G"], about: "to the first line, to the last; with a count to that line" },
  { keys: ["f", "F", "t", "T"], about: "to a letter in the line, forwards and back; `t` and `T` stop before it" },
  { keys: ["i", "a", "I", "A"], about: "write before or behind the cursor, at the beginning of the line, at its end" },
  { keys: ["o", "O"], about: "write in a new line below or above" },
  { keys: ["x", "X", "s", "r"], about: "delete a letter, the one before, delete it and write, replace it" },
  { keys: ["d", "c", "y"], about: "delete, change, copy: with a motion as in `dw`, twice for the line as in `dd`" },
  { keys: ["D", "C", "Y"], about: "delete or change to the end of the line; copy the line" },
  { keys: ["p", "P"], about: "put what was deleted or copied behind the cursor, or before it" },
  { keys: ["u", "Ctrl+R"], about: "take a change back, make it again" },
];
