/** Pictures of one project over a session: each takes over from the one before what nothing has touched since. */
import { changesSince, type Search } from "./changes.ts";
import { pictureFrom, pictureText } from "./stored.ts";
import { takePicture } from "./take.ts";
import type { Picture, PictureParts } from "./types.ts";

export interface Pictures {
  /** `known`: files to look at in any case where the project cannot be listed, relative to its root. */
  take(known: readonly string[]): Promise<Picture>;
  /** Tells at most 200 changes since, and returns how many more files may have changed. */
  changesSince(before: Picture, search: Search): Promise<number>;
  /** The picture as a text that can be kept, and back; undefined for what is no picture of this project. */
  text(picture: Picture): string;
  from(text: string): Picture | undefined;
}

/** What could not be listed again would only cost the same time; once it may have been a disk that had yet to wake up. */
const MAX_FAILURES = 2;

export function createPictures(parts: PictureParts): Pictures {
  let last: Picture | undefined;
  let failures = 0;
  return {
    async take(known) {
      const tooLarge = failures >= MAX_FAILURES;
      const picture = await takePicture(parts, { known, tooLarge, ...(last && { picture: last }) });
      const isListed = picture.form === "git" || picture.lacks !== "anything";
      failures = isListed ? 0 : failures + 1;
      last = picture;
      return picture;
    },
    changesSince: (before, search) => changesSince(parts, before, search),
    text: pictureText,
    from(text) {
      const picture = pictureFrom(text);
      return picture?.root === parts.root ? picture : undefined;
    },
  };
}
