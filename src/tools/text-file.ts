/** What the bytes of a file are: text that can be edited without changing other bytes, other text, or no text. */

export type FileText =
  | { readonly kind: "utf8"; readonly text: string; readonly bom: boolean }
  /** Readable, but writing it back would change bytes that nobody asked to change. */
  | { readonly kind: "foreign"; readonly text: string; readonly encoding: string }
  | { readonly kind: "binary"; readonly what: string };

const NUL_WINDOW_BYTES = 8192;

const MAGIC: readonly (readonly [string, string, RegExp])[] = [
  ["a PNG image", "png", /^\x89PNG/],
  ["a JPEG image", "jpeg", /^\xff\xd8\xff/],
  ["a GIF image", "gif", /^GIF8/],
  ["a WebP image", "webp", /^RIFF....WEBP/s],
  ["a PDF document", "pdf", /^%PDF-/],
];

export function fileText(bytes: Uint8Array): FileText {
  const magic = MAGIC.find(([, , pattern]) => pattern.test(String.fromCharCode(...bytes.subarray(0, 12))));
  if (magic) return { kind: "binary", what: magic[0] };
  const wide = utf16Name(bytes);
  if (wide) return { kind: "foreign", text: new TextDecoder(wide).decode(bytes), encoding: wide.toUpperCase() };
  if (bytes.subarray(0, NUL_WINDOW_BYTES).includes(0)) return { kind: "binary", what: "a binary file" };
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const bom = text.startsWith("\ufeff");
    return { kind: "utf8", text: bom ? text.slice(1) : text, bom };
  } catch {
    // The decoder's one way to say that the bytes are not UTF-8.
    return { kind: "foreign", text: new TextDecoder().decode(bytes), encoding: "neither UTF-8 nor UTF-16" };
  }
}

function utf16Name(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}
