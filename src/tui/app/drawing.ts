/**
 * A frame from what there is now. Drawing settles what only it tells: which rows of the transcript are seen, whether its end is
 * followed, since when a question is in sight. Whoever needs that before the next frame draws one more.
 */
import { composeFrame, type ScreenFrame } from "../view/frame.ts";
import type { Area } from "../view/layer.ts";
import { welcomeLines } from "../view/welcome.ts";
import type { Core } from "./core.ts";
import type { Surroundings } from "./surroundings.ts";

export interface Drawing {
  draw(size: Area): ScreenFrame;
  /** As it was drawn last. */
  frame(): ScreenFrame | undefined;
}

interface DrawingParts {
  readonly core: Core;
  readonly surroundings: Pick<Surroundings, "parts">;
  /** Of the draft, in rows; 1 until there is an editor. */
  readonly composerRows: (width: number) => number;
  /** The key that shows the help, as it is shown. */
  readonly helpKey: () => string | undefined;
}

export function createDrawing({ core, surroundings, composerRows, helpKey }: DrawingParts): Drawing {
  const { transcript, layers, feed, measure, view } = core;
  let last: ScreenFrame | undefined;
  function said(area: Area) {
    const { items, live } = view();
    if (items.length + live.length > 0) return transcript.rows(area.width, area.height);
    return welcomeLines({ facts: feed.session()?.facts(), helpKey: helpKey(), measure: measure() }, area);
  }
  return {
    draw(size) {
      last = composeFrame({
        size,
        ...surroundings.parts,
        transcript: said,
        full: layers.full(),
        above: layers.above(),
        composerRows,
      });
      return last;
    },
    frame: () => last,
  };
}
