import ipaddr from "ipaddr.js";

/** The part of IPv6 that IANA has made public. ipaddr.js also counts the rest as unicast. */
const PUBLIC_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether it is an address of the public Internet. An IPv6 address that contains an IPv4 address
 * (mapped, NAT64, 6to4, Teredo) is not: where it leads depends on the network.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  return (
    address.range() === "unicast" && (address instanceof ipaddr.IPv4 || address.match(PUBLIC_IPV6))
  );
}
