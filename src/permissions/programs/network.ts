/** Programs that reach hosts: which host, and what they read and write on the way. Hosts are named as the program will see them. */
import type { Word } from "../shell/types.ts";
import type { Describe, Facts } from "./facts.ts";
import { hasOption, optionValues, readArguments, tail } from "./options.ts";

const CURL_VALUES =
  "o O T d F H A b c e E K m u U x X Y y z w r Q C P t D url output data data-ascii data-binary data-raw data-urlencode json form form-string header user-agent cookie cookie-jar referer cert key cacert capath config max-time user proxy request write-out range output-dir dump-header upload-file connect-timeout retry retry-delay retry-max-time limit-rate resolve connect-to interface unix-socket abstract-unix-socket netrc-file trace trace-ascii stderr libcurl etag-save etag-compare hsts alt-svc proxy-header preproxy socks4 socks4a socks5 socks5-hostname dns-servers doh-url ciphers tlsv1.3-ciphers proto proto-redir proto-default max-redirs max-filesize keepalive-time pinnedpubkey oauth2-bearer aws-sigv4 noproxy local-port continue-at speed-limit speed-time time-cond url-query variable pass";

const curl: Describe = ({ words }, facts) => {
  const args = readArguments(words, CURL_VALUES.replace("O ", ""));
  facts.hosts.push(...args.operands, ...optionValues(args, "--url"));
  facts.writes.push(
    ...optionValues(
      args,
      "-o --output --output-dir -c --cookie-jar -D --dump-header --trace --trace-ascii --stderr --libcurl --etag-save --hsts --alt-svc",
    ),
  );
  facts.reads.push(
    ...optionValues(args, "-T --upload-file -E --cert --key --cacert --netrc-file --etag-compare -K --config"),
  );
  if (hasOption(args, "-O --remote-name --remote-name-all -J --remote-header-name")) facts.writes.push(here);
  for (const value of optionValues(
    args,
    "-d --data --data-ascii --data-binary --data-urlencode --json -F --form -H --header -w --write-out -b --cookie",
  )) {
    const file = /^(?:[^@]*[=@])?[@<]([^;,]+)/s.exec(value.shape)?.[1];
    if (file !== undefined) facts.reads.push({ ...value, text: file, shape: file });
  }
  // Without a `=`, cookies are a file's name.
  facts.reads.push(...optionValues(args, "-b --cookie").filter((value) => !/[=@]/.test(value.text)));
  // A socket leads to a service of this machine, whatever host the address names.
  facts.writes.push(...optionValues(args, "--unix-socket"));
  facts.hosts.push(...optionValues(args, "--abstract-unix-socket"));
  if (hasOption(args, "-K --config")) facts.problems.push("a curl configuration file can name any address and file");
  facts.hosts.push(
    ...optionValues(
      args,
      "-x --proxy --preproxy --socks4 --socks4a --socks5 --socks5-hostname --doh-url --dns-servers",
    ),
  );
  // `host:port:address` and `host:port:other:port`: what stands third is where it really goes.
  for (const value of optionValues(args, "--resolve --connect-to")) {
    facts.hosts.push(tail(value, /^[^:]*:[^:]*:/.exec(value.text)?.[0].length ?? 0));
  }
  if (args.doubtful) facts.problems.push("a word that cannot be resolved may be an option of curl");
};

const here: Word = { text: ".", shape: ".", known: true, pattern: false, split: false };

const wget: Describe = ({ words }, facts) => {
  const args = readArguments(
    words,
    "O P o a i e t T w Q U D R A l X I B output-document directory-prefix output-file append-output input-file execute tries timeout user-agent header post-data post-file body-file load-cookies save-cookies ca-certificate config use-askpass",
  );
  facts.hosts.push(...args.operands);
  const documents = optionValues(args, "-O --output-document");
  const folders = optionValues(args, "-P --directory-prefix");
  facts.writes.push(...documents.filter((word) => word.text !== "-"), ...folders);
  facts.writes.push(...optionValues(args, "-o --output-file -a --append-output --save-cookies"));
  if (documents.length + folders.length === 0 && !hasOption(args, "--spider")) facts.writes.push(here);
  facts.reads.push(
    ...optionValues(args, "-i --input-file --post-file --body-file --load-cookies --config --ca-certificate"),
  );
  if (hasOption(args, "-i --input-file --config -e --execute --use-askpass")) {
    facts.problems.push("wget is given an option that can name any address or program");
  }
  if (args.doubtful) facts.problems.push("a word that cannot be resolved may be an option of wget");
};

