import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { withClient } from "../../../src/database/client.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../../src/embedded/cluster.ts";
import { createDatabase, EMBEDDED_DATABASE } from "../../../src/embedded/database.ts";
import { runCommand } from "./run.ts";

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

const dbUrl = (role: string) => runCommand("db-url", [role], { DATA_DIR: dataDir });

describe("npm run db:url", () => {
  it("prints a URL with which each role logs in, and no other password", async () => {
    for (const role of [
      "parking_analyst",
      "parking_reporter",
      "parking_api",
      "parking_owner",
      "postgres",
    ]) {
      const url = (await dbUrl(role)).stdout.trim();
      const { rows } = await withClient(url, (client) =>
        client.query("select session_user::text as name"),
      );
      expect(rows).toEqual([{ name: role }]);
      expect(url.includes(postgres.password)).toBe(role === "postgres");
    }
  });

  it("refuses what is no role", async () => {
    for (const role of ["reporter", "parking_reporters"])
      expect(await dbUrl(role)).toEqual({
        code: 1,
        stdout: "",
        stderr:
          `${role} is no role of the embedded database: ` +
          "postgres, parking_owner, parking_api, parking_reporter, parking_analyst\n",
      });
  });
});
