import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dropCredential, readCredential, storeCredential } from "../../src/config/index.ts";
import { openWorkshop, type Workshop } from "./workshop.ts";

let shop: Workshop;
beforeEach(() => {
  shop = openWorkshop();
});
afterEach(() => shop.remove());

const read = (env: Readonly<Record<string, string>> = {}) => readCredential(shop.home, env);
const stored = (text: string, mode = 0o600) => shop.write("home/.khaelor/credentials.json", text, mode);

test("the environment comes first, the key before the token; empty variables are none", async () => {
  stored('{"apiKey": "from-file"}');
  const both = { ANTHROPIC_API_KEY: " key-1\n", ANTHROPIC_AUTH_TOKEN: "token-1" };
  expect(await read(both)).toEqual({
    ok: true,
    value: { kind: "api-key", value: "key-1", source: "ANTHROPIC_API_KEY" },
  });
  expect(await read({ ...both, ANTHROPIC_API_KEY: "" })).toEqual({
    ok: true,
    value: { kind: "token", value: "token-1", source: "ANTHROPIC_AUTH_TOKEN" },
  });
  expect(await read()).toEqual({
    ok: true,
    value: { kind: "api-key", value: "from-file", source: shop.at("home/.khaelor/credentials.json") },
  });
});

test("without any there is none", async () => {
  expect(await read()).toEqual({ ok: true, value: undefined });
});

test("a file that others can read is refused, with what to do", async () => {
  for (const mode of [0o644, 0o640, 0o604, 0o620]) {
    const path = stored('{"apiKey": "sk-secret"}', mode);
    const found = await read();
    expect(found.ok ? "" : found.error).toBe(
      `${path} can be read by others (mode 0${mode.toString(8)}) and is not used. Run: chmod 600 ${path}`,
    );
  }
});

test("no message repeats the key", async () => {
  const texts = [
    '{"apiKey": "sk secret"}',
    '{"apiKey": sk-secret}',
    '{"api_key": "sk-secret"}',
    '["sk-secret"]',
    "sk-secret",
  ];
  for (const text of texts) {
    stored(text);
    const found = await read();
    expect(found.ok).toBe(false);
    expect(JSON.stringify(found)).not.toMatch(/sk-secret|sk secret/);
  }
  const pasted = await read({ ANTHROPIC_API_KEY: "sk-one\nsk-two" });
  expect(pasted.ok ? "" : pasted.error).toContain("ANTHROPIC_API_KEY");
  expect(JSON.stringify(pasted)).not.toContain("sk-one");
});

test("what is stored is private, found again, and gone when dropped; no trace of it stays", async () => {
  expect(await storeCredential(shop.home, { kind: "token", value: "t-1" })).toEqual({ ok: true, value: undefined });
  expect(statSync(shop.at("home/.khaelor/credentials.json")).mode & 0o777).toBe(0o600);
  expect(await read()).toMatchObject({ value: { kind: "token", value: "t-1" } });
  expect(readdirSync(shop.home)).toEqual(["credentials.json"]);
  await dropCredential(shop.home);
  expect(await read()).toEqual({ ok: true, value: undefined });
  expect(await dropCredential(shop.home)).toEqual({ ok: true, value: undefined });
});

test("a loose old file is replaced by a private one", async () => {
  stored('{"apiKey": "old"}', 0o644);
  await storeCredential(shop.home, { kind: "api-key", value: "new" });
  expect(await read()).toMatchObject({ value: { value: "new" } });
});

test("what is stored through a link is dropped where it lies", async () => {
  const real = shop.write("home/dotfiles/keys.json", "{}");
  shop.link("home/.khaelor/credentials.json", real);
  expect(await storeCredential(shop.home, { kind: "api-key", value: "sk-kept" })).toEqual({
    ok: true,
    value: undefined,
  });
  expect(readFileSync(real, "utf8")).toContain("sk-kept");
  expect(await dropCredential(shop.home)).toEqual({ ok: true, value: undefined });
  expect([existsSync(real), readdirSync(shop.home)]).toEqual([false, []]);
  shop.link("home/.khaelor/credentials.json", "/dev/null");
  expect(await dropCredential(shop.home)).toEqual({ ok: true, value: undefined });
  expect([existsSync("/dev/null"), readdirSync(shop.home)]).toEqual([true, []]);
});
