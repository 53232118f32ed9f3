import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "@jest/globals";
import { projectFolder } from "../../../src/project-folder.ts";
import { environment } from "../../support/environment.ts";

it.each([
  ["db-reset", "--help"],
  ["migrate", "--dry-run"],
  ["db-watch", "--help"],
  ["generate-docs", "--help"],
  ["lint-sql", "--help"],
  ["sbom", "--help"],
  ["backup", "--help"],
  ["erase", "--help"],
  ["db-uncommit", "000001-a.sql", "000002-b.sql"],
])("%s does nothing with arguments that it does not know: %s", async (command, ...args) => {
  await using cleanup = new AsyncDisposableStack();
  const remove = (it: string) => rm(it, { recursive: true });
  const dataDir = cleanup.adopt(await mkdtemp(join(tmpdir(), "arguments-")), remove);
  const run = promisify(execFile)(
    process.execPath,
    [`src/commands/${command}.ts`, ...args.filter(Boolean)],
    { cwd: projectFolder, env: { ...environment, DATA_DIR: dataDir } },
  );
  await expect(run).rejects.toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(/^Usage: npm run .+\n$/),
  });
  expect(await readdir(dataDir)).toEqual([]);
});
