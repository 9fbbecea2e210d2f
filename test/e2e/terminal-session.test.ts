/** A whole session on a terminal, at every size, dark and light. */
import { beforeAll, setDefaultTimeout, test } from "bun:test";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { RUN_TIMEOUT_MS } from "./stage.ts";
import { FILES, patientModel, session } from "./terminal-session.ts";
import { everything } from "./terminal-session-script.ts";
import { withTerminal } from "./terminal-stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

const SIZES = [
  { cols: 100, rows: 30 },
  { cols: 60, rows: 20 },
  { cols: 10, rows: 8 },
];

for (const size of SIZES) {
  test(`${size.cols}x${size.rows}`, () =>
    withTerminal({ script: patientModel, files: FILES }, async (stage) => {
      stage.commit();
      const terminal = stage.open({ ...size, env: { HOME: stage.root } });
      await everything(session(terminal, size), stage);
    }));
}
