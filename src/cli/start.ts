/**
 * The first file that runs, and so small that the version is told as fast as an empty program ends. Everything else is in
 * main.ts, which is loaded only when there is more to do.
 */
import { writeSync } from "node:fs";
import { startClean } from "./clean-start.ts";
import { VERSION } from "./version.ts";

/** False when it could not be told: then main.ts tries in its own way, and says what is wrong. */
function tellsVersion(): boolean {
  try {
    writeSync(1, `khaelor ${VERSION}\n`);
    return true;
  } catch {
    return false;
  }
}

const [first = "", second] = process.argv.slice(2);
const isVersion = second === undefined && ["--version", "-v"].includes(first);
if (isVersion && tellsVersion()) process.exit(0);
startClean(); // before anything that a variable could make say too much
await import("./main.ts");
