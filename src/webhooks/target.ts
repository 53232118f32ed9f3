import { isIP } from "node:net";
import { isLoopbackHost } from "../config/formats.ts";
import { isPublicAddress } from "./address.ts";
import { RefusedTarget } from "./refused-target.ts";

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
