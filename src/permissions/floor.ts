/** The floor: what is denied always, whatever rules and modes say. Reasons are for people; undefined means that it is not the floor's business. */
import type { Ground } from "./paths.ts";
import { isWithin } from "./paths.ts";
import { mayMatchPath } from "./pattern.ts";
import { emptiedBy, places, touches } from "./places.ts";

const OTHER_SSH = /^(?:\/root|\/var\/root|\/(?:home|Users)\/[^/]+)\/\.ssh(?:\/|$)/;

/** Folders whose loss makes the machine unusable. */
const SYSTEM_FOLDERS: readonly string[] = [
  "/",
  ..."bin boot dev etc home lib lib32 lib64 libx32 media mnt nix opt proc root run sbin snap srv sys usr var"
    .split(" ")
    .map((name) => `/${name}`),
  ..."bin include lib lib32 lib64 libexec local local/bin local/lib local/share sbin share"
    .split(" ")
    .map((name) => `/usr/${name}`),
  ..."cache db lib log mail spool www".split(" ").map((name) => `/var/${name}`),
  ..."Applications Library System Users Volumes private private/etc private/var".split(" ").map((name) => `/${name}`),
  "/nix/store",
  "/mnt/c",
  "/etc/ssh",
  "/etc/systemd",
];

/** Why writing, deleting or re-moding this very path is never done. */
export function floorOfWrite(path: string, { sensitive }: Ground): string | undefined {
  if (isDevice(path)) return "writes to a device";
  if (path === "/proc/sysrq-trigger") return "turns the machine off";
  if (touches(path, sensitive.ssh) || OTHER_SSH.test(path)) return "writes to ~/.ssh, which opens the account";
  if (touches(path, sensitive.accounts)) return "writes to the account or sudo files";
  return touches(path, sensitive.own) ? "changes KHAELOR's own configuration or sessions" : undefined;
}

const DEVICES = places(["/dev"]);
const HARMLESS_DEVICES =
  /^\/dev\/(?:null|zero|full|u?random|std(?:in|out|err)|fd(?:\/.*)?|tty|ptmx|pts\/.*|shm(?:\/.*)?|mqueue\/.*|tcp\/.*|udp\/.*)$/;

const isDevice = (path: string): boolean => touches(path, DEVICES) && path !== "/dev" && !HARMLESS_DEVICES.test(path);

/** Why deleting, moving away or re-moding this is never done. `recursive`: with everything below. */
export function floorOfRemoval(path: string, recursive: boolean, ground: Ground): string | undefined {
  const direct = floorOfWrite(path, ground);
  if (direct !== undefined) return direct;
  for (const target of emptiedBy(path)) {
    const wholeTree = recursive || target !== path;
    const system = SYSTEM_FOLDERS.find((folder) => mayMatchPath(target, folder));
    if (system !== undefined) return system === "/" ? "it is the root folder" : `${system} is a system folder`;
    if (!wholeTree) continue;
    if (holds(target, ground.home)) return "it is the home folder, or holds it";
    const precious = [ground.stateFolder, `${ground.home}/.ssh`].find((folder) => holds(target, folder));
    if (precious !== undefined) return `it holds ${precious}`;
  }
  return undefined;
}

/** Is `inner` this folder or below it? The folder may have wildcards. */
function holds(folder: string, inner: string): boolean {
  if (isWithin(inner, folder)) return true;
  const depth = folder.split("/").length;
  const start = inner.split("/").slice(0, depth).join("/");
  return start !== "" && mayMatchPath(folder, start);
}

/** Why a file tool never opens this path, whatever the rules say. */
export function floorOfOpening(path: string, ground: Ground): string | undefined {
  if (path.startsWith("/dev/")) return "it is a device: opening it could block or harm";
  if (/^\/proc\/(?:[^/]+\/(?:task\/[^/]+\/)?(?:environ|mem|fd\/.*)|kcore|kmsg)$/.test(path))
    return "it holds the secrets of a running program";
  if (ground.isSpecial(path)) return "it is not a regular file: opening it could block for ever";
  return undefined;
}

/** KHAELOR's own keys: no tool reads them. */
export const floorOfReading = (path: string, ground: Ground): string | undefined =>
  /\/(?:credentials?|auth|keys?)(?:\.[^/]*)?$/i.test(path) && isWithin(path, ground.stateFolder)
    ? "it holds KHAELOR's own keys"
    : undefined;
