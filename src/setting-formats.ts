import { isTrusted } from "./tokens/download.ts";

/** What settings may look like. The reason for a refusal is thrown; it never tells the value. */

function refuse(why: string): never {
  throw new Error(why);
}

function parseUrl(value: string, example: string): URL {
  return URL.parse(value) ?? refuse(`must be a URL like ${example}`);
}

export function postgresUrl(value: string): string {
  const example = "postgres://parking_api:password@host:5432/parking";
  const { protocol } = parseUrl(value, example);
  return /^postgres(ql)?:$/.test(protocol) ? value : refuse(`must be a URL like ${example}`);
}

/** Keys fetched over plain http could be anybody's; on loopback nobody is in between. */
export function providerUrl(value: string): string {
  return isTrusted(parseUrl(value, "https://login.example.org"))
    ? value
    : refuse("must be https, or http on loopback");
}

export function longSecret(value: string): string {
  return Buffer.byteLength(value) >= 32 ? value : refuse("must have at least 32 bytes");
}

export function port(value: string): number {
  return /^\d{1,5}$/.test(value) && Number(value) <= 65_535
    ? Number(value)
    : refuse("must be a port number, 0 to 65535");
}

export function path(value: string): string {
  return /^(\/[\w-]+)+$/.test(value) ? value : refuse("must be a path like /api");
}

/** As browsers write them into Origin: one that is written otherwise would never be met. */
export function origins(value: string): readonly string[] {
  const list = value.split(",").map((origin) => origin.trim());
  return list.every(isWebOrigin)
    ? list
    : refuse("must be origins like https://app.example.org, with commas between them");
}

const isWebOrigin = (text: string): boolean =>
  /^https?:\/\/[^*]+$/.test(text) && URL.parse(text)?.origin === text;

export function limit(value: string): number {
  return /^\d{1,6}$/.test(value) ? Number(value) : refuse("must be a whole number, 0 to 999999");
}

export function oneOf<T extends string>(values: readonly T[]): (value: string) => T {
  return (value) =>
    values.find((candidate) => candidate === value) ??
    refuse(`must be one of ${values.join(", ")}`);
}
