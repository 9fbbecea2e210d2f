/** The known name that a mistyped one most probably meant: of flags, subcommands and their verbs. */
export { nearest } from "../shared/index.ts";
