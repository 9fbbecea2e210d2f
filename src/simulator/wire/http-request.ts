/** Reads HTTP/1.1 requests out of a byte stream: a head of at most 64 KB, a body by length or in chunks, of at most 32 MB. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;
const MAX_HEAD_BYTES = 64 * 1024;

export interface HttpRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty if it was too large: what is over the limit is read, so that the client gets its answer, and thrown away. */
  readonly body: Buffer;
  readonly tooLarge: boolean;
}

export interface RequestReader {
  push(bytes: Buffer): void;
  /** The next whole request, if there is one. `broken`: these bytes are no HTTP. */
  take(): HttpRequest | "broken" | undefined;
  /** True once for a head that asks before it sends its body. */
  wantsContinue(): boolean;
}

interface Head {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

export function createRequestReader(): RequestReader {
  let pending: Buffer[] = [];
  let head: Head | undefined;
  let asked = false;
  let body = bodyOf({});

  const join = (): Buffer => {
    const all = pending.length === 1 && pending[0] ? pending[0] : Buffer.concat(pending);
    pending = [all];
    return all;
  };

  function readHead(): "broken" | undefined {
    const bytes = join();
    const end = bytes.indexOf("\r\n\r\n");
    if (end === -1) return bytes.length > MAX_HEAD_BYTES ? "broken" : undefined;
    head = parseHead(bytes.toString("latin1", 0, end));
    if (!head) return "broken";
    asked = head.headers.expect?.toLowerCase() === "100-continue";
    body = bodyOf(head.headers);
    pending = [bytes.subarray(end + 4)];
    return undefined;
  }

  return {
    push: (bytes) => {
      pending.push(bytes);
      if (head) pending = feed(body, pending);
    },
    take: () => {
      if (!head && readHead() === "broken") return "broken";
      if (!head) return undefined;
      pending = feed(body, pending);
      if (body.isBroken()) return "broken";
      if (!body.isDone()) return undefined;
      const request = { ...head, ...body.result() };
      head = undefined;
      return request;
    },
    wantsContinue: () => {
      if (!head && readHead() === "broken") return false;
      const wants = asked;
      asked = false;
      return wants;
    },
  };
}

function parseHead(text: string): Head | undefined {
  const [first = "", ...lines] = text.split("\r\n");
  const [method, path, version] = first.split(" ");
  if (!method || !path || !version?.startsWith("HTTP/1.")) return undefined;
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon <= 0) return undefined;
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  return { method, path, headers };
}

interface BodyReader {
  /** Takes what belongs to the body and gives back the rest. */
  take(bytes: Buffer): Buffer;
  isDone(): boolean;
  isBroken(): boolean;
  result(): { readonly body: Buffer; readonly tooLarge: boolean };
}

/** The bytes behind the body, kept for the next request. */
function feed(body: BodyReader, pending: readonly Buffer[]): Buffer[] {
  const rest: Buffer[] = [];
  for (const bytes of pending) {
    const left = body.isDone() ? bytes : body.take(bytes);
    if (left.length > 0) rest.push(left);
  }
  return rest;
}

function bodyOf(headers: Head["headers"]): BodyReader {
  const kept: Buffer[] = [];
  let size = 0;
  const keep = (bytes: Buffer): void => {
    size += bytes.length;
    if (size > MAX_BODY_BYTES) kept.length = 0;
    else kept.push(bytes);
  };
  const result = () => ({ body: Buffer.concat(kept), tooLarge: size > MAX_BODY_BYTES });
  const isChunked = /\bchunked\b/i.test(headers["transfer-encoding"] ?? "");
  const reader = isChunked ? chunkedBody(keep) : sizedBody(Number(headers["content-length"] ?? 0), keep);
  return { ...reader, result };
}

function sizedBody(length: number, keep: (bytes: Buffer) => void): Omit<BodyReader, "result"> {
  let left = length;
  return {
    take: (bytes) => {
      const mine = bytes.subarray(0, left);
      left -= mine.length;
      if (mine.length > 0) keep(mine);
      return bytes.subarray(mine.length);
    },
    isDone: () => left === 0,
    isBroken: () => !Number.isSafeInteger(length) || length < 0,
  };
}

function chunkedBody(keep: (bytes: Buffer) => void): Omit<BodyReader, "result"> {
  let line = "";
  let left = 0;
  let state: "size" | "data" | "after-data" | "trailer" | "done" | "broken" = "size";

  function endLine(): void {
    const text = line;
    line = "";
    if (state === "after-data") state = "size";
    else if (state === "trailer") state = text === "" ? "done" : "trailer";
    else {
      left = Number.parseInt(text, 16);
      state = Number.isNaN(left) ? "broken" : left === 0 ? "trailer" : "data";
    }
  }
  /** Takes from `at` on, and says where to go on. */
  function step(bytes: Buffer, at: number): number {
    if (state === "data") {
      const mine = bytes.subarray(at, at + left);
      keep(mine);
      left -= mine.length;
      if (left === 0) state = "after-data";
      return at + mine.length;
    }
    const unit = String.fromCharCode(bytes[at] ?? 0);
    if (unit === "\n") endLine();
    else if (unit !== "\r") line += unit;
    return at + 1;
  }

  return {
    take: (bytes) => {
      let at = 0;
      while (at < bytes.length && state !== "done" && state !== "broken") at = step(bytes, at);
      return bytes.subarray(at);
    },
    isDone: () => state === "done",
    isBroken: () => state === "broken" || line.length > MAX_HEAD_BYTES,
  };
}
