/** What a person must see each time, unless a rule names it exactly: start files, hooks, cron, private keys. */
import { type Ground, isWithin } from "./paths.ts";
import { touches } from "./places.ts";

const START_FILES =
  ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .cshrc .tcshrc .login .kshrc .mkshrc .inputrc .xprofile .xinitrc .xsession .xsessionrc .pam_environment .gitconfig .config/git/config .config/fish/config.fish .vimrc .config/nvim/init.lua .config/nvim/init.vim .emacs .tmux.conf .envrc .config/environment.d .ssh/rc".split(
    " ",
  );
const START_FOLDERS =
  ".config/fish .config/autostart .config/systemd .config/environment.d .oh-my-zsh .bashrc.d .zshrc.d .local/share/systemd Library/LaunchAgents".split(
    " ",
  );
const SYSTEM_START = {
  files: [
    "/etc/profile",
    "/etc/bash.bashrc",
    "/etc/bashrc",
    "/etc/zshrc",
    "/etc/zshenv",
    "/etc/zprofile",
    "/etc/environment",
    "/etc/ld.so.preload",
    "/etc/ld.so.conf",
    "/etc/rc.local",
    "/etc/gitconfig",
    "/etc/crontab",
    "/etc/anacrontab",
    "/etc/hosts",
  ],
  folders: [
    "/etc/profile.d",
    "/etc/zsh",
    "/etc/systemd",
    "/etc/init.d",
    "/etc/rc.d",
    "/etc/ld.so.conf.d",
    "/lib/systemd",
    "/usr/lib/systemd",
    "/Library/LaunchAgents",
    "/Library/LaunchDaemons",
  ],
};
const CRON = {
  files: [],
  folders: [
    "/etc/cron.d",
    "/etc/cron.daily",
    "/etc/cron.hourly",
    "/etc/cron.weekly",
    "/etc/cron.monthly",
    "/var/spool/cron",
    "/var/spool/at",
  ],
};

/** Why a person must see a write to this path. */
export function guardOfWrite(path: string, ground: Ground): string | undefined {
  const inHome = (name: string): string => `${ground.home}/${name}`;
  if (
    touches(path, { files: START_FILES.map(inHome), folders: START_FOLDERS.map(inHome) }) ||
    touches(path, SYSTEM_START)
  ) {
    return "writes to a file that runs when a shell or the session starts";
  }
  if (touches(path, CRON)) return "changes what cron runs";
  if (isGitInternal(path)) return "writes to git hooks or settings, which later git commands obey";
  return guardOfReading(path, ground) === undefined ? undefined : "writes to a place for private keys";
}

const isGitInternal = (path: string): boolean =>
  /\/\.git\/(?:hooks(?:\/|$)|config(?:\.worktree)?$|modules\/.*\/(?:hooks\/|config$)|info\/attributes$)/.test(path);

const KEY_FILES =
  ".netrc .git-credentials .npmrc .yarnrc.yml .pypirc .pgpass .my.cnf .vault-token .s3cfg .boto .docker/config.json .kube/config .cargo/credentials .cargo/credentials.toml .gem/credentials .terraform.d/credentials.tfrc.json .config/hub .composer/auth.json .m2/settings.xml .gradle/gradle.properties .config/containers/auth.json".split(
    " ",
  );
const KEY_FOLDERS =
  ".ssh .aws .azure .gnupg .config/gcloud .config/gh .config/op .config/rclone .password-store .local/share/keyrings .mozilla .config/google-chrome .config/chromium .config/BraveSoftware Library/Keychains Library/Cookies .config/doctl .config/heroku .oci .config/sops".split(
    " ",
  );
const PUBLIC = /\.pub$|\/\.ssh\/(?:config|known_hosts)(?:\.old)?$|\/\.aws\/config$/;
const PRIVATE_NAME = /\/(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|[^/]*_rsa)$/;

/** Why a person must see a read of this path. */
export function guardOfReading(path: string, ground: Ground): string | undefined {
  const inHome = (name: string): string => `${ground.home}/${name}`;
  if (/^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(?:environ|mem)$/.test(path))
    return "reads the environment of a program, which may hold keys";
  if (touches(path, { files: ["/etc/shadow", "/etc/gshadow", "/etc/master.passwd"], folders: ["/etc/ssl/private"] })) {
    return "reads password hashes or private keys";
  }
  if (PUBLIC.test(path)) return undefined;
  const isKey =
    touches(path, { files: KEY_FILES.map(inHome), folders: KEY_FOLDERS.map(inHome) }) ||
    (PRIVATE_NAME.test(path) && !ground.roots.some((root) => isWithin(path, root)));
  return isKey ? "reads private keys or stored passwords" : undefined;
}
