/** What a command says in the transcript: notes of markdown, and lines with a sign for how it went. Nothing of it is recorded. */
import type { ViewModel } from "../model/view-model.ts";
import type { CommandUi } from "../ports.ts";

interface NoteParts {
  /** Of the session that is shown now. */
  readonly model: () => Pick<ViewModel, "addNote">;
  /** Something new is to be shown. */
  readonly onChange: () => void;
}

const SIGNS = { ok: "✓ ", warn: "! ", error: "✗ " } as const;

export function createNotes({ model, onChange }: NoteParts): Pick<CommandUi, "note" | "say"> {
  function add(note: Parameters<ViewModel["addNote"]>[0]): void {
    model().addNote(note);
    onChange();
  }
  return {
    note: (text) => add({ kind: "note", text }),
    say: (text, tone) => add({ kind: "note", text: (tone ? SIGNS[tone] : "") + text, tone: tone ?? "muted" }),
  };
}
