/** The stack of what lies over the transcript. The newest is on top; a key goes down until a layer consumes it. */
import type { Key } from "../key.ts";
import type { Layer } from "../view/layer.ts";

export interface LayerStack {
  push(layer: Layer): void;
  /** Under all that is open: what appears by itself takes the keys from nothing. */
  pushUnder(layer: Layer): void;
  /** Nothing happens when it is not there. */
  remove(layer: Layer): void;
  /** From the top. */
  list(): readonly Layer[];
  /** The one that takes the whole screen, when it is on top of all that do. */
  full(): Layer | undefined;
  /** From the bottom: those that stand above the composer. */
  above(): readonly Layer[];
  key(key: Key): boolean;
  paste(text: string): boolean;
}

export function createLayers(onChange: () => void): LayerStack {
  const layers: Layer[] = [];
  const list = () => layers.toReversed();
  return {
    push(layer) {
      layers.push(layer);
      onChange();
    },
    pushUnder(layer) {
      layers.unshift(layer);
      onChange();
    },
    remove(layer) {
      const at = layers.indexOf(layer);
      if (at === -1) return;
      layers.splice(at, 1);
      onChange();
    },
    list,
    full: () => list().find(({ place }) => place === "full"),
    above: () => layers.filter(({ place }) => place === "above"),
    key: (key) => list().some((layer) => layer.key(key)),
    paste: (text) => list().some((layer) => layer.paste?.(text) === true),
  };
}
