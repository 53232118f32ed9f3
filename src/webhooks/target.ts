import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { types } from "node:util";
import ipaddr from "ipaddr.js";
import { isLoopbackHost } from "../config/formats.ts";

/** Nothing is sent to this address. The message for administrators does not repeat the address. */
export class RefusedTarget extends Error {
  override readonly name = "RefusedTarget";
}

/** Lower ports are for services of the machine, such as mail and SSH, which accept no webhooks. */
const FIRST_UNPRIVILEGED_PORT = 1024;

/**
 * The target of a message. An address in the URL is checked here, because a connection to it asks
 * no resolver. `publicLookup` checks the addresses of a name.
 * @param allowsLoopback in development: also http, and this machine
 * @throws RefusedTarget
 */
export function targetOf(text: string, allowsLoopback: boolean): URL {
  const url = URL.parse(text); // normalizes every IPv4 address: 0x7f.1 becomes 127.0.0.1
  if (!url) throw new RefusedTarget("is no URL");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isHere = allowsLoopback && isLoopbackHost(host);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isHere))
    throw new RefusedTarget("must begin with https://");
  if (url.username !== "" || url.password !== "")
    throw new RefusedTarget("must not have a name or a password");
  if (url.port !== "" && Number(url.port) < FIRST_UNPRIVILEGED_PORT)
    throw new RefusedTarget("must have port 443 or one from 1024 on");
  const isForbidden = isIP(host) === 0 ? isLoopbackHost(host) : !isPublicAddress(host);
  if (isForbidden && !isHere) throw new RefusedTarget("leads to an address that is not public");
  return url;
}

/** The part of IPv6 that IANA has made public. ipaddr.js also counts the rest as unicast. */
const PUBLIC_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether it is an address of the public Internet. An IPv6 address that contains an IPv4 address
 * (mapped, NAT64, 6to4, Teredo) is not: where it leads depends on the network.
 */
function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  return (
    address.range() === "unicast" && (address instanceof ipaddr.IPv4 || address.match(PUBLIC_IPV6))
  );
}

export interface Lookup {
  /** In development, `localhost` is allowed. */
  readonly allowsLoopback: boolean;
  /** Name servers other than those of the machine, in the form of `dns.setServers`. */
  readonly nameServers?: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

/** The addresses of `localhost`, for which no name server is asked. */
const LOOPBACK: readonly LookupAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/**
 * Looks up a name for a connection: returns its addresses if all of them are public. The connection
 * uses one of the checked addresses, so a name server that answers differently the next time gains
 * nothing.
 */
export const publicLookup =
  (options: Lookup): LookupFunction =>
  (name, { all }, callback) => {
    const answer = (addresses: readonly LookupAddress[]) => {
      const [first] = addresses;
      if (all || !first) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    };
    addressesOf(name, options).then(answer, (error: unknown) => {
      callback(types.isNativeError(error) ? error : new Error(String(error)), []);
    });
  };

async function addressesOf(name: string, options: Lookup): Promise<readonly LookupAddress[]> {
  if (options.allowsLoopback && name === "localhost") return LOOPBACK;
  const found = await ask(name, options);
  if (found.length === 0) throw new RefusedTarget("has a name without an address");
  if (!found.every(({ address }) => isPublicAddress(address)))
    throw new RefusedTarget("leads to an address that is not public");
  return found;
}

/** For each name that hangs, `dns.lookup` would use one of the four threads that Node shares. */
async function ask(name: string, { nameServers, signal }: Lookup): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (nameServers) resolver.setServers(nameServers);
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel);
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  signal.removeEventListener("abort", cancel);
  return answers.flatMap((it, i) =>
    it.status === "fulfilled"
      ? it.value.map((address) => ({ address, family: i === 0 ? 4 : 6 }))
      : [],
  );
}
