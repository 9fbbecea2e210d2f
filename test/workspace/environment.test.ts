/** What commands see of the user's environment, and which programs they find. */
import { expect, test } from "bun:test";
import { childEnvironment, visibleEnvironment } from "../../src/workspace/environment.ts";

test("the folder that a command runs in names no programs", () => {
  const pathOf = (PATH: string) => childEnvironment({ PATH }).PATH;
  expect([".:/usr/bin", "/usr/bin:", ":/usr/bin", "bin:/usr/bin:./node_modules/.bin:../x"].map(pathOf)).toEqual(
    Array.from({ length: 4 }, () => "/usr/bin"),
  );
  expect(["", ".", "/a:/b"].map(pathOf)).toEqual([
    "/usr/local/bin:/usr/bin:/bin",
    "/usr/local/bin:/usr/bin:/bin",
    "/a:/b",
  ]);
  expect("PATH" in childEnvironment({})).toBe(false);
});

test("git enters no bare repository unasked, behind the settings that the user gives", () => {
  expect(childEnvironment({})).toMatchObject({ GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "safe.bareRepository" });
  const own = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "user.name", GIT_CONFIG_VALUE_0: "me" };
  expect(childEnvironment(own)).toMatchObject({
    GIT_CONFIG_COUNT: "2",
    GIT_CONFIG_KEY_0: "user.name",
    GIT_CONFIG_KEY_1: "safe.bareRepository",
    GIT_CONFIG_VALUE_1: "explicit",
  });
});

test("the user's own programs see the same but the settings for programs without a terminal", () => {
  const env = {
    ANTHROPIC_API_KEY: "secret",
    KHAELOR_HOME: "/k",
    BUN_INSTALL: "/b",
    PATH: ".:/usr/bin",
    TERM: "xterm",
    NONE: undefined,
  };
  expect(visibleEnvironment(env)).toEqual({ BUN_INSTALL: "/b", PATH: "/usr/bin", TERM: "xterm" });
  expect(childEnvironment(env)).toMatchObject({ BUN_INSTALL: "/b", PATH: "/usr/bin", TERM: "dumb" });
  expect(visibleEnvironment({ PATH: "." }).PATH).toBe(childEnvironment({ PATH: "." }).PATH);
  expect(visibleEnvironment(env, ["ANTHROPIC_API_KEY"])).toHaveProperty("ANTHROPIC_API_KEY");
});
