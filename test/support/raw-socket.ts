import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A connection on which a test can send any bytes, valid HTTP or not. */
export async function connectTo(origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  // The service may close the connection; the tests look at what it sent before.
  return socket.on("error", () => {});
}

/** The head of a request, with the empty line after it. */
export const headOf = (line: string, headers: readonly string[]): string =>
  [`${line} HTTP/1.1`, "Host: localhost", ...headers, "", ""].join("\r\n");

/** The answers until the connection ends or is reset. */
export async function everythingFrom(socket: Socket): Promise<string> {
  let answers = "";
  socket.setEncoding("utf8").on("data", (text) => {
    answers += text;
  });
  await new Promise((resolve) => socket.once("close", resolve));
  return answers;
}

/** Everything that the service answers to these bytes until it ends the connection. */
export async function exchange(origin: string, bytes: string | Buffer): Promise<string> {
  const socket = await connectTo(origin);
  socket.write(bytes);
  return everythingFrom(socket);
}
