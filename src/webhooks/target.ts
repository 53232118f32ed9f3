import { isIP } from "node:net";
import { isLoopbackHost } from "../config/formats.ts";
import { isPublicAddress } from "./address.ts";
import { RefusedTarget } from "./refused-target.ts";

/** Below it are services of the machine, such as mail and SSH, which take no webhooks. */
const FIRST_UNPRIVILEGED_PORT = 1024;

/**
 * Where to send. An address in the URL is checked here, because a connection to it asks no resolver;
 * those of a name are checked by `publicLookup`.
 *
 * @param allowsLoopback in development: http, too, to this machine
 * @throws RefusedTarget
 */
export function targetOf(text: string, allowsLoopback: boolean): URL {
  const url = URL.parse(text); // spells every IPv4 address in the usual way: 0x7f.1 is 127.0.0.1
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