/** `ping host`, `dig @server name`: every operand that can be a host. */
const named =
  (values: string, hostOptions = ""): Describe =>
  ({ words }, facts) => {
    const args = readArguments(words, values);
    facts.hosts.push(...optionValues(args, hostOptions));
    for (const word of args.operands) facts.hosts.push(word.text.startsWith("@") ? tail(word, 1) : word);
  };

/** `ssh host command`: the first operand. */
const first =
  (values: string): Describe =>
  ({ words }, facts) => {
    const args = readArguments(words, values);
    facts.hosts.push(...args.operands.slice(0, 1));
    facts.reads.push(...optionValues(args, "-i -F"));
    if (args.operands.length === 0) facts.problems.push("which host it reaches cannot be told");
  };

/** `getent hosts name` asks the name servers; its other databases lie on this machine. */
const lookup: Describe = ({ words }, facts) => {
  const [database, ...keys] = readArguments(words, "s").operands;
  if (database?.known !== true || /^a?hosts(?:v[46])?$/.test(database.text)) facts.hosts.push(...keys);
};

interface NetworkProgram {
  readonly describe: Describe;
  /** It reaches hosts and does nothing else that rules should see. */
  readonly only: boolean;
}

const PROGRAMS: Readonly<Record<string, NetworkProgram>> = {
  curl: { describe: curl, only: true },
  wget: { describe: wget, only: true },
  ping: { describe: named("c i W w s t I"), only: true },
  ping6: { describe: named("c i W w s t I"), only: true },
  dig: { describe: named("b p q t x c f k y", "-q"), only: true },
  nslookup: { describe: named(""), only: true },
  host: { describe: named("t c N R W m"), only: true },
  whois: { describe: named("h p", "-h"), only: true },
  traceroute: { describe: named("m q w f p"), only: true },
  mtr: { describe: named("c i s"), only: true },
  ssh: { describe: first("b c D E e F I i J L l m O o p Q R S W w B"), only: false },
  sftp: { describe: first("B b c D F i J l o P R S s"), only: false },
  ftp: { describe: first(""), only: false },
  telnet: { describe: first("b e l"), only: false },
  nc: { describe: first("b c e g G i I m M o O p P q s T V w W x X"), only: false },
  ncat: { describe: first("c e m o p s w x"), only: false },
  netcat: { describe: first("c e g i o p q s w"), only: false },
  socat: { describe: named("b d L lf ls t T"), only: false },
  aria2c: { describe: named("d o x s j i"), only: false },
  http: { describe: named("a A o d"), only: false },
  https: { describe: named("a A o d"), only: false },
  getent: { describe: lookup, only: false },
  lynx: { describe: named(""), only: false },
  w3m: { describe: named("T o"), only: false },
};

export function describeNetwork(call: Parameters<Describe>[0], facts: Facts): boolean {
  const program = Object.hasOwn(PROGRAMS, call.name) ? PROGRAMS[call.name] : undefined;
  if (program === undefined) return false;
  program.describe(call, facts);
  if (program.only) facts.kind = "network";
  return true;
}

export type Host =
  | { readonly kind: "host"; readonly name: string; readonly port: string | undefined }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "unknown" };

/** The host of an address as the programs read it. Whatever two readers could understand differently is unknown. */
export function hostOf(address: Word): Host {
  if (!address.known || address.shape !== address.text) return { kind: "unknown" };
  const text = address.text;
  const file = /^file:\/\/(?:localhost)?(\/.*)$/is.exec(text)?.[1];
  if (file !== undefined) return { kind: "file", path: file };
  if (/[\\\s{}[\]^|<>"`]/.test(text.replace(/^[^?#]*\[[0-9a-f:.]+\]/i, ""))) return { kind: "unknown" };
  const authority = /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^/?#]*)/i.exec(text)?.[1] ?? "";
  const hostPort = authority.slice(authority.lastIndexOf("@") + 1);
  const match = /^(\[[0-9a-f:.]+\]|[^:]+)(?::(.*))?$/i.exec(hostPort);
  const name = match?.[1]?.toLowerCase().replace(/\.$/, "");
  if (name === undefined || !/^[\w.\-[\]:]+$/.test(name)) return { kind: "unknown" };
  return { kind: "host", name, port: match?.[2] };
}
