/** The permission mode of a session on the terminal: changed by a key, recorded, and restored when the session is resumed. */
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inTerminalHouse } from "../../support/terminal-house.ts";

test("one key goes through three modes; each is recorded, counts at once and holds when the session is resumed", async () => {
  await inTerminalHouse({ flags: { permissionMode: "ask" } }, async (house) => {
    const session = await house.open();
    const gone = [session.nextPermissionMode(), session.nextPermissionMode(), session.nextPermissionMode()];
    expect(gone).toEqual(["accept-edits", "plan", "ask"]);
    session.nextPermissionMode();
    await house.say("write a.txt hello");
    expect(readFileSync(join(house.cwd, "a.txt"), "utf8")).toBe("hello\n");
    session.nextPermissionMode();
    await house.say("write b.txt hello");
    expect([existsSync(join(house.cwd, "b.txt")), session.facts().permissionMode]).toEqual([false, "plan"]);
    const modes = house.events.flatMap((event) =>
      event.type === "permission.granted" && event.payload.mode ? [event.payload.mode] : [],
    );
    expect(modes).toEqual(["accept-edits", "plan", "ask", "accept-edits", "plan"]);
  });
});

test("what the user chose in the session comes before what is configured; without questions is never restored", async () => {
  await inTerminalHouse({ host: { flags: {} } }, async (house) => {
    const { id } = await house.open();
    await house.say("hello");
    house.host.engine().permissions.setMode("plan");
    expect((await house.open({ resume: id })).facts().permissionMode).toBe("plan");
    house.host.engine().session.publish({
      type: "permission.granted",
      payload: { permissionRequestId: "crafted", scope: "session", mode: "bypass" },
    });
    expect((await house.open({ resume: id })).facts().permissionMode).toBe("ask");
  });
});

test("one key leaves the mode without questions and does not lead back", async () => {
  await inTerminalHouse({ flags: { permissionMode: "bypass" } }, async (house) => {
    const session = await house.open();
    const gone = Array.from({ length: 4 }, () => session.nextPermissionMode());
    expect([session.facts().permissionMode, gone]).toEqual(["ask", ["ask", "accept-edits", "plan", "ask"]]);
  });
});

test("what was pasted may be read, also where a link stands before it, and not written", async () => {
  await inTerminalHouse({ flags: { permissionMode: "ask" } }, async (house) => {
    const session = await house.open();
    const pasted = join(house.root, "linked/pasted.txt");
    mkdirSync(join(house.root, "real"));
    symlinkSync("real", join(house.root, "linked"));
    writeFileSync(pasted, "pasted\n");
    writeFileSync(join(house.root, "real/other.txt"), "not pasted\n");
    house.host.engine().permissions.notePasted(pasted);
    const asked: string[] = [];
    session.subscribe((event) => {
      if (event.type !== "permission.requested") return;
      asked.push(event.payload.descriptor);
      const requestId = event.payload.permissionRequestId;
      queueMicrotask(() => session.dispatch({ kind: "permission-response", requestId, decision: "deny" }));
    });
    const real = join(house.root, "real/pasted.txt");
    session.dispatch({ kind: "submit-message", text: `read ${real}`, mentions: [{ path: pasted }] });
    await house.host.engine().agent.settled();
    expect(asked).toEqual([]);
    await house.say(`write ${pasted} changed`);
    await house.say(`read ${join(house.root, "real/other.txt")}`);
    expect(asked.map((descriptor) => descriptor.split(" ")[0])).toEqual(["Write", "Read"]);
    expect(readFileSync(pasted, "utf8")).toBe("pasted\n");
  });
});
