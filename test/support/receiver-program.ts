/** A receiver of webhooks as a process of its own. The path says what it does; a line of JSON tells of each request. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";

const GIGABYTE = 1024 ** 3;
const UPGRADE = "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: any\r\n\r\n";
const CHUNK = Buffer.alloc(64 * 1024, "x");

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const path = request.url ?? "";
  tell({ path, headers: request.headers, body: Buffer.concat(chunks).toString() });
  await answer(path, request, response);
});
server.listen(Number(process.argv[2] ?? 0), "127.0.0.1", () => {
  tell({ port: (server.address() as AddressInfo).port });
});

async function answer(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, what = "", more = ""] = path.replace(/\?.*/, "").split("/");
  if (what === "hang") return;
  if (what === "die") process.exit(1);
  if (what === "cut") return void request.socket.destroy();
  if (what === "upgrade") return void request.socket.write(UPGRADE);
  if (what === "garbage") return void request.socket.end("no HTTP at all\r\n\r\n");
  if (what === "headers") {
    response.writeHead(200, { "x-long": "x".repeat(1024 ** 2) }).end();
  } else if (what === "gigabyte") {
    response.writeHead(200, { "content-length": GIGABYTE });
    let written = 0;
    const chunks = function* () {
      for (; written < GIGABYTE; written += CHUNK.length) yield CHUNK;
    };
    await pipeline(chunks, response).catch(() => {}); // the other end has closed
    tell({ path: "/closed", headers: { written }, body: "" });
  } else if (what === "dribble") {
    response.writeHead(200);
    const timer = setInterval(() => response.write("."), 10);
    response.on("close", () => clearInterval(timer));
  } else if (what === "redirect") {
    response.writeHead(302, { location: `http://${request.headers.host}/followed` }).end();
  } else if (what === "odd") {
    response.writeHead(Math.random() < 0.5 ? 503 : 204).end();
  } else {
    if (more) response.setHeader("retry-after", more);
    response.writeHead(Number(what) || 204).end();
  }
}

const tell = (what: object): void => void process.stdout.write(`${JSON.stringify(what)}\n`);
