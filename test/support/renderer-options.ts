/**
 * For every renderer that a test makes. Left to itself it listens to SIGPIPE, and the runtime, which ignores that signal from its
 * start, does not ignore it again when the listener goes: the next write to a closed pipe ends the whole run.
 */
export const NO_SIGNALS: { readonly exitSignals: NodeJS.Signals[] } = { exitSignals: [] };
