/** `khaelor fold changes`: the files that the session changed, in the order in which each was changed first. */
import { fileChangeSet } from "../../session/index.ts";
import type { GitBaseline } from "../../shared/index.ts";
import type { FoldView } from "../fold-views.ts";

export function changesView(): FoldView {
  let [files, seq] = [fileChangeSet.initial(), 0];
  return {
    apply(event) {
      [files, seq] = [fileChangeSet.apply(files, event), event.seq];
    },
    shown() {
      const changes = Object.values(files.changes);
      const sum = (count: (change: (typeof changes)[number]) => number) =>
        changes.reduce((total, change) => total + count(change), 0);
      return {
        seq,
        baseline: files.baseline ? baselineJson(files.baseline) : null,
        counts: {
          files: changes.length,
          operations: sum(({ operations }) => operations),
          added: sum(({ diffStats }) => diffStats.added),
          removed: sum(({ diffStats }) => diffStats.removed),
        },
        files: changes.map(({ path, operations, diffStats, toolUseIds, ...hashes }) => ({
          path,
          operations,
          ...diffStats,
          ...(hashes.firstBeforeSha256 !== undefined && { before_sha256: hashes.firstBeforeSha256 }),
          ...(hashes.lastAfterSha256 !== undefined && { after_sha256: hashes.lastAfterSha256 }),
          tool_use_ids: toolUseIds,
        })),
      };
    },
  };
}

const baselineJson = ({ branch, head, root, dirtyFiles, untrackedFiles, diffHash }: GitBaseline) => ({
  branch,
  head: head ?? null,
  root: root ?? null,
  dirty_files: dirtyFiles,
  untracked_files: untrackedFiles,
  diff_hash: diffHash,
});
