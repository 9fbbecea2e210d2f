/** A break of the prefix as scripts read it. */
import type { NamedBreak } from "../../session/index.ts";

export const breakJson = ({ seq, kind, tokens }: NamedBreak) => ({ seq, kind, tokens: tokens ?? null });
