/** What a person must see each time, unless a rule names it exactly: start files, hooks, cron, private keys. */
import { type Ground, isWithin } from "./paths.ts";
import { touches } from "./places.ts";

/** Why a person must see a write to this path. */
export function guardOfWrite(path: string, ground: Ground): string | undefined {
  const { sensitive } = ground;
  if (touches(path, sensitive.start)) return "writes to a file that runs when a shell or the session starts";
  if (touches(path, sensitive.cron)) return "changes what cron runs";
  if (touches(path, sensitive.git) || GIT_INTERNAL.test(path)) {
    return "writes to git hooks or settings, which later git commands obey";
  }
  return guardOfReading(path, ground) === undefined ? undefined : "writes to a place for private keys";
}

/** Of any repository, also one inside another, and one that is being put together. */
const GIT_INTERNAL = /\/\.git(?:$|\/(?!(?:index\.lock|info\/exclude|description)$))/;

const PUBLIC = /\.pub$|\/\.ssh\/(?:config|known_hosts)(?:\.old)?$|\/\.aws\/config$/;
const PRIVATE_NAME = /\/(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|[^/]*_rsa)$/;
const PROCESS_SECRETS = /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(?:environ|mem)$/;

/** Why a person must see a read of this path. */
export function guardOfReading(path: string, { sensitive, roots }: Ground): string | undefined {
  if (PROCESS_SECRETS.test(path)) return "reads the environment of a program, which may hold keys";
  if (touches(path, sensitive.passwords)) return "reads password hashes or private keys";
  if (PUBLIC.test(path)) return undefined;
  const isKeyElsewhere = PRIVATE_NAME.test(path) && !roots.some((root) => isWithin(path, root));
  return isKeyElsewhere || touches(path, sensitive.keys) ? "reads private keys or stored passwords" : undefined;
}
