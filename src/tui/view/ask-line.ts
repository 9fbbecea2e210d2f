/** One line that is asked for, above the composer. A secret is shown as dots and forgotten with the layer. */
import { createTextField } from "../input/text-field.ts";
import { keyName } from "../key.ts";
import { safeRow } from "../layout/plain-text.ts";
import type { Measure } from "../layout/width.ts";
import { fieldLine, fieldWidth, fieldLeft as left } from "./field-line.ts";
import type { Layer } from "./layer.ts";
import { fittedLine, titleRule } from "./row.ts";

export interface AskLineParts {
  readonly label: string;
  readonly isSecret?: boolean;
  readonly initial?: string;
  readonly measure: () => Measure;
  /** Called once; undefined: given up. The layer is the caller's to remove. */
  readonly onDone: (text: string | undefined) => void;
  readonly onChange: () => void;
}

export function createAskLine(parts: AskLineParts): Layer {
  const { label, isSecret = false, initial = "", measure, onDone, onChange } = parts;
  const field = createTextField({ initial, isSecret });
  const drawn = (width: number) => field.line(fieldWidth(width), measure());
  const done = (text: string | undefined) => {
    field.set("");
    onDone(text);
  };
  return {
    name: "ask-line",
    place: "above",
    rows({ width, height }) {
      const asked = titleRule(safeRow(label), width, measure());
      const hint = fittedLine(
        [{ tone: "muted", text: `${" ".repeat(left(width))}Enter answer · Esc give up` }],
        width,
        measure(),
      );
      const line = fieldLine(drawn(width).line, left(width));
      if (height < 2) return [line].slice(0, height);
      return height < 4 ? [asked, line] : [asked, line, hint];
    },
    cursor: ({ width, height }) => ({ x: left(width) + drawn(width).cursor, y: height < 2 ? 0 : 1 }),
    key(key) {
      const name = keyName(key);
      if (name === "ctrl+z" || name === "ctrl+l") return false;
      if (name === "enter") done(field.text());
      else if (name === "escape" || name === "ctrl+c") done(undefined);
      else field.key(key);
      onChange();
      return true;
    },
    paste(text) {
      field.paste(text);
      onChange();
      return true;
    },
  };
}
