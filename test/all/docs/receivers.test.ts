import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { projectFolder } from "../../../src/project-folder.ts";
import { signedHeaders } from "../../../src/webhooks/sign.ts";
import { environment } from "../../support/environment.ts";
import { freePort } from "../../support/free-port.ts";
import { pathTo } from "../../support/installed.ts";
import { until } from "../../support/waiting.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const BODY = '{"type":"webhook.test","timestamp":"2030-01-01T00:00:00.000Z","data":{}}';
const signed = (at = new Date(), secret = SECRET) => signedHeaders("msg_1", BODY, [secret], at);
const HOUR_MS = 3_600_000;

for (const [program, file] of [
  [process.execPath, "docs/examples/webhook-receiver.js"],
  [pathTo("python3"), "docs/examples/webhook_receiver.py"],
] as const)
  (program ? describe : describe.skip)(file, () => {
    let port: number;
    const post = async (headers: Record<string, string>, body = BODY) =>
      (await fetch(`http://127.0.0.1:${port}/parking`, { method: "POST", headers, body })).status;
    let child: ChildProcess;
    beforeAll(async () => {
      port = await freePort();
      const env = { ...environment, WEBHOOK_SECRET: SECRET, PORT: String(port) };
      child = spawn(program ?? "", [file], { cwd: projectFolder, env, stdio: "ignore" });
      await until("the receiver", () => post({}).then(Boolean, () => false));
    });
    afterAll(() => {
      child.kill("SIGKILL");
    });

    it("takes what the service signed", async () => {
      expect(await post(signed())).toBe(204);
    });

    it.each<[string, Record<string, string>]>([
      ["without a signature", {}],
      ["with the signature of another secret", signed(new Date(), "whsec_bm90IG91cnM=")],
      ["of an hour ago", signed(new Date(Date.now() - HOUR_MS))],
      ["with a time that is none", { ...signed(), "webhook-timestamp": "soon" }],
      ["with a signature that is no text", { ...signed(), "webhook-signature": "v1,é" }],
    ])("refuses a request %s, and goes on", async (_, headers) => {
      expect(await post(headers)).toBe(400);
      expect(await post(signed())).toBe(204);
    });

    it("refuses another body", async () => {
      expect(await post(signed(), "{}")).toBe(400);
    });

    it("survives a client that breaks off", async () => {
      const socket = connect(port, "127.0.0.1");
      socket.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{");
      await once(socket, "connect");
      socket.destroy();
      expect(await post(signed())).toBe(204);
    });
  });
