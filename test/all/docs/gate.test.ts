import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { projectFolder } from "../../../src/project-folder.ts";
import { environment } from "../../support/environment.ts";
import { freePort } from "../../support/free-port.ts";
import { DEMO } from "./building.ts";
import { describePage } from "./page.ts";

describePage("docs/gate.md", { before: DEMO });

describe("docs/examples/gate.js", () => {
  const KEY = `parking_${"k".repeat(43)}`;
  const in5Minutes = new Date(Date.now() + 300_000).toISOString();
  const text = JSON.stringify({
    vehicles: [{ vehicle: "ÄB1", start_time: in5Minutes, end_time: in5Minutes }],
  });
  const signed = (key: string) => `sha256=${createHmac("sha256", key).update(text).digest("hex")}`;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "gate-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const run = async (API: string, ...given: readonly string[]) => {
    const env = { ...environment, API, KEY, LIST: join(folder, "list.json") };
    const program = ["docs/examples/gate.js", ...given];
    const { stdout } = await promisify(execFile)(process.execPath, program, {
      cwd: projectFolder,
      env,
    });
    return stdout.trim();
  };
  const says = async (API: string, vehicle: string, signature: string) => {
    await writeFile(join(folder, "list.json"), JSON.stringify({ text, signature }));
    return run(API, vehicle);
  };
  /** A service, or what stands before it, that answers everything so. */
  const answering = async (answer: RequestListener) => {
    const server: Server = createServer(answer);
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    return {
      API: `http://127.0.0.1:${port}/api`,
      [Symbol.dispose]: () => {
        server.closeAllConnections();
        server.close();
      },
    };
  };

  it("opens by the list where nobody answers, unless another key signed it", async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}/api`;
    expect(await says(nowhere, "äb-1", signed(KEY))).toBe("open");
    expect(await says(nowhere, "äb-2", signed(KEY))).toBe("stay");
    expect(await says(nowhere, "äb-1", signed("another"))).toBe("stay");
  });

  it.each([
    [503, "open"],
    [429, "open"],
    [401, "stay"],
  ])("does so where the service answers %d: %s", async (status, expected) => {
    using service = await answering((_, response) => response.writeHead(status).end("{}"));
    expect(await says(service.API, "ÄB 1", signed(KEY))).toBe(expected);
  });

  it.each<readonly [string, RequestListener]>([
    ["a page of somebody else", (_, response) => response.end("<p>Sign in to this network</p>")],
    ["half an answer", (_, response) => response.write('{"allowed":')],
  ])("does so where the answer is %s, and keeps the list it has", async (_name, answer) => {
    using service = await answering(answer);
    expect(await says(service.API, "ÄB 1", signed(KEY))).toBe("open");
    await run(service.API).catch(() => {}); // it may say that it failed
    expect(await run(service.API, "ａ̈b 1")).toBe("open"); // as wide and composed as a camera may write it
  });
});
