/** Questions of every kind, and a permission panel to meet them. */

import { measureBy } from "../../../src/tui/layout/width.ts";
import type { OpenQuestion } from "../../../src/tui/model/items.ts";
import { createPermissionPanel, DEAD_MS, type PermissionPanelParts } from "../../../src/tui/view/permission-panel.ts";
import { manualClock } from "../../support/clock.ts";
import { textOf } from "../../support/frames.ts";
import { key } from "../input/keys.ts";

export const measure = measureBy("unicode");

export const bash = (command: string, more: Partial<OpenQuestion> = {}): OpenQuestion => ({
  requestId: "q1",
  toolUseId: "t1",
  call: { name: "bash", input: { command } },
  capability: "process.execute",
  descriptor: `Run \`${command.slice(0, 200)}\``,
  suggestion: undefined,
  because: "Commands ask until a rule allows them.",
  tier: "default",
  mention: undefined,
  ...more,
});
export const PUSH = bash("git push origin fix/torn-tail", {
  capability: "git.modify",
  suggestion: { capability: "git.modify", pattern: "git push origin *" },
  because: "It publishes commits.",
});
export const edit = (old_string: string, new_string: string): OpenQuestion =>
  bash("", {
    call: { name: "edit", input: { file_path: "src/a.ts", old_string, new_string } },
    capability: "file.write.project",
    descriptor: "Write src/a.ts",
    because: "Files of the project ask before they change.",
  });
export const LOOP = bash("npm test", {
  capability: "loop.continue",
  because: "The same call for the third time, with the same result.",
});
export const MENTION = bash("", {
  requestId: "m",
  toolUseId: undefined,
  call: undefined,
  capability: "filesystem.outsideProject",
  descriptor: "Read ~/notes.txt",
  because: "It lies outside of the project.",
  mention: "~/notes.txt",
});

/** A panel, its clock, a draft, and what it answered. */
export function stage() {
  const clock = manualClock();
  const answers: Parameters<PermissionPanelParts["respond"]>[] = [];
  const said: string[] = [];
  const composer = { draft: "", isElsewhere: false };
  const panel = createPermissionPanel({
    measure: () => measure,
    now: clock.now,
    after: clock.after,
    hasDraft: () => composer.draft !== "",
    toDraft: (text) => {
      composer.draft += text;
    },
    isElsewhere: () => composer.isElsewhere,
    respond: (...answer) => answers.push(answer),
    say: (text) => said.push(text),
    onChange: () => undefined,
  });
  return {
    said,
    clock,
    answers,
    composer,
    panel,
    /** Long enough ago to be answered. */
    show(...questions: OpenQuestion[]) {
      panel.update(questions);
      panel.rows({ width: 100, height: 20 });
      clock.advance(DEAD_MS);
    },
    press: (...names: string[]) => names.map((name) => panel.key(key(name))),
    seen: (width = 100, height = 20) =>
      panel
        .rows({ width, height })
        .map((line) => textOf(line).trimEnd())
        .join("\n"),
  };
}
