/** The screen over a renderer, be it a terminal's or a test's. Opening the renderer is another's work. */
import type { CliRenderer } from "@opentui/core";
import { asError } from "../../shared/index.ts";
import type { WidthMethod } from "../layout/width.ts";
import type { ScreenFrame } from "../view/frame.ts";
import type { Area } from "../view/layer.ts";
import { type ThemeMode, themeOf } from "../view/theme.ts";
import { type ComposerEditor, createEditor } from "./editor.ts";
import { createFramePace, type FramePace } from "./frames.ts";
import { listenToUser } from "./input.ts";
import { type Palette, paletteOf } from "./palette.ts";
import type { Screen, ScreenHandlers, ScreenOptions, TerminalFacts } from "./port.ts";
import { BELL, CURSOR_COLOR_RESET, clipboardSequence, noticeText, titleSequence } from "./sequences.ts";
import { Surface } from "./surface.ts";
import { TextArea } from "./text-area.ts";

export interface ScreenParts {
  readonly renderer: CliRenderer;
  readonly handlers: ScreenHandlers;
  readonly options: Pick<ScreenOptions, "mode" | "depth" | "maxFps">;
  /** In order with the frames. False: it cannot be taken now. */
  readonly write: (bytes: string) => boolean;
  /** Of the terminal now; asked after somebody else had it. */
  readonly sizeNow?: () => Area | undefined;
}

/** A frame takes a few milliseconds; a terminal that is stopped takes none. */
const SETTLED_MS = 100;

export class RendererScreen implements Screen {
  readonly editor: ComposerEditor;
  private readonly parts: ScreenParts;
  private readonly surface: Surface;
  private readonly area: TextArea;
  private readonly pace: FramePace;
  private palette: Palette;
  private frame: ScreenFrame | undefined;
  private widthMethod: WidthMethod;
  /** What the user did before whoever opened the screen had it. */
  private held: (() => void)[] | undefined = [];
  /** While something is done for the user: what it asks for is painted at once. */
  private isUrgent = false;
  private hadCursor = false;
  private closing: Promise<void> | undefined;
  /** Somebody else has the terminal. */
  private isAway = false;
  private hasMouse: boolean;
  private title: string | undefined;

  constructor(parts: ScreenParts) {
    const { renderer, options, handlers } = parts;
    this.parts = parts;
    this.palette = paletteOf(themeOf(options.mode, options.depth));
    this.widthMethod = methodOf(renderer);
    this.hasMouse = renderer.useMouse;
    const palette = () => this.palette;
    this.surface = new Surface(renderer, { palette, rows: () => this.frame?.rows ?? [] });
    this.surface.onLifecyclePass = () => this.prepare();
    renderer.root.add(this.surface);
    this.area = new TextArea(renderer, palette);
    this.editor = createEditor(this.area, () => this.guard(() => handlers.edited()));
    this.pace = createFramePace({
      intervalMs: 1000 / options.maxFps,
      now: () => performance.now(),
      after(ms, act) {
        const timer = setTimeout(act, ms);
        return () => clearTimeout(timer);
      },
      paint: () => this.surface.requestRender(),
    });
    renderer.on("frame", () => this.painted());
    renderer.on("render:error", ({ error }: { error: Error }) => this.fail(error));
    renderer.on("capabilities", () => this.measureAnew());
    renderer.closed.catch((error: unknown) => this.fail(error));
    listenToUser({
      renderer,
      handlers,
      editor: this.editor,
      composer: () => this.frame?.composer,
      doForUser: (act) => this.doForUser(act),
    });
  }

  /** What was typed before goes to the handlers now, and from now on each key at once. */
  start(): void {
    const waiting = this.held ?? [];
    this.held = undefined;
    for (const act of waiting) this.doForUser(act);
  }

  size(): Area {
    const { width, height } = this.parts.renderer;
    return { width, height };
  }

  facts(): TerminalFacts {
    const { renderer } = this.parts;
    return { widthMethod: methodOf(renderer), hasKittyKeyboard: renderer.capabilities?.kitty_keyboard === true };
  }

  requestFrame(): void {
    this.pace.request(this.isUrgent);
  }

