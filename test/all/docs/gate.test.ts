import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
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

  const says = async (API: string, vehicle: string, signature: string) => {
    const LIST = join(folder, "list.json");
    await writeFile(LIST, JSON.stringify({ text, signature }));
    const env = { ...environment, API, KEY, LIST };
    const program = ["docs/examples/gate.js", vehicle];
    const { stdout } = await promisify(execFile)(process.execPath, program, {
      cwd: projectFolder,
      env,
    });
    return stdout.trim();
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
    const server: Server = createServer((_, response) => response.writeHead(status).end());
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    expect(await says(`http://127.0.0.1:${port}/api`, "ÄB 1", signed(KEY))).toBe(expected);
    server.close();
  });
});
