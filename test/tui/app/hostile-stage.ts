/** The whole interface over a terminal in memory, with a model that says what it is told, and every way out of it watched. */
import { join } from "node:path";
import { createDrafts } from "../../../src/cli/terminal/drafts.ts";
import { systemClock } from "../../../src/shared/index.ts";
import type { ScriptedTurn } from "../../../src/simulator/index.ts";
import { createInterface, type Interface } from "../../../src/tui/app/interface.ts";
import type { ScreenFrame } from "../../../src/tui/view/frame.ts";
import { type ByteScreen, openByteScreen } from "../../support/screen.ts";
import { isHarmless, strangers } from "../../support/terminal-bytes.ts";
import { openTerminalHouse, type TerminalHouse } from "../../support/terminal-house.ts";

export interface HostileStage {
  readonly house: TerminalHouse;
  readonly shown: Interface;
  readonly terminal: ByteScreen;
  /** What is shown now. */
  frame(): string;
  /** Sends it and waits until nothing goes on, or something is asked. */
  say(text: string, ...answers: readonly ScriptedTurn[]): Promise<void>;
  /** Rejects with what is shown when it never holds. */
  until(isSo: () => boolean): Promise<void>;
  /** All that was written since it was last asked: what does not belong there. */
  wrong(): readonly string[];
  /** Notices of the desktop and titles are in what is written; these are the other ways out. */
  readonly left: { readonly paged: string[]; readonly copied: string[] };
  close(): Promise<void>;
}

/** A wait that takes longer hangs. */
const WAIT_MS = 8000;

export async function openHostileStage(edited: string): Promise<HostileStage> {
  const turns: ScriptedTurn[] = [];
  const script = () => turns.shift() ?? { content: [{ type: "text", text: "Done." }] as const };
  const house = await openTerminalHouse({ script, flags: { permissionMode: "ask" } });
  const left = { paged: [] as string[], copied: [] as string[] };
  const seen: string[] = [];
  let frame: ScreenFrame | undefined;
  const { host, queries, commands, unknownCommand } = house;
  const shown = createInterface({
    ports: {
      ...{ host, queries, commands, unknownCommand },
      drafts: createDrafts(async () => ({ folder: join(house.home, "drafts", "project"), secrets: [] })),
      settings: {
        ...{ theme: "auto", mouse: true, vim: false, alternateScreen: true, notifications: true, screenReader: false },
        ...{ keybindings: {}, home: house.root, version: "0" },
      },
      outside: {
        edit: async () => ({ text: edited }),
        page: async (text) => void left.paged.push(text),
        copy: async (text) => left.copied.push(text) > 0,
        isFile: () => false,
        storeKey: async () => undefined,
      },
    },
    ...{ clock: systemClock, windowMs: 1, look: { mode: "dark", depth: "full" } },
    quit() {},
    failed: (error) => void seen.push(`failed: ${error}`),
    suspend() {},
  });
  const draw: typeof shown.handlers.draw = (size) => {
    frame = shown.handlers.draw(size);
    for (const { spans } of frame.rows)
      for (const { text } of spans) if (!isHarmless(text)) seen.push(`shown: ${JSON.stringify(text)}`);
    return frame;
  };
  const terminal = await openByteScreen({ ...shown.handlers, draw }, { columns: 100, rows: 40 });
  shown.attach(terminal.screen);
  shown.begin({ session: {} });
  const text = () => (frame?.rows ?? []).map(({ spans }) => spans.map((span) => span.text).join("")).join("\n");
  async function until(isSo: () => boolean): Promise<void> {
    const isOver = Date.now() + WAIT_MS;
    while (!isSo()) {
      if (Date.now() > isOver) throw new Error(`it never came:\n${text()}`);
      await Bun.sleep(2);
    }
    await terminal.screen.settled();
  }
  const isResting = () =>
    ["idle", "asking"].includes(shown.core.view().activity.kind) && shown.core.feed.session()?.isBusy() !== true;
  await until(() => shown.core.feed.session() !== undefined);
  return {
    ...{ house, shown, terminal, until, left, frame: text },
    async say(said, ...answers) {
      turns.splice(0, turns.length, ...answers);
      const { items } = shown.core.view();
      const before = items.length;
      terminal.screen.editor.setText(said);
      terminal.send("\r");
      await until(
        () => (shown.core.view().items.length > before && isResting()) || shown.core.view().activity.kind === "asking",
      );
    },
    wrong: () => [...seen.splice(0), ...strangers(terminal.take())],
    async close() {
      shown.end();
      await terminal.screen.close();
      await house.close();
    },
  };
}
