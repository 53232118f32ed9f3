import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { runCommand } from "./run.ts";

it.each([
  ["migrate", "--dry-run"],
  ["db-watch", "--help"],
  ["generate-docs", "--help"],
  ["lint-sql", "--help"],
  ["sbom", "--help"],
  ["backup", "--help"],
  ["erase", "--help"],
  ["building", "create"],
  ["building", "migrate", "--at-once", "0"],
])("%s does nothing with arguments that it does not know: %s", async (command, ...args) => {
  await using cleanup = new AsyncDisposableStack();
  const remove = (it: string) => rm(it, { recursive: true });
  const dataDir = cleanup.adopt(await mkdtemp(join(tmpdir(), "arguments-")), remove);
  const run = await runCommand(command, args.filter(Boolean), {
    DATA_DIR: dataDir,
    CLUSTER_DATABASE_URL: "postgres://localhost:1/postgres",
  });
  expect(run).toEqual({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(/^Usage: npm run .+\n$/),
  });
  expect(await readdir(dataDir)).toEqual([]);
});
