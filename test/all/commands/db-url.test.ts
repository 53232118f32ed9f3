import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { withClient } from "../../../src/database/client.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../../src/embedded/cluster.ts";
import { createDatabase, EMBEDDED_DATABASE } from "../../../src/embedded/database.ts";
import { projectFolder } from "../../../src/project-folder.ts";
import { environment } from "../../support/environment.ts";

let dataDir: string;
let postgres: EmbeddedPostgres;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "db-url-"));
  postgres = await startEmbeddedPostgres({ dataDir, settings: { fsync: "off" } });
  await createDatabase(postgres, EMBEDDED_DATABASE);
});
afterAll(async () => {
  await postgres.stop();
  await rm(dataDir, { recursive: true });
});

const dbUrl = async (role: string): Promise<string> => {
  const options = { cwd: projectFolder, env: { ...environment, DATA_DIR: dataDir } };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["src/commands/db-url.ts", role],
    options,
  );
  return stdout.trim();
};

describe("npm run db:url", () => {
  it.each(["parking_analyst", "parking_reporter", "parking_api", "parking_owner", "postgres"])(
    "prints a URL with which %s logs in",
    async (role) => {
      const { rows } = await withClient(await dbUrl(role), (client) =>
        client.query("select session_user::text as name"),
      );

      expect(rows).toEqual([{ name: role }]);
    },
  );

  it("prints a URL with the password of that role only", async () => {
    expect(await dbUrl("parking_reporter")).not.toContain(postgres.password);
  });

  it.each(["reporter", "parking_reporters"])("refuses %s, which is no role", async (role) => {
    await expect(dbUrl(role)).rejects.toMatchObject({
      code: 1,
      stdout: "",
      stderr:
        `${role} is no role of the embedded database: ` +
        "postgres, parking_owner, parking_api, parking_reporter, parking_analyst\n",
    });
  });
});
