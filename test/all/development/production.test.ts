import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { projectFolder } from "../../../src/project-folder.ts";
import { type Building, openBuilding } from "../../support/building.ts";
import { environment } from "../../support/environment.ts";
import { makeDataDir } from "../../support/identity-service.ts";

let building: Building;
let dataDir: string;
beforeAll(async () => {
  dataDir = await makeDataDir();
  building = await openBuilding();
});
afterAll(async () => {
  await building.close();
  await rm(dataDir, { recursive: true });
});

/** The modules of a service with these settings, from its start to its end. */
async function modulesLoadedWith(settings: NodeJS.ProcessEnv): Promise<string> {
  const program = ["--import", "./test/all/development/loaded-modules.ts", "src/main.ts"];
  const child = spawn(process.execPath, program, {
    cwd: projectFolder,
    env: { ...environment, ...settings, PORT: "0", LOG_LEVEL: "silent" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const modules = text(child.stdout);
  for await (const chunk of child.stderr) {
    if (String(chunk).includes("shared at")) child.kill("SIGTERM");
  }
  return modules;
}

describe("the development identity provider", () => {
  const development = /\/src\/(development|identity)\/|\/node_modules\/oidc-provider\//;

  it("is not loaded by a service that accepts the tokens of another", async () => {
    const { issuer, audience } = building.service.issuer;
    const modules = await modulesLoadedWith({
      NODE_ENV: "production",
      DATABASE_URL: building.database.url("parking_api"),
      AUTH_ISSUER: issuer,
      AUTH_AUDIENCE: audience,
      WEB_CLIENT_ID: "page",
    });

    expect(modules).toMatch("/src/service.ts");
    expect(modules).not.toMatch(development);
    // Nor is GraphQL, until somebody asks it.
    expect(modules).not.toMatch(/\/node_modules\/(postgraphile|grafast|ruru)\//);
    // The page was built before.
    expect(modules).toMatch("/src/pages/site.ts");
    expect(modules).not.toMatch(/\/node_modules\/esbuild\/|\/src\/pages\/build.ts/);
  });

  it("is loaded by a service that is its own issuer", async () => {
    const modules = await modulesLoadedWith({
      DATA_DIR: dataDir,
    });

    expect(modules).toMatch(development);
  });
});
