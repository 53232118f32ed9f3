import { hash } from "node:crypto";
import { isIPv6 } from "node:net";

/**
 * The name under which an address is counted. There are only 65,536, so that a flood from many
 * addresses does not fill the memory. Two addresses rarely share a name, and lose little by it.
 */
export const bucketOf = (address: string): string => hash("sha256", networkOf(address)).slice(0, 4);

/** A client with an IPv6 address can use any address of its /64 (RFC 7421), so a /64 is one client. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1]; // IPv4 on a dual-stack socket
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [left = [], right = []] = address.split("::").map((part) => part.split(":"));
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => "0");
  return [...left, ...zeros, ...right].slice(0, 4).join(":");
}