  async settled(): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const limit = setTimeout(resolve, SETTLED_MS);
    await new Promise((next) => void setImmediate(next)); // what was typed before is delivered first
    await Promise.race([this.parts.renderer.idle().catch(() => undefined), late]); // a failure is told as one
    clearTimeout(limit);
  }

  setTheme(mode: ThemeMode): void {
    this.palette = paletteOf(themeOf(mode, this.parts.options.depth));
    this.area.restyle();
    this.requestFrame();
  }

  setMouse(isOn: boolean): void {
    this.hasMouse = isOn;
    if (this.isOurs()) this.guard(() => this.applyMouse());
  }

  setTitle(title: string): void {
    this.title = titleSequence(title);
    this.write(this.title);
  }

  notify(text: string): void {
    this.guard(() => {
      if (this.isOurs() && !this.parts.renderer.triggerNotification(noticeText(text))) this.write(BELL);
    });
  }

  copy(text: string): boolean {
    const sequence = clipboardSequence(text, this.parts.renderer.capabilities?.multiplexer === "tmux");
    return sequence !== undefined && this.write(sequence);
  }

  /** The library paints every cell after a size that came and went. */
  redraw(): void {
    const { renderer } = this.parts;
    renderer.requestResize(renderer.width, renderer.height + 1);
    renderer.requestResize(renderer.width, renderer.height);
  }

  async suspend(): Promise<void> {
    if (!this.isOurs()) return;
    this.isAway = true;
    this.hadCursor = false;
    await this.parts.renderer.suspend();
  }

  async resume(): Promise<void> {
    if (!this.isAway || this.closing !== undefined) return;
    const { renderer, sizeNow } = this.parts;
    this.guard(() => this.parts.handlers.resumed?.());
    await renderer.resume();
    this.isAway = false;
    const now = sizeNow?.();
    if (now) renderer.requestResize(now.width, now.height);
    this.applyMouse();
    if (this.title !== undefined) this.write(this.title);
    this.requestFrame();
  }

  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  /** What could not be restored is told, and does not keep anything else from ending. */
  private async end(): Promise<void> {
    this.pace.stop();
    this.parts.renderer.destroy();
    await this.parts.renderer.closed.catch((error: unknown) => this.parts.handlers.failed(asError(error)));
  }

  /** Nobody else has the terminal. */
  private isOurs(): boolean {
    return !this.isAway && this.closing === undefined;
  }

  private write(bytes: string): boolean {
    return this.isOurs() && this.parts.write(bytes);
  }

  private applyMouse(): void {
    const { renderer } = this.parts;
    if (renderer.useMouse !== this.hasMouse) renderer.useMouse = this.hasMouse;
  }

  /** Before layout, so that the composer stands where the frame says. */
  private prepare(): void {
    this.pace.painted();
    const frame = this.parts.handlers.draw(this.size());
    const { composer, cursor } = frame;
    const isComposers = composer !== undefined && frame.hasComposerCursor && cursor === undefined;
    this.frame = frame;
    this.area.place(composer, isComposers);
    if (!isComposers) {
      this.parts.renderer.setCursorPosition((cursor?.x ?? 0) + 1, (cursor?.y ?? 0) + 1, cursor !== undefined);
    }
  }

  private painted(): void {
    const hasCursor = this.frame !== undefined && hasShownCursor(this.frame);
    if (hasCursor && !this.hadCursor) this.write(CURSOR_COLOR_RESET);
    this.hadCursor = hasCursor;
  }

  /** A terminal may say late how it counts cells. */
  private measureAnew(): void {
    const now = methodOf(this.parts.renderer);
    if (this.closing !== undefined || now === this.widthMethod) return;
    this.widthMethod = now;
    this.area.rebuild();
    this.doForUser(() => this.parts.handlers.resized(this.size()));
  }

  private doForUser(act: () => void): void {
    if (this.held) {
      this.held.push(act);
      return;
    }
    const before = this.isUrgent;
    this.isUrgent = true;
    this.guard(act);
    this.isUrgent = before;
    this.pace.request(true);
  }

  /** The library would keep what its listeners throw to itself. */
  private guard(act: () => void): void {
    if (this.closing !== undefined) return;
    try {
      act();
    } catch (error) {
      this.fail(error);
    }
  }

  private fail(error: unknown): void {
    if (this.closing !== undefined) return;
    const tell = () => this.parts.handlers.failed(asError(error));
    this.close().then(tell, tell);
  }
}

const hasShownCursor = ({ cursor, composer, hasComposerCursor }: ScreenFrame): boolean =>
  cursor !== undefined || (composer !== undefined && hasComposerCursor);

/** Terminals that count graphemes in a way of their own are nearer to those. */
const methodOf = ({ widthMethod }: CliRenderer): WidthMethod => (widthMethod === "wcwidth" ? "wcwidth" : "unicode");
