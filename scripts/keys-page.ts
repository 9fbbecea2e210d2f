/** `docs/KEYS.md`: the keys of the terminal, from the table that the program reads. */
import { canBeSent, shownKeys } from "../src/tui/input/key-names.ts";
import { BINDINGS, FIXED_KEYS, KEY_CONTEXTS, type KeyContext } from "../src/tui/input/keymap.ts";
import { VIM_KEYS } from "../src/tui/input/vim-keys.ts";

const TITLES: Readonly<Record<KeyContext, string>> = {
  composer: "In the draft",
  global: "Everywhere",
  transcript: "In the transcript, while it has the keys",
  palette: "In a list above the draft",
  panel: "In the panel that asks for consent",
  modal: "In a question",
};

const ORDER: readonly KeyContext[] = ["composer", "global", "transcript", "palette", "panel", "modal"];

const cell = (text: string): string => text.replaceAll("|", "\\|");
const code = (text: string): string => (text.includes("`") ? `\`\` ${cell(text)} \`\`` : `\`${cell(text)}\``);
const shown = (keys: readonly string[]): string =>
  keys.map((key) => `${code(shownKeys(key))}${canBeSent(key, false) ? "" : " ¹"}`).join(", ");

function section(context: KeyContext): readonly string[] {
  const bound = BINDINGS.filter((binding) => binding.context === context);
  const fixed = FIXED_KEYS.filter((one) => one.context === context);
  if (bound.length > 0) {
    const rows = bound.map(({ keys, action, about }) => `| ${shown(keys)} | ${code(action)} | ${cell(about)} |`);
    return [`## ${TITLES[context]}`, "", "| keys | action | |", "| --- | --- | --- |", ...rows, ""];
  }
  if (fixed.length === 0) return [];
  const rows = fixed.map(({ keys, about }) => `| ${shown(keys)} | ${cell(about)} |`);
  return [`## ${TITLES[context]}`, "", "| keys | |", "| --- | --- |", ...rows, ""];
}

export function keysPage(): string {
  if (ORDER.length !== KEY_CONTEXTS.length) throw new Error("a context of keys has no place in docs/KEYS.md");
  return `# Keys

Printed by \`scripts/docs.ts\` from the tables in \`src/tui/input\`; edit those, never this page. In KHAELOR \`/keybindings\` shows them with
your own.

A key goes to what lies on top first: a question, a list above the draft, the transcript while it has the keys, the panel that asks
for consent, the draft, everywhere. An action that has nothing to do leaves the key to the next that knows it. \`Ctrl+X D\` is two keys, one
behind the other; the second may be in either case, with Ctrl still held or not.

¹ Only where the terminal speaks the Kitty keyboard protocol; elsewhere it is not shown.

**Your own** stand in \`~/.khaelor/config.json\`, never in a project's file, and replace all keys of their action; an empty list takes
them away:

    { "keybindings": { "diff": ["ctrl+x d", "f6"], "suspend": [] } }

Modifiers are \`ctrl\`, \`alt\` and \`shift\`; keys are \`enter\`, \`escape\`, \`tab\`, \`backspace\`, \`delete\`, \`insert\`, \`home\`, \`end\`, \`pageup\`, \`pagedown\`,
\`up\`, \`down\`, \`left\`, \`right\`, \`space\`, \`f1\` to \`f24\`, and any sign. In the draft and everywhere a key that types something cannot be bound. An
unknown action or key ends the start, with its line; what a key of yours takes from another action is told.

${ORDER.flatMap(section).join("\n")}
## Vim

With \`"terminal": { "vim": true }\`, or \`/vim\`, \`Escape\` leads from writing to commands. \`Enter\` sends from there too; a second \`Escape\` does
what it does without vim. Counts as in \`3w\` and \`d2w\`.

| keys | |
| --- | --- |
${VIM_KEYS.map(({ keys, about }) => `| ${keys.map(code).join(", ")} | ${cell(about)} |`).join("\n")}
`;
}
