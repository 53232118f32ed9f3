/** The names of this machine under which web apps in development are opened, on any port. */
const LOOPBACK_HOSTS = ["127.0.0.1", "[::1]", "localhost"];

/** Whether only a program on this machine can receive what is sent to this address. */
export function isLoopback(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === "http:" && LOOPBACK_HOSTS.includes(url.hostname);
}
