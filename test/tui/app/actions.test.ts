/** The table of keys and what is done for them are of one mind. */
import { expect, test } from "bun:test";
import { type ActionParts, actionFor, createActions } from "../../../src/tui/app/actions.ts";
import { createComposer } from "../../../src/tui/input/composer.ts";
import type { ComposerParts } from "../../../src/tui/input/composer-parts.ts";
import { BINDINGS } from "../../../src/tui/input/keymap.ts";

/** Has everything, and does nothing. */
const nothing: unknown = new Proxy(() => nothing, { get: () => nothing });

test("every action of the table is somebody's, and nobody has another", () => {
  const own = createActions(nothing as ActionParts); // as: no action is run
  const { actions } = createComposer(nothing as ComposerParts); // as: likewise
  const done = [...Object.keys(own), ...Object.keys(actions)];
  expect(done.toSorted()).toEqual(BINDINGS.map(({ action }): string => action).toSorted());
});

test("a command is found by the action that stands for it", () => {
  expect([actionFor("new"), actionFor("diff"), actionFor("compact")]).toEqual(["new-session", "diff", undefined]);
});
