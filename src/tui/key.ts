/** A key as the interface sees it, whatever protocol the terminal speaks, and its name in tables and configuration. */

export interface Key {
  /** Lower case: a letter or sign, or `enter`, `escape`, `tab`, `backspace`, `delete`, `up`, `pagedown`, `f1`, `space`, … */
  readonly name: string;
  readonly ctrl: boolean;
  /** Alt, or Escape before the key. */
  readonly alt: boolean;
  readonly shift: boolean;
  /** What it types, when it types something; never a control character. */
  readonly text?: string;
}

/** `ctrl+x`, `alt+enter`, `shift+tab`, `a`, `?`: modifiers in this order, shift only where the name does not say it. */
export function keyName({ name, ctrl, alt, shift, text }: Key): string {
  const typed = text !== undefined && !ctrl && !alt && name !== "space" ? text : name;
  const showsShift = shift && typed === name;
  return `${ctrl ? "ctrl+" : ""}${alt ? "alt+" : ""}${showsShift ? "shift+" : ""}${typed}`;
}
