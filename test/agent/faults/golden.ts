/** The table of faults in golden/faults.txt: what a person reads of each. `UPDATE_GOLDEN=1` writes it anew. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PATH = join(import.meta.dir, "../../golden/faults.txt");
export const isUpdating = process.env.UPDATE_GOLDEN === "1";

const HEAD = `What a person reads of each fault of the wire when khaelor -p meets it: once, and in every attempt.
Checked and written by test/agent/faults.
`;

export function readTable(): ReadonlyMap<string, string> {
  const blocks = readFileSync(PATH, "utf8").split("\n\n").slice(1);
  return new Map(
    blocks.map((block) => {
      const [name = "", ...lines] = block.trimEnd().split("\n");
      return [name, lines.join("\n")];
    }),
  );
}

export const writeTable = (table: ReadonlyMap<string, string>): void =>
  writeFileSync(PATH, `${HEAD}${[...table].map(([name, lines]) => `\n${name}\n${lines}\n`).join("")}`);
