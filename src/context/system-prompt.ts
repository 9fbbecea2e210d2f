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
  /** The user's own words in place of the static tier. */
  readonly replaced?: string | undefined;
  /** The user's own words behind everything. */
  readonly appended?: string | undefined;
}

/** The static tier, then, when there are instruction files or words to append, the project tier. */
export function buildSystemTiers(options: SystemTierOptions): readonly string[] {
  const { instructions, platform, cwd, replaced = STATIC_TIER, appended } = options;
  const written = instructions.filter(({ text }) => text.trim() !== "").map(rendered);
  const project = [
    ...(written.length > 0 ? [projectHeading(platform, cwd), ...written] : []),
    ...(appended === undefined ? [] : [appended.trim()]),
  ];
  return project.length > 0 ? [replaced, project.join("\n\n")] : [replaced];
}

const STATIC_TIER = [identity, work, tools].map((part) => part.trim()).join("\n\n");

const projectHeading = (platform: string, cwd: string): string =>
  `# Instructions for this project

This session began in ${JSON.stringify(cwd)} on ${platform}. The user or the project's maintainers wrote the files below: follow them. Where two disagree the later one wins, and the user's own message wins over all of them.`;

/** The text stands as it is in the file; only the blank lines around it go. */
const rendered = ({ path, text }: InstructionText): string =>
  `<instructions path=${JSON.stringify(path)}>\n${text.replace(/^\s*\n|\s+$/g, "")}\n</instructions>`;
