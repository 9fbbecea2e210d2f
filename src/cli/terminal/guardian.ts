/**
 * Somebody has to be left when the program is killed, or falls in native code: a waiting `sh` that puts the terminal right.
 * It sees the end as the end of its input, whatever caused it. An orderly end kills it first, so that it never acts then.
 */
import { RESET } from "./reset.ts";
import { sttyForm, type TtySettings } from "./tty.ts";

export interface Guardian {
  /** The program restores the terminal itself, or has done so. Idempotent. */
  dismiss(): void;
}

const NOBODY: Guardian = { dismiss: () => undefined };

/** What a shell's line editor and its children expect, where the exact settings are not known. */
const USUAL = "brkint icrnl ixon opost isig icanon iexten echo";

/**
 * The terminal is not held open, but opened again by its name when it is needed: whoever waits for its last user to leave
 * must not wait for this one. A name is soon given to another terminal, and nothing is written to that one: it has another
 * birth. Its settings are touched only while they are still those that the program made, and after a
 * moment in which a shell can see to them itself: a line editor that is at work again must not be fought. It has perhaps
 * drawn its prompt where nobody sees it now: a window that changes, and changes back, makes it draw anew.
 */
const SCRIPT = `
exec 3>&1 >/dev/null 2>&1
terminal=$(tty <&3) || exit 0
ours=$(stty -g <&3)
birth() { stat -L -c %z /dev/fd/3; }
born=$(birth)
exec 3>&-
again() { exec 3<>"$terminal" && [ "$(birth)" = "$born" ] || exit 0; }
trap '' HUP INT TERM
while read -r _; do :; done
again
printf "$1" >&3
exec 3>&-
sleep 0.1
again
[ "$(stty -g <&3)" = "$ours" ] && stty $2 <&3
set -- $(stty size <&3)
[ $# -eq 2 ] || exit 0
stty rows $(($1 + 1)) <&3
exec 3>&-
sleep 0.05
again
stty rows "$1" <&3
`;

const NOTICE = "khaelor has ended without a word. What was recorded is kept: khaelor --continue\r\n";

/** For `printf`, which then needs no byte that a command line could not hold. */
const printable = (text: string): string =>
  text.replace(/\p{Cc}/gu, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, "0")}`);

/** Call it once the terminal is in raw mode. Costs one waiting process; without a shell there is nobody. */
export function postGuardian(settings: TtySettings | undefined): Guardian {
  try {
    const restored = (settings && sttyForm(settings)) ?? USUAL;
    const words = [printable(`${RESET}${NOTICE}`), restored];
    const child = Bun.spawn(["/bin/sh", "-c", SCRIPT, "khaelor-guardian", ...words], {
      cwd: "/",
      detached: true, // a group and a session of its own: no key reaches it
      env: { PATH: process.env.PATH ?? "/usr/bin:/bin" },
      stdio: ["pipe", "inherit", "ignore"],
    });
    child.unref();
    return { dismiss: () => child.kill("SIGKILL") };
  } catch {
    return NOBODY; // no shell, no process left: the program goes on without
  }
}
