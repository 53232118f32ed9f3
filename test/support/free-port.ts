import { once } from "node:events";
import { createServer } from "node:net";

/** A port that was free a moment ago, for a program that cannot say which one it took. */
export async function freePort(): Promise<number> {
  await using server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}
