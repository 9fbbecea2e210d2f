/** Markdown as models write it, and worse, from a seed. */
export type Random = (below: number) => number;

export function randomFrom(seed: number): Random {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const WORDS =
  "the fold `code` **bold text** 日本語の文 word, (paren) path/to/file.ts 👩‍💻 naïve e\u0301 *it* a-b-c https://x.y/z".split(
    " ",
  );

export function words(random: Random, count: number): string {
  return Array.from({ length: count }, () => WORDS[random(WORDS.length)]).join(" ");
}

const many = (count: number, make: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => make(at)).join("\n");

const BLOCKS: readonly ((random: Random) => string)[] = [
  (random) => words(random, 1 + random(60)),
  (random) => words(random, 1 + random(30)),
  (random) => `${"#".repeat(1 + random(4))} ${words(random, 1 + random(6))}`,
  (random) =>
    many(
      1 + random(6),
      (at) => `${" ".repeat(2 * random(3))}${random(2) ? "-" : `${at}.`} ${words(random, 1 + random(20))}`,
    ),
  (random) => `> ${words(random, 1 + random(30))}`,
  (random) => fence(random, random(2) ? "ts" : ""),
  (random) => `| a | b |\n|---|--:|\n${many(random(8), () => `| ${words(random, 2)} | ${random(1000)} |`)}`,
  (random) => `a | b without a table\n${words(random, 3)}`,
  () => "\n\n",
  () => "---",
  (random) => Array.from({ length: random(200) }, (_, at) => at.toString(36)).join(""),
];

function fence(random: Random, language: string): string {
  const line = () =>
    random(6) === 0 ? "" : `  const x${random(99)} = "${words(random, 1 + random(8))}"; // ${random(9)}`;
  return `\`\`\`${language}\n${many(random(30), line)}\n\`\`\``;
}

export function markdown(random: Random, blocks: number): string {
  return Array.from({ length: blocks }, () => BLOCKS[random(BLOCKS.length)]?.(random) ?? "").join(
    random(3) ? "\n\n" : "\n",
  );
}
