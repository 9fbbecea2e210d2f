/** The least that a list can be: looks at each log's size, and reads and parses the small file beside it. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { timed } from "./timed.ts";

const [, , folder = ""] = process.argv;
await timed(() => {
  let listed = 0;
  for (const name of readdirSync(folder).filter((one) => one.endsWith(".jsonl"))) {
    const { size } = statSync(join(folder, name));
    const { meta } = JSON.parse(readFileSync(join(folder, name.replace(/\.jsonl$/, ".meta.json")), "utf8"));
    if (size > 0 && meta) listed++;
  }
  return listed;
});
