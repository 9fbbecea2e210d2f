/** What the user said as evidence that no compaction loses: word for word, the very first and the newest, as far as there is room. */
import type { Facts } from "./facts.ts";
import { cutText, isGap } from "./lists.ts";
import type { Checkpoint } from "./types.ts";
import { boundedWords, shortWords } from "./user-words.ts";

type Evidence = Checkpoint["raw_evidence"];

const SAID = "said by the user, word for word, the newest last";
const NEXT = "\n\n[next message]\n\n";

/** As this version and earlier ones name it. Only the folds give such evidence: a model may take for the user's what a file says. */
export const isSaid = ({ label }: Evidence[number]): boolean => /^\W*said by the user\b/i.test(label);

/** `bytes`: of the whole checkpoint, of which it takes about half at most. In the middle of a turn the message itself says the newest words. */
export function saidEvidence({ previous, said, words, isInTurn }: Facts, bytes: number): Evidence {
  const before = (previous?.raw_evidence ?? []).filter(isSaid).flatMap(({ content }) => content.split(NEXT));
  const newest = new Set(words.flatMap((text) => [text, shortWords(text)]));
  const earlier = [...before, ...said].filter(
    (text, at, all) => !newest.has(text) && (isGap(text) || all.indexOf(text) === at),
  );
  const now = isInTurn || words.length === 0 ? [] : [cutText(words.join(NEXT), Math.floor(bytes / 3))];
  const kept = [...boundedWords(earlier, Math.floor(bytes / 6), NEXT.length), ...now];
  return kept.length === 0 ? [] : [{ label: SAID, content: kept.join(NEXT) }];
}
