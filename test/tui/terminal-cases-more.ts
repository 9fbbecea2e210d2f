/**
 * Further cases of the kinds of `cases/terminal.json`, invented as a careful person would, with their answers written down
 * first. Where people or terminals differ there is no case.
 */

/** What a person sees of a command's output. */
export const SEEN: readonly (readonly [name: string, output: string, visible: string])[] = [
  ["links", "\x1b]8;;http://evil\x1b\\text\x1b]8;;\x1b\\", "text"],
  [
    "colours of the palette, set and reset",
    "a\x1b]4;1;#ff0000\x07\x1b]10;#fff\x07\x1b]11;?\x1b\\\x1b]104\x07\x1b]112\x07b",
    "ab",
  ],
  ["the clipboard, asked for", "a\x1b]52;c;?\x07b", "ab"],
  ["a title in 8 bits", "a\u009d2;title\u009cb", "ab"],
  ["a notice, a progress bar, a picture", "a\x1b]9;hello\x07\x1b]9;4;1;50\x07\x1b]1337;File=inline=1:QUJD\x07b", "ab"],
  ["settings, asked for", "a\x1bP$qm\x1b\\\x1bP+q544e\x1b\\b", "ab"],
  ["sixel and kitty pictures", "a\x1bPq#0;2;0;0;0#0~~$-\x1b\\\x1b_Ga=T,f=100;QUJD\x1b\\b", "ab"],
  ["what tmux would pass on", "a\x1bPtmux;\x1b\x1b]52;c;QUJD\x07\x1b\\b", "ab"],
  ["keyboards and cursors", "a\x1b[>4;2m\x1b[>1u\x1b[<u\x1b[=5;1u\x1b[1 q\x1b[!pb", "ab"],
  ["moves, scrolling and erasing", "a\x1b[10;20H\x1b[5A\x1b[2K\x1b[3J\x1b[1;5r\x1b[4S\x1b[2L\x1bM\x1bDb", "ab"],
  ["modes, synchronized output too", "a\x1b[?1000h\x1b[?1003;1006h\x1b[?2004h\x1b[?2026hb", "ab"],
  ["reports", "a\x1b[c\x1b[>c\x1b[=c\x1b[5n\x1b[?6n\x1b[18t\x1b[21t\x05b", "ab"],
  ["a reset and a test picture", "a\x1bc\x1b#8b", "ab"],
  ["sets of signs", "a\x1b(0\x0e\x1b)0\x0fb", "ab"],
  ["hidden text is shown", "a\x1b[8mb\x1b[28mc", "abc"],
  ["nested", "a\x1b]0;t\x1b]52;c;QUJD\x07\x1b[31mb", "ab"],
  ["cut off at the end", "ab\x1b", "ab"],
  ["a bar that moves", "10%\r50%\r\x1b[K100%\n", "100%\n"],
  ["lines that end in both ways", "one\r\ntwo\n", "one\ntwo\n"],
  ["what only looks like one", "^[[31m \\x1b[0m ␛[2J", "^[[31m \\x1b[0m ␛[2J"],
  ["half a character", "a\ud83db", "a\ufffdb"],
];

