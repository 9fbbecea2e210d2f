/** How chips and what is selected look in the text area, in the library's own table of styles. */
import { type CliRenderer, SyntaxStyle, TextAttributes } from "@opentui/core";
import type { Palette } from "./palette.ts";

export interface ChipStyles {
  /** To be destroyed with the theme. */
  readonly styles: SyntaxStyle;
  readonly chip: number;
  /** Where the theme reverses what is selected, which the library cannot do without colours: it is underlined. */
  readonly selected: number | undefined;
}

export function createChipStyles(renderer: CliRenderer, palette: Palette): ChipStyles {
  const styles = SyntaxStyle.create(renderer.nativeScene);
  const chip = palette.paint({ tone: "accent" });
  const selected = palette.paint({ tone: "fg", tint: "selected" });
  const isReversed = (selected.attributes & TextAttributes.INVERSE) !== 0;
  return {
    styles,
    chip: styles.registerStyle("chip", { fg: chip.color, bold: (chip.attributes & TextAttributes.BOLD) !== 0 }),
    selected: isReversed
      ? styles.registerStyle("selected", { fg: selected.color, underline: true, bold: true })
      : undefined,
  };
}
