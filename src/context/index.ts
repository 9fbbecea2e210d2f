/** The door of the context engine. */
export type { BuiltContext, ContextEngine, FrozenPrefix } from "./types.ts";
