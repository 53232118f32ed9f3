import { lookup } from "node:dns/promises";
import type { ServiceConfig } from "../config/config.ts";

/** Where a service with these settings answers. The name is resolved as `listen` resolves it. */
export async function originOf(at: Pick<ServiceConfig, "host" | "port">): Promise<string> {
  const { address } = await lookup(at.host);
  return originAt(address, at.port);
}

/** An address that a browser on this machine can open, also when all interfaces are listened on. */
export function originAt(address: string, port: number): string {
  const host = address === "0.0.0.0" || address === "::" ? "127.0.0.1" : address;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
