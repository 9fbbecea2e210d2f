/** Figures as data: their medians, ratios and verdicts, and the table that a person reads. Measures nothing. */

export type Unit = "ms" | "µs" | "bytes" | "MB" | "%" | "/s" | "USD" | "";

export type Aim = { readonly ratio: number } | { readonly most: number };

export interface Figure {
  readonly name: string;
  readonly unit: Unit;
  /** One value for each round; empty when there is no such program to compare with. */
  readonly floor: readonly number[];
  readonly product: readonly number[];
  readonly aim?: Aim;
  /** Why there is no figure. */
  readonly unmeasured?: string;
}

export type Verdict = "met" | "MISSED" | "not measured" | "";

/** A figure as it is told: medians, and what they come to. */
export interface Row {
  readonly name: string;
  readonly unit: Unit;
  readonly floor: number | null;
  readonly product: number | null;
  readonly ratio: number | null;
  readonly aim: Aim | null;
  readonly verdict: Verdict;
  readonly rounds: number;
  /** Of the product: how far its rounds lie apart. */
  readonly range: readonly [least: number, most: number] | null;
  readonly unmeasured?: string;
}

/** The middle value, or the mean of the middle two; null of nothing. */
export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] ?? 0)) / 2;
}

export function rowOf({ name, unit, floor, product, aim, unmeasured }: Figure): Row {
  const [below, ours] = [median(floor), median(product)];
  const ratio = below !== null && ours !== null && below > 0 ? ours / below : null;
  return {
    name,
    unit,
    floor: below,
    product: ours,
    ratio,
    aim: aim ?? null,
    verdict: verdictOn(aim, ours, ratio),
    rounds: product.length,
    range: product.length > 0 ? [Math.min(...product), Math.max(...product)] : null,
    ...(unmeasured !== undefined && { unmeasured }),
  };
}

function verdictOn(aim: Aim | undefined, product: number | null, ratio: number | null): Verdict {
  if (product === null) return "not measured";
  if (!aim) return "";
  if ("most" in aim) return product <= aim.most ? "met" : "MISSED";
  if (ratio === null) return "not measured";
  return ratio <= aim.ratio ? "met" : "MISSED";
}

const HEADINGS = ["figure", "floor", "khaelor", "range", "ratio", "aim", ""] as const;

/** Plain text, columns aligned; a figure that could not be taken says why below. */
export function renderTable(rows: readonly Row[]): string {
  const cells = [HEADINGS, ...rows.map(cellsOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...cells.map((row) => [...(row[column] ?? "")].length)));
  const lines = cells.map((row) => row.map((cell, column) => pad(cell, widths[column] ?? 0, column)).join("  "));
  const rule = widths.map((width) => "-".repeat(width)).join("  ");
  const reasons = rows.flatMap(({ name, unmeasured }) => (unmeasured === undefined ? [] : [`${name}: ${unmeasured}`]));
  return [...lines.toSpliced(1, 0, rule), ...reasons].map((line) => line.trimEnd()).join("\n");
}

function cellsOf({ name, unit, floor, product, range, ratio, aim, verdict }: Row): readonly string[] {
  const shown = (value: number | null): string => (value === null ? "–" : `${digits(value)} ${unit}`);
  const spread = range === null || range[0] === range[1] ? "" : `${digits(range[0])}–${digits(range[1])}`;
  const wanted = aim === null ? "" : "ratio" in aim ? `≤ ${aim.ratio}×` : `≤ ${digits(aim.most)} ${unit}`;
  const times = ratio === null ? "" : `${ratio.toFixed(2)}×`;
  return [name, shown(floor), shown(product), spread, times, wanted, verdict];
}

/** Three figures that mean something, or the whole number where it is larger. */
const digits = (value: number): string =>
  value >= 100 ? String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",") : value.toPrecision(3);

/** Names stand left, numbers right. */
function pad(cell: string, width: number, column: number): string {
  const blanks = " ".repeat(width - [...cell].length);
  const isText = column === 0 || column === HEADINGS.length - 1;
  return isText ? cell + blanks : blanks + cell;
}
