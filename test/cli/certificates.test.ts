/** Certificates that a repository brings are not the user's word for a server. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { refuseCertificatesOfProject } from "../../src/cli/certificates.ts";

let root = "";
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "khaelor-certificates-")));
  mkdirSync(join(root, "home/project/.git"), { recursive: true });
  mkdirSync(join(root, "home/project/src"));
  mkdirSync(join(root, "home/plain"));
  for (const path of ["home/ca.pem", "home/project/ca.pem", "home/plain/ca.pem"]) writeFileSync(join(root, path), "");
  symlinkSync(join(root, "home/project/ca.pem"), join(root, "home/link.pem"));
  symlinkSync(join(root, "home/project"), join(root, "same-project"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function isRefused(path: string, cwd: string, name = "NODE_EXTRA_CA_CERTS"): boolean {
  try {
    refuseCertificatesOfProject({ [name]: path, HOME: join(root, "home") }, join(root, cwd));
    return false;
  } catch (error) {
    expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining(`${name} names`) });
    return true;
  }
}

test("a file of the user's own counts; one of the project does not, however it is named", () => {
  const at = (path: string) => join(root, path);
  expect(isRefused(at("home/ca.pem"), "home/project/src")).toBe(false);
  expect(isRefused("/etc/ssl/certs/ca-certificates.crt", "home/project")).toBe(false);
  expect(isRefused(at("home/project/ca.pem"), "home/project/src")).toBe(true);
  expect(isRefused(at("home/link.pem"), "home/project")).toBe(true);
  expect(isRefused(at("same-project/ca.pem"), "home/project")).toBe(true);
  expect(isRefused(`${at("home/project")}/../ca.pem`, "home/project")).toBe(true); // by its text it lies there
  expect(isRefused(at("home/plain/ca.pem"), "home/plain")).toBe(true);
  expect(isRefused(at("home/ca.pem"), "home")).toBe(false); // at home everything is the user's own
});

test("a relative path means another file in each project", () => {
  for (const name of ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"]) {
    expect(isRefused("ca.pem", "home/project", name)).toBe(true);
    expect(isRefused("", "home/project", name)).toBe(false);
  }
});
