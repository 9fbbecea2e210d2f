/** A log as Markdown: all of it that can be read, with a word in the place of what cannot. */
import type { SessionStore } from "../session/index.ts";
import { createMarkdown } from "./markdown.ts";
import { leadWords, problemWords, readableLines } from "./readable-lines.ts";

/** In pieces, of which some are empty. What is torn was never accepted, and is left out. */
export async function* markdownOf(store: Pick<SessionStore, "lines">, id: string): AsyncGenerator<string> {
  const markdown = createMarkdown();
  for await (const line of readableLines(store, id)) {
    if ("event" in line) yield markdown.take(line.event);
    else if (!line.problem.torn) yield `> **${leadWords(line.problem)}:** ${problemWords(line.problem)}\n\n`;
  }
  yield markdown.end();
}