/** Cells in the composer, and how many presses of Backspace it takes to clear it. */
export const WIDTHS: readonly (readonly [text: string, cells: number, presses: number])[] = [
  ["a\u0301\u0323", 1, 1],
  ["Z\u0351\u036b\u0343\u036a", 1, 1],
  ["\u3000", 2, 1],
  ["Ａ", 2, 1],
  ["ｱｲ", 2, 2],
  ["か\u3099", 2, 1],
  ["\u1112\u1161\u11ab", 2, 1],
  ["ก็", 1, 1],
  ["שָׁלום", 4, 4],
  ["مَرحبا", 5, 5],
  ["❤️", 2, 1],
  ["❤︎", 1, 1],
  ["⚠️", 2, 1],
  ["1️⃣", 2, 1],
  ["🇯🇵🇫🇷", 4, 2],
  ["🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2, 1],
  ["🏳️‍🌈", 2, 1],
  ["🧑🏻‍🤝‍🧑🏿", 2, 1],
  ["👨‍👩‍👧‍👦", 2, 1],
  ["a\u200cb", 2, 2],
  ["a\u2060b", 2, 3],
  ["a\u00a0b", 3, 3],
  ["±─αЖ", 4, 4],
  ["\ue0b0", 1, 1],
  ["𠀀", 2, 1],
  ["葛\u{e0100}", 2, 1],
  ["🀄", 2, 1],
  ["aé漢👍🏽b", 7, 5],
];

/** One after the other; then what was pasted, and nothing was typed. */
export const PASTES: readonly (readonly [chunks: readonly string[], pasted: readonly string[]])[] = [
  [["\x1b[200~\n\n\n\x1b[201~"], ["\n\n\n"]],
  [["\x1b[200~rm -rf x\r\x1b[201~"], ["rm -rf x\n"]],
  [["\x1b[200~a\x1b[200~b\x1b[201~"], ["ab"]],
  [["\x1b[200~/exit\r!rm x\r\x03\x04\x1a\x1b[201~"], ["/exit\n!rm x\n"]],
  [["\x1b[200~\ta\0b\x7f\x1b[201~"], ["\tab"]],
  [["\x1b[200~a\u009b31mb\u202ec\x1b]52;c;QUJD\x07\x1b[201~"], ["abc"]],
  [["\x1b[200~a\x1b[<0;1;1Mb\x1b[201~"], ["ab"]],
  [["\x1b[200~[201~ ^[[201~\x1b[201~"], ["[201~ ^[[201~"]],
  [["\x1b[200~a\x1b[20", "1~"], ["a"]],
  [["\x1b[", "200~", "漢", "\r", "\x1b[2", "01~"], ["漢\n"]],
  [["\x1b[200~a\x1b[201~\x1b[200~b\x1b[201~"], ["a", "b"]],
];

/** Nobody has typed any of it. */
export const NEVER_TYPED: readonly string[] = [
  ...["\x1b[<0;3;3M", "\x1b[<0;3;3m", "\x1b[<64;99999;99999M", "\x1b[M !!", "\x1b[32;10;5M", "\x1b[I", "\x1b[O"],
  ...[
    "\x1b[201~",
    "\x1b[97;1:3u",
    "\x1b[57441;2u",
    "\x1b[?1u",
    "\x1b[?62;4c",
    "\x1b[>1;10;0c",
    "\x1bP!|00000000\x1b\\",
  ],
  ...["\x1b[24;80R", "\x1b[?1;1R", "\x1b[0n", "\x1b[8;24;80t", "\x1b[4;600;800t", "\x1b[?2026;2$y", "\x1b]lname\x1b\\"],
  ...["\x1b]10;rgb:0000/0000/0000\x07", "\x1b]11;rgb:ffff/ffff/ffff\x1b\\", "\x1b]4;1;rgb:0000/0000/0000\x07"],
  ...[
    "\x1b]52;c;aGVsbG8=\x1b\\",
    "\x1bP>|xterm(380)\x1b\\",
    "\x1bP1$r0m\x1b\\",
    "\x1bP0+r\x1b\\",
    "\x1b_Gi=31;OK\x1b\\",
  ],
  ...["\x1b[99;99;99z", "\x1b[>99q", "\x1b[1 q", "\x1b[!p", "\x1bOZ"],
];

/** A command, and what the question must show of it. */
export const ASKED: readonly (readonly [command: string, shown: readonly string[]])[] = [
  [`ls${" ".repeat(3000)}; rm -rf x`, ["⟨3000 blanks⟩", "; rm -rf x"]],
  [`ls${"\n".repeat(300)}rm -rf x`, ["⟨299 empty lines⟩", "rm -rf x"]],
  [`ls${"\t".repeat(300)}rm -rf x`, ["\\t\\t", "rm -rf x"]],
  [`ls${"\u00a0".repeat(99)}\u3000\u2800\u3164rm`, ["\\u00a0", "\\u3000\\u2800\\u3164rm"]],
  ["rm -rf x #\rls", ["rm -rf x #\\rls"]],
  ["ls \x1b[8m; rm -rf x\x1b[0m", ["ls \\e[8m; rm -rf x\\e[0m"]],
  ["rm -rf x\b\b\b\b\b\b\b\bls", ["rm -rf x\\u0008", "ls"]],
  ["сurl x | sh", ["сurl x | sh"]],
  ["r\u200bm \u2066x\u2069 \u202ey", ["r\\u200bm \\u2066x\\u2069 \\u202ey"]],
  ["echo a \\\nrm -rf x", ["echo a \\", "rm -rf x"]],
  ["ls # harmless\nrm -rf x", ["ls # harmless", "rm -rf x"]],
  [`echo ${"x".repeat(2000)}; rm -rf x; echo ${"y".repeat(2000)}`, ["rm -rf x"]],
  ["ls\0rm\u0085x\u2028y\u{e0072}z", ["ls\\0rm\\u0085x\\u2028y\\u{e0072}z"]],
];
