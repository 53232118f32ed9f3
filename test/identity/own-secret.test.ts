import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { withClient } from "../../src/database/client.ts";
import { identitySecretIn } from "../../src/embedded/identity-secret.ts";
import { OperatorError } from "../../src/errors/operator-error.ts";
import { useDatabase } from "../support/database.ts";

const database = useDatabase();
let dataDir: string;
let file: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "own-secret-"));
  file = join(dataDir, "identity-secret");
});
afterAll(() => rm(dataDir, { recursive: true }));

const secret = () => identitySecretIn(dataDir, database.url("parking_owner"));
const sql = (text: string) =>
  withClient(database.url("postgres"), async (client) => (await client.query(text)).rows);
const addKey = (name: string) =>
  sql(`insert into identity.keys (kid, sealed) values ('${name}', 'sealed')`);

it("is made once, and only its owner can read it", async () => {
  const made = await secret();
  expect(made).toMatch(/^[\w-]{43}$/);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await addKey("of this secret");
  expect(await secret()).toBe(made);
  expect(await sql("select kid from identity.keys")).toEqual([{ kid: "of this secret" }]);
});

it("is another one where a backup was restored, which opens no key of the backup", async () => {
  const before = await readFile(file, "utf8");
  await rm(file);
  expect(await secret()).not.toBe(before);
  expect(await sql("select kid from identity.keys")).toEqual([]);
});

it("is not made anew where somebody damaged the file", async () => {
  await writeFile(file, "");
  await expect(secret()).rejects.toThrow(OperatorError);
  await expect(secret()).rejects.toThrow(`DATA_DIR: ${file} must be a secret of at least 32 bytes`);
});
