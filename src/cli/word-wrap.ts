/** Breaks streaming text between words, for terminals that would break it inside them. */

export interface WordWrap {
  /** What can be shown now; a word whose end has not come is kept back. */
  push(text: string): string;
  /** The word that was kept back. The next text begins a new line. */
  end(): string;
}

/** Without a width nothing is broken or kept back. A word that is wider than a line is left to the terminal. */
export function createWordWrap(width: number | undefined): WordWrap {
  if (width === undefined) return { push: (text) => text, end: () => "" };
  const limit = width;
  let column = 0;
  let blanks = "";
  let word = "";

  function placed(): string {
    if (word === "") return "";
    const size = Bun.stringWidth(word);
    const breaks = column > 0 && column + blanks.length + size > limit;
    const shown = `${breaks ? "\n" : blanks}${word}`;
    column = (breaks ? 0 : column + blanks.length) + size;
    blanks = word = "";
    return shown;
  }

  function push(text: string): string {
    let shown = "";
    for (const character of text) {
      if (character !== " " && character !== "\n") {
        word += character;
        continue;
      }
      shown += placed();
      if (character === " ") {
        blanks += " ";
      } else {
        shown += "\n";
        column = 0;
        blanks = "";
      }
    }
    return shown;
  }

  return {
    push,
    end() {
      const shown = placed();
      column = 0;
      blanks = "";
      return shown;
    },
  };
}

/** A whole text at once. */
export function wrapped(text: string, width: number | undefined): string {
  const wrap = createWordWrap(width);
  return wrap.push(text) + wrap.end();
}
