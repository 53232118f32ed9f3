import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { readServiceConfig } from "../../src/config/config.ts";
import { createLogger } from "../../src/log/logger.ts";
import { startService } from "../../src/service.ts";
import { patience } from "./service.ts";
import type { Settings } from "./settings.ts";

/** The service under development, with the demo building in a folder of its own. */
export interface DemoService {
  readonly origin: string;
  readonly dataDir: string;
  stop(): Promise<void>;
}

const start = (dataDir: string, settings: Settings = {}) =>
  startService(
    readServiceConfig({ PORT: "0", DATA_DIR: dataDir, ...settings }),
    createLogger("silent"),
    patience,
  );

/**
 * What a first start leaves behind, to save initdb, migrations and the demo building: made once for all
 * files of the run, with which it goes.
 */
async function firstStart(): Promise<string> {
  const made = join(process.env.TEST_FOLDER ?? "", "demo");
  if (existsSync(made)) return made;
  const folder = await mkdtemp(`${made}-`);
  await (await start(folder)).stop();
  await rename(folder, made).catch((error: NodeJS.ErrnoException) => {
    // Another worker of Jest was faster.
    if (error.code !== "ENOTEMPTY") throw error;
  });
  return made;
}

export async function startDemoService(settings?: Settings): Promise<DemoService> {
  const dataDir = await mkdtemp(join(tmpdir(), "parking-demo-"));
  await promisify(execFile)("cp", ["-a", `${await firstStart()}/.`, dataDir]);
  const service = await start(dataDir, settings);
  return {
    origin: service.origin,
    dataDir,
    async stop() {
      await service.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
