/**
 * The system tiers, rendered once for an epoch and then frozen. Nothing in them depends on time, on the repository's state or
 * on chance; the first tier is the same text for every session of a version.
 */
import identity from "./prompts/identity.md" with { type: "text" };
import tools from "./prompts/tools.md" with { type: "text" };
import work from "./prompts/work.md" with { type: "text" };

/** One instruction file as it is to be sent; the order of the list is the order of precedence, weakest first. */
export interface InstructionText {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

export interface SystemTierOptions {
  readonly instructions: readonly InstructionText[];
  readonly platform: string;
  /** Where the session began. Where it is now is captured with each message. */
  readonly cwd: string;
}

/** The static tier, then, when there are instruction files, the project tier. */
export function buildSystemTiers({ instructions, platform, cwd }: SystemTierOptions): readonly string[] {
  const written = instructions.filter(({ text }) => text.trim() !== "");
  if (written.length === 0) return [STATIC_TIER];
  return [STATIC_TIER, [projectHeading(platform, cwd), ...written.map(rendered)].join("\n\n")];
}

const STATIC_TIER = [identity, work, tools].map((part) => part.trim()).join("\n\n");

const projectHeading = (platform: string, cwd: string): string =>
  `# Instructions for this project

This session began in ${JSON.stringify(cwd)} on ${platform}. The user or the project's maintainers wrote the files below: follow them. Where two disagree the later one wins, and the user's own message wins over all of them.`;

/** The text stands as it is in the file; only the blank lines around it go. */
const rendered = ({ path, text }: InstructionText): string =>
  `<instructions path=${JSON.stringify(path)}>\n${text.replace(/^\s*\n|\s+$/g, "")}\n</instructions>`;
