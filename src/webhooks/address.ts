import ipaddr from "ipaddr.js";

/** What IANA gave to the public so far; ipaddr.js counts the rest of IPv6 as unicast, too. */
const PUBLIC_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether it is an address of the public Internet. One of IPv6 that carries an address of IPv4 in it
 * (mapped, NAT64, 6to4, Teredo) is not: what it leads to depends on the network.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  return (
    address.range() === "unicast" && (address instanceof ipaddr.IPv4 || address.match(PUBLIC_IPV6))
  );
}
