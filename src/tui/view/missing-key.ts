/** What is shown when there is no key for the model: that it is so, and every way out, one of them right here. */
import { errorMessage } from "../../shared/index.ts";
import { createTextField } from "../input/text-field.ts";
import { type Key, keyName } from "../key.ts";
import { safeRow } from "../layout/plain-text.ts";
import type { Piece } from "../layout/span.ts";
import type { Measure } from "../layout/width.ts";
import { wrapText } from "../layout/wrap.ts";
import { EMPTY_LINE, type Line } from "../line.ts";
import type { Outside } from "../ports.ts";
import { fieldLeft, fieldLine, fieldWidth } from "./field-line.ts";
import type { Area, Layer } from "./layer.ts";
import { fittedLine, isCompact } from "./row.ts";

export interface MissingKeyParts {
  /** What the host said, for people. */
  readonly message: string;
  /** What stood in the draft already. */
  readonly key?: string;
  readonly storeKey: Outside["storeKey"];
  /** The key is kept: open again, and take this away. What it rejects with is shown. */
  readonly reopen: () => Promise<void>;
  readonly onQuit: () => void;
  readonly measure: () => Measure;
  readonly onChange: () => void;
}

type State =
  | { readonly kind: "asking" }
  /** The key came from the draft. */
  | { readonly kind: "moved" }
  | { readonly kind: "working" }
  | { readonly kind: "failed"; readonly why: string };

export function createMissingKey(parts: MissingKeyParts): Layer {
  const field = createTextField({ isSecret: true, placeholder: "paste it here", initial: parts.key ?? "" });
  let state: State = { kind: parts.key ? "moved" : "asking" };
  function turn(next: State): void {
    state = next;
    parts.onChange();
  }
  async function keep(): Promise<void> {
    const key = field.text().trim();
    if (key === "" || state.kind === "working") return;
    field.set("");
    turn({ kind: "working" });
    try {
      await parts.storeKey(key);
      await parts.reopen();
      turn({ kind: "asking" });
    } catch (error) {
      turn({ kind: "failed", why: errorMessage(error) });
    }
  }
  const plan = (area: Area) => planFor({ ...parts, measure: parts.measure() }, state, area);
  return {
    name: "missing-key",
    place: "full",
    rows(area) {
      const { before, after, left } = plan(area);
      const drawn = field.line(fieldWidth(area.width), parts.measure());
      return [...before, fieldLine(drawn.line, left), ...after].slice(0, area.height);
    },
    cursor(area) {
      const { before, left } = plan(area);
      return { x: left + field.line(fieldWidth(area.width), parts.measure()).cursor, y: before.length };
    },
    key: (key) =>
      keyed(key, {
        onQuit: parts.onQuit,
        keep: () => void keep(),
        type: () => field.key(key),
        turn: () => turn(state),
      }),
    paste(text) {
      field.paste(text);
      parts.onChange();
      return true;
    },
  };
}

interface Acts {
  readonly onQuit: () => void;
  readonly keep: () => void;
  readonly type: () => void;
  readonly turn: () => void;
}

function keyed(key: Key, { onQuit, keep, type, turn }: Acts): boolean {
  const name = keyName(key);
  if (name === "ctrl+z" || name === "ctrl+l") return false;
  if (name === "escape" || name === "ctrl+c" || name === "ctrl+d") onQuit();
  else if (name === "enter") keep();
  else type();
  turn();
  return true;
}

interface Plan {
  readonly before: readonly Line[];
  readonly after: readonly Line[];
  readonly left: number;
}

const WAYS = [
  ["khaelor login", "asks for it and keeps it"],
  ["ANTHROPIC_API_KEY", "in the environment, for one shell"],
  ["khaelor demo", "shows how it works and needs none"],
] as const;

/** What there is room for around the line to type into, which is always there. */
function planFor(
  { message, measure }: Pick<MissingKeyParts, "message"> & { readonly measure: Measure },
  state: State,
  { width, height }: Area,
): Plan {
  const left = fieldLeft(width);
  const margin = isCompact(width) ? "" : "   ";
  const line = (...pieces: readonly Piece[]): Line =>
    fittedLine([{ tone: "fg", text: margin }, ...pieces], width, measure);
  const title = fittedLine(
    [{ tone: "fg", bold: true, text: `${isCompact(width) ? "" : " "}There is no key for the model yet` }],
    width,
    measure,
  );
  if (height < 4) return { before: height > 1 ? [title] : [], after: [], left };
  const told = stateLine(state, line);
  if (height < 14) return { before: [title, told], after: wayLines(line, measure), left };
  const isInList = WAYS.every(([way]) => message.includes(way));
  const said = wrapText(
    safeRow(isInList ? "" : message),
    { tone: "muted" },
    { width: Math.max(1, Math.min(100, width - 6)), measure, isOpen: false, isCompact: isCompact(width) },
  );
  return {
    before: [
      title,
      EMPTY_LINE,
      ...(isInList ? [] : [...said.slice(0, 4).map(({ spans }) => line(...spans)), EMPTY_LINE]),
      line({ tone: "fg", text: "Paste it here; the file that keeps it is yours alone." }),
    ],
    after: [
      told,
      EMPTY_LINE,
      line({ tone: "fg", text: "Or:" }),
      ...wayLines(line, measure),
      EMPTY_LINE,
      line({ tone: "muted", text: "Enter keep it and begin · Esc quit" }),
    ],
    left,
  };
}

const wayLines = (line: (...pieces: readonly Piece[]) => Line, measure: Measure): readonly Line[] => {
  const widest = Math.max(...WAYS.map(([way]) => measure(way)));
  return WAYS.map(([way, about]) =>
    line({ tone: "code", text: way.padEnd(widest) }, { tone: "muted", text: `  ${about}` }),
  );
};

function stateLine(state: State, line: (...pieces: readonly Piece[]) => Line): Line {
  if (state.kind === "failed") return line({ tone: "error", text: `✗ ${safeRow(state.why)}` });
  if (state.kind === "moved") return line({ tone: "muted", text: "· moved here from the draft" });
  return state.kind === "working" ? line({ tone: "muted", text: "◌ opening with it" }) : EMPTY_LINE;
}
