import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { types } from "node:util";
import { isPublicAddress } from "./address.ts";
import { RefusedTarget } from "./refused-target.ts";

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
