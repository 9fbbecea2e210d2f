/** The places that the floor and the guards know by name. Built once for a machine and a project; holds no judgement. */
import { type Places, places } from "./places.ts";

export interface SensitivePlaces {
  readonly ssh: Places;
  readonly accounts: Places;
  /** KHAELOR's own configuration and state. */
  readonly own: Places;
  /** What runs when a shell, a session or the machine starts. */
  readonly start: Places;
  readonly cron: Places;
  readonly git: Places;
  readonly passwords: Places;
  readonly keys: Places;
}

interface Roots {
  readonly home: string;
  readonly stateFolder: string;
  readonly roots: readonly string[];
}

const ACCOUNTS =
  "passwd passwd- shadow shadow- group group- gshadow gshadow- sudoers doas.conf subuid subgid master.passwd";
const ACCOUNT_FOLDERS = "sudoers.d pam.d";
const PASSWORDS = "shadow shadow- gshadow gshadow- master.passwd";

const START_FILES =
  ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .cshrc .tcshrc .login .kshrc .mkshrc .inputrc .xprofile .xinitrc .xsession .xsessionrc .pam_environment .gitconfig .config/git/config .vimrc .config/nvim/init.lua .config/nvim/init.vim .emacs .tmux.conf .envrc .ssh/rc";
const START_FOLDERS =
  ".config/fish .config/autostart .config/systemd .config/environment.d .oh-my-zsh .bashrc.d .zshrc.d .local/share/systemd Library/LaunchAgents";
const SYSTEM_START_FILES =
  "profile bash.bashrc bashrc zshrc zshenv zprofile environment ld.so.preload ld.so.conf rc.local gitconfig crontab anacrontab hosts";
const SYSTEM_START_FOLDERS =
  "/etc/profile.d /etc/zsh /etc/systemd /etc/init.d /etc/rc.d /etc/ld.so.conf.d /lib/systemd /usr/lib/systemd /Library/LaunchAgents /Library/LaunchDaemons";
const CRON =
  "/etc/cron.d /etc/cron.daily /etc/cron.hourly /etc/cron.weekly /etc/cron.monthly /var/spool/cron /var/spool/at";

const KEY_FILES =
  ".netrc .git-credentials .npmrc .yarnrc.yml .pypirc .pgpass .my.cnf .vault-token .s3cfg .boto .docker/config.json .kube/config .cargo/credentials .cargo/credentials.toml .gem/credentials .terraform.d/credentials.tfrc.json .config/hub .composer/auth.json .m2/settings.xml .gradle/gradle.properties .config/containers/auth.json";
const KEY_FOLDERS =
  ".ssh .aws .azure .gnupg .config/gcloud .config/gh .config/op .config/rclone .password-store .local/share/keyrings .mozilla .config/google-chrome .config/chromium .config/BraveSoftware Library/Keychains Library/Cookies .config/doctl .config/heroku .oci .config/sops";

const below = (folder: string, names: string): readonly string[] =>
  names.split(" ").map((name) => `${folder === "/" ? "" : folder}/${name}`);

export function sensitivePlaces({ home, stateFolder, roots }: Roots): SensitivePlaces {
  const etc = (names: string): readonly string[] => [...below("/etc", names), ...below("/private/etc", names)];
  return {
    ssh: places(below(home, ".ssh")),
    accounts: places(etc(ACCOUNT_FOLDERS), etc(ACCOUNTS)),
    own: places([stateFolder, ...below(home, ".khaelor"), ...roots.flatMap((root) => below(root, ".khaelor"))]),
    start: places(
      [...below(home, START_FOLDERS), ...SYSTEM_START_FOLDERS.split(" ")],
      [...below(home, START_FILES), ...etc(SYSTEM_START_FILES)],
    ),
    cron: places(CRON.split(" ")),
    git: places(
      roots.flatMap((root) => below(root, ".git/hooks")),
      roots.flatMap((root) => below(root, ".git/config .git/config.worktree .git/info/attributes")),
    ),
    passwords: places(["/etc/ssl/private"], etc(PASSWORDS)),
    keys: places(below(home, KEY_FOLDERS), below(home, KEY_FILES)),
  };
}
