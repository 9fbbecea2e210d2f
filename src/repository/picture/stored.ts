/** A picture as text, for one that has to outlive the program: the same text for the same content, whenever it was taken. */
import type { Picture, PicturedFile } from "./types.ts";

type Stored = Omit<Picture, "files" | "takenAt" | "others"> & {
  readonly files: readonly (PicturedFile & { readonly path: string })[];
};

export function pictureText({ form, root, head, files, ...missing }: Picture): string {
  const entries = [...files].map(([path, { mode, sha256, sizeBytes, mtimeMs }]) =>
    sha256 === undefined ? { path, mode, sizeBytes, mtimeMs } : { path, mode, sha256 },
  );
  const lacks = missing.others && missing.lacks === "nothing" ? "some-untracked" : missing.lacks;
  return JSON.stringify({ form, root, head, lacks, files: entries });
}

/** Undefined for a text that is no picture, such as one of another version. */
export function pictureFrom(text: string): Picture | undefined {
  try {
    const { files, ...rest } = JSON.parse(text) as Stored; // written above, and kept under its own hash
    const named = files.map(({ path, ...file }) => [path, file] as const);
    return { ...rest, files: new Map(named), takenAt: 0 };
  } catch {
    return undefined;
  }
}
