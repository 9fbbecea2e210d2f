/**
 * A yes on its way. It counts when nothing follows it for a moment: a letter with others behind it was typed or pasted as text,
 * and one that comes again at once is a key that is held down.
 */
export interface HeldAnswer {
  hold(key: string, give: () => void): void;
  /** The key of the answer that is given up, undefined when none was held. */
  drop(): string | undefined;
}

/** Shorter than a wish takes to look late, longer than a held key takes to repeat. */
export const HOLD_MS = 80;

export function createHeldAnswer(after: (ms: number, task: () => void) => () => void): HeldAnswer {
  let held: { readonly key: string; readonly disarm: () => void } | undefined;
  return {
    hold(key, give) {
      held?.disarm();
      const disarm = after(HOLD_MS, () => {
        held = undefined;
        give();
      });
      held = { key, disarm };
    },
    drop() {
      const { key, disarm } = held ?? {};
      disarm?.();
      held = undefined;
      return key;
    },
  };
}
