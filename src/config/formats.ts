/** The formats of settings. A refusal gives the reason, and never the value. */
import { isIPv4 } from "node:net";
import { addresses, isPage } from "../addresses.ts";
import { withTls } from "../database/tls.ts";
import { isMailbox } from "../formats.ts";
import { MOUNT_PATH } from "./own-issuer.ts";

export interface SettingFormat<T> {
  /** What a value must be. docs/settings.md and refusals print it. */
  readonly form: string;
  /** @throws Error with the reason for a refusal */
  readonly read: (value: string) => T;
}

/** `read` returns undefined for a value that has another form. */
const format = <T>(form: string, read: (value: string) => T | undefined): SettingFormat<T> => ({
  form,
  read: (value) => read(value) ?? refuse(`must be ${form}`),
});

function refuse(why: string): never {
  throw new Error(why);
}

export const text = format("text", (value) => value);

const ONE_HOST = "must name one host, which leads to the primary: docs/scaling.md#failover";

/** @param env contains libpq's variables, for TLS settings that a URL lacks */
export const postgresUrl = (env: NodeJS.ProcessEnv): SettingFormat<string> =>
  format("a URL like postgres://parking_api:password@host:5432/parking", (value) => {
    if (hostsIn(value).includes(",")) refuse(ONE_HOST);
    const isPostgres = /^postgres(ql)?:$/.test(URL.parse(value)?.protocol ?? "");
    return isPostgres ? withTls(value, env) : undefined;
  });

/** A password contains no `/` and a host no `@`. URL cannot parse what libpq accepts: `a:1,b:2`. */
function hostsIn(url: string): string {
  const [, hosts = "", query = ""] = /:\/\/(?:[^/?#]*@)?([^/?#]*)[^?#]*\??([^#]*)/.exec(url) ?? [];
  return hosts + (new URLSearchParams(query).get("host") ?? "");
}

/** Whether it is a name or an address of this machine that no other machine can reach. */
export const isLoopbackHost = (host: string): boolean =>
  ["localhost", "::1", "[::1]"].includes(host) || (isIPv4(host) && host.startsWith("127."));

/** https, or http on loopback: over plain http, anybody on the way could replace the keys. */
export const isTrustedUrl = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" || (protocol === "http:" && isLoopbackHost(hostname));

export const providerUrl = format("https, or http on loopback", (value) => {
  const url = URL.parse(value) ?? refuse("must be a URL like https://login.example.org");
  return isTrustedUrl(url) ? value : undefined;
});

/** The length of the hash: RFC 7518, section 3.2, requires this minimum for HS256. */
const MIN_SECRET_BYTES = 32;

export const longSecret = format(`a secret of at least ${MIN_SECRET_BYTES} bytes`, (value) =>
  Buffer.byteLength(value) >= MIN_SECRET_BYTES ? value : undefined,
);

export const port = format("a port number, 0 to 65535", (value) =>
  /^\d{1,5}$/.test(value) && Number(value) <= 65_535 ? Number(value) : undefined,
);

const reserved = [MOUNT_PATH, "/docs", "/graphiql", "/livez", "/readyz", addresses.spot];

export const basePath = format("a path like /api", (value) => {
  if (!/^(\/[\w-]+)+$/.test(value)) return undefined;
  if (isPage(value) || reserved.includes(value)) refuse(`${value} is a page of the service`);
  return value;
});

/** Origins as browsers write them in the header Origin. Another spelling would never match. */
export const origins = format(
  "origins like https://app.example.org, with commas between them",
  (value): readonly string[] | undefined => {
    const list = value.split(",").map((origin) => origin.trim());
    return list.every(isWebOrigin) ? list : undefined;
  },
);

const isWebOrigin = (origin: string): boolean =>
  /^https?:\/\/[^*]+$/.test(origin) && URL.parse(origin)?.origin === origin;

/** The address at which people open the page, as browsers write an origin. */
export const publicUrl = format("an origin like https://parking.example.org", (value) => {
  const origin = value.replace(/\/$/, "");
  const url = URL.parse(origin);
  return url && isTrustedUrl(url) && isWebOrigin(origin) ? origin : undefined;
});

/** A mail server, and the login for it. */
export interface SmtpServer {
  /** Whether TLS is used from the start. */
  readonly secure: boolean;
  readonly hostname: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

export const smtpUrl = format(
  "a URL like smtp://user:password@mail.example.org:587, or smtps://",
  (value): SmtpServer | undefined => {
    const url = URL.parse(value);
    const isServer = url && /^smtps?:$/.test(url.protocol) && url.hostname !== "";
    // A # or a ? in the password that is not encoded would cut it off.
    if (!isServer || !/^\/?$/.test(url.pathname + url.search + url.hash)) return undefined;
    const secure = url.protocol === "smtps:";
    return {
      secure,
      hostname: url.hostname.replace(/^\[(.*)\]$/, "$1"),
      port: Number(url.port) || (secure ? 465 : 587),
      user: decoded(url.username),
      password: decoded(url.password),
    };
  },
);

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return refuse("must be encoded: a % in the user or the password is written %25");
  }
}

export interface Sender {
  readonly name: string;
  readonly address: string;
}

export const sender = format(
  "an address like parking@example.org or Parking <parking@example.org>",
  (value): Sender | undefined => {
    const [, name = "", inBrackets, plain] =
      /^(?:([^<>"@\r\n]*?)\s*<([^<>]+)>|([^<>]+))$/.exec(value) ?? [];
    const address = inBrackets ?? plain ?? "";
    return isMailbox(address) ? { name, address } : undefined;
  },
);

/** The form is that of RFC 8292. Apple's push service refuses another form. */
export const contact = format("mailto: and an address, or an https URL", (value) => {
  const url = URL.parse(value);
  const isOne =
    url?.protocol === "https:" || (url?.protocol === "mailto:" && isMailbox(url.pathname));
  return isOne ? value : undefined;
});

export const LARGEST_LIMIT = 999_999;

export const limit = format(`a whole number, 0 to ${LARGEST_LIMIT}`, (value) =>
  /^\d{1,6}$/.test(value) ? Number(value) : undefined,
);

export const oneOf = <T extends string>(values: readonly T[]): SettingFormat<T> =>
  format(`one of ${values.join(", ")}`, (value) => values.find((candidate) => candidate === value));

const booleans = oneOf(["false", "true"]);

export const flag: SettingFormat<boolean> = {
  form: booleans.form,
  read: (value) => booleans.read(value) === "true",
};
