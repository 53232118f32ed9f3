import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ports that the system hands out, so that nobody takes one while a program starts.
 * Each process begins elsewhere.
 */
const FIRST = 10_000;
let next = (process.pid * 97) % 20_000;

/** A free port, for a program that cannot say which one it took. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + next;
    next = (next + 1) % 20_000;
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  try {
    await using server = createServer().listen(port, "127.0.0.1");
    await once(server, "listening");
    return true;
  } catch {
    return false;
  }
}
