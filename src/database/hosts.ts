/**
 * Several hosts in one URL, as libpq reads them:
 * https://www.postgresql.org/docs/18/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS
 */

/** Which of the hosts is wanted (target_session_attrs). */
export const targets = ["any", "read-write", "read-only", "primary", "standby"] as const;
export type Target = (typeof targets)[number];

export interface Hosts {
  /** The same URL for each host. */
  readonly urls: readonly string[];
  /** As it is written, or undefined where it is not. */
  readonly target: string | undefined;
}

/** The scheme with the user, the hosts, the rest: a password has no `/`, a host has no `@`. */
const URL_OF_HOSTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s;

export function hostsOf(url: string): Hosts {
  const [, before = "", hosts = "", after = ""] = URL_OF_HOSTS.exec(url) ?? [];
  const urls = before ? hosts.split(",").map((host) => before + host + after) : [url];
  const target = URL.parse(urls[0] ?? url)?.searchParams.get("target_session_attrs");
  return { urls, target: target ?? undefined };
}

/** libpq connects to any by default; we write, and one of several hosts may only read. */
export const targetOf = ({ urls, target }: Hosts): Target =>
  targets.find((known) => known === target) ?? (urls.length > 1 ? "read-write" : "any");

/** One host and no wish: nothing to choose. */
export const isAnyOfOne = (hosts: Hosts): boolean =>
  hosts.urls.length === 1 && targetOf(hosts) === "any";

/** What a server says of itself. */
export interface Standing {
  readonly isStandby: boolean;
  /** As a standby is too. */
  readonly isReadOnly: boolean;
}

export const suits: Readonly<Record<Target, (server: Standing) => boolean>> = {
  any: () => true,
  "read-write": ({ isReadOnly }) => !isReadOnly,
  "read-only": ({ isReadOnly }) => isReadOnly,
  primary: ({ isStandby }) => !isStandby,
  standby: ({ isStandby }) => isStandby,
};

/** None of the hosts can be reached and is what is wanted. It may be later. */
export class NoHostError extends Error {}
