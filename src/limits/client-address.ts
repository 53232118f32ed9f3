import { hash } from "node:crypto";
import { isIPv6 } from "node:net";

/**
 * One of 65,536 names under which is counted what clients of an address do: a flood from all over
 * the Internet fills no memory. That two addresses share a name is rare, and costs little.
 */
export const bucketOf = (address: string): string => hash("sha256", networkOf(address)).slice(0, 4);

/** Whoever has an IPv6 address has its whole /64 to change it in (RFC 7421): that is one client. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1]; // IPv4, as a dual socket tells it
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [left = [], right = []] = address.split("::").map((part) => part.split(":"));
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => "0");
  return [...left, ...zeros, ...right].slice(0, 4).join(":");
}
