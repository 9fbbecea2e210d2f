/** Entries that stand beside each other under one role are one message. */

interface Said {
  readonly role: "user" | "assistant";
  readonly time: number;
}

export interface Grouped<T extends Said> {
  readonly role: Said["role"];
  readonly entries: readonly T[];
  /** The latest time of an entry. */
  readonly last: number;
}

export function inMessages<T extends Said>(entries: readonly T[]): readonly Grouped<T>[] {
  const groups: { role: Said["role"]; entries: T[]; last: number }[] = [];
  for (const entry of entries) {
    const group = groups.at(-1);
    if (group?.role === entry.role) {
      group.entries.push(entry);
      group.last = Math.max(group.last, entry.time);
    } else groups.push({ role: entry.role, entries: [entry], last: entry.time });
  }
  return groups;
}
