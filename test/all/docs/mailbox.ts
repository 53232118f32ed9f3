/** A mail server as a program: each mail that it gets becomes a line of a file. */
import { appendFileSync } from "node:fs";
import { startMailServer } from "../../mail/smtp-server.ts";

const [port = "", file = ""] = process.argv.slice(2);
const server = await startMailServer(Number(port));
for (let count = 1; ; count++) {
  const mails = await server.until(count);
  appendFileSync(file, `${JSON.stringify(mails[count - 1])}\n`);
}
