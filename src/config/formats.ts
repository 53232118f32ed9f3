/** The formats of settings. A parser throws the reason for a refusal, and never the value. */
import { isIPv4 } from "node:net";
import { hostsOf, targets } from "../database/hosts.ts";

function refuse(why: string): never {
  throw new Error(why);
}

function parseUrl(value: string, example: string): URL {
  return URL.parse(value) ?? refuse(`must be a URL like ${example}`);
}

export function postgresUrl(value: string): string {
  const example = "postgres://parking_api:password@host:5432/parking";
  const { urls, target } = hostsOf(value);
  for (const url of urls) {
    const { protocol } = parseUrl(url, example);
    if (!/^postgres(ql)?:$/.test(protocol)) refuse(`must be a URL like ${example}`);
  }
  if (target !== undefined && !targets.some((known) => known === target)) {
    refuse(`target_session_attrs must be one of ${targets.join(", ")}`);
  }
  return value;
}

/** Whether it is a name or an address of this machine that no other machine can reach. */
export const isLoopbackHost = (host: string): boolean =>
  ["localhost", "::1", "[::1]"].includes(host) || (isIPv4(host) && host.startsWith("127."));

/** https, or http on loopback: over plain http, anybody in between could replace the keys. */
export const isTrustedUrl = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" || (protocol === "http:" && isLoopbackHost(hostname));

export function providerUrl(value: string): string {
  return isTrustedUrl(parseUrl(value, "https://login.example.org"))
    ? value
    : refuse("must be https, or http on loopback");
}

/** As long as the hash: the minimum that RFC 7518, 3.2 requires for HS256. */
const MIN_SECRET_BYTES = 32;

export function longSecret(value: string): string {
  return Buffer.byteLength(value) >= MIN_SECRET_BYTES
    ? value
    : refuse(`must have at least ${MIN_SECRET_BYTES} bytes`);
}

export function port(value: string): number {
  return /^\d{1,5}$/.test(value) && Number(value) <= 65_535
    ? Number(value)
    : refuse("must be a port number, 0 to 65535");
}

export function path(value: string): string {
  return /^(\/[\w-]+)+$/.test(value) ? value : refuse("must be a path like /api");
}

/** As browsers write them into Origin: one in another spelling would never match. */
export function origins(value: string): readonly string[] {
  const list = value.split(",").map((origin) => origin.trim());
  return list.every(isWebOrigin)
    ? list
    : refuse("must be origins like https://app.example.org, with commas between them");
}

const isWebOrigin = (text: string): boolean =>
  /^https?:\/\/[^*]+$/.test(text) && URL.parse(text)?.origin === text;

export const LARGEST_LIMIT = 999_999;

export function limit(value: string): number {
  return /^\d{1,6}$/.test(value)
    ? Number(value)
    : refuse(`must be a whole number, 0 to ${LARGEST_LIMIT}`);
}

export function oneOf<T extends string>(values: readonly T[]): (value: string) => T {
  return (value) =>
    values.find((candidate) => candidate === value) ??
    refuse(`must be one of ${values.join(", ")}`);
}
