/**
 * What a slash command may ask of the interface, over the stack of layers and the notes of the transcript. What concerns the
 * whole interface (viewers, switching, sending) is handed in.
 */
import type { Measure } from "../layout/width.ts";
import type { ViewModel } from "../model/view-model.ts";
import type { CommandUi } from "../ports.ts";
import { createAskLine } from "../view/ask-line.ts";
import { createChoose } from "../view/choose.ts";
import type { Layer } from "../view/layer.ts";
import type { LayerStack } from "./layers.ts";
import { createNotes } from "./notes.ts";

export interface CommandUiParts {
  readonly layers: Pick<LayerStack, "push" | "remove">;
  readonly model: () => Pick<ViewModel, "addNote">;
  readonly measure: () => Measure;
  /** Something is to be drawn. */
  readonly onChange: () => void;
  /** Opens a viewer over the whole screen. */
  readonly show: CommandUi["show"];
  readonly showDiff: CommandUi["showDiff"];
  readonly switchTo: CommandUi["switchTo"];
  readonly act: CommandUi["act"];
  readonly submit: CommandUi["submit"];
}

export function createCommandUi(parts: CommandUiParts): CommandUi {
  const { layers, model, measure, onChange, show, showDiff, switchTo, act, submit } = parts;
  /** Shows a layer until it gives an answer. */
  function answered<T>(create: (onDone: (answer: T) => void) => Layer): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<T>();
    const layer = create((answer) => {
      layers.remove(layer);
      resolve(answer);
    });
    layers.push(layer);
    return promise;
  }
  return {
    ...createNotes({ model, onChange }),
    choose: (question) =>
      answered<string | undefined>((onDone) => createChoose({ question, measure, onDone, onChange })),
    ask: (label, options = {}) =>
      answered<string | undefined>((onDone) => createAskLine({ ...options, label, measure, onDone, onChange })),
    show,
    showDiff,
    switchTo,
    act,
    submit,
  };
}
