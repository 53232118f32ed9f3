/** The floor: Koa without a database. It answers with what it was sent, and else with a few bytes. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Koa from "koa";

const answers = new Map<string, string>();
const constant = JSON.stringify({ status: "ok" });

process.on("message", ([path, body]: readonly [string, string]) => {
  answers.set(path, body);
  process.send?.(path);
});

const app = new Koa();
app.use((ctx) => {
  ctx.type = "application/json";
  ctx.body = answers.get(ctx.url) ?? constant;
});

const server = createServer(app.callback()).listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  console.error(`http://127.0.0.1:${port}`);
});
