import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { readServiceConfig } from "../../../src/config/config.ts";
import { introductionTo } from "../../../src/development/index.ts";
import { createLogger } from "../../../src/log/logger.ts";
import { projectFolder } from "../../../src/project-folder.ts";
import { type Service, startService } from "../../../src/service.ts";
import { environment } from "../../support/environment.ts";

let dataDir: string;
let service: Service;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "Maria's data "));
  const config = readServiceConfig({ PORT: "0", DATA_DIR: dataDir });
  service = await startService(config, createLogger("silent"));
});
afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true });
});

/** Runs a command line as a person pastes it into a terminal in the project's folder. */
async function paste(line: string): Promise<string> {
  const env = { ...environment, HOME: process.env.HOME };
  return (await promisify(execFile)("sh", ["-c", line], { cwd: projectFolder, env })).stdout;
}

describe("the introduction of a service on another port and in another folder", () => {
  it("has a curl that works as it is", async () => {
    const [curl = ""] = /curl .*/.exec(service.introduction ?? "") ?? [];

    expect(JSON.parse(await paste(`${curl} --silent`))).toHaveProperty("stats.active_spots");
  });
});

describe("the introduction of a service with the usual settings", () => {
  it("has the short command", () => {
    expect(introductionTo(readServiceConfig({}), "http://127.0.0.1:3000")).toContain(
      "$(npm run -s token -- maria@demo.example)",
    );
  });
});
