import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { projectFolder } from "../../../src/project-folder.ts";
import { useBuilding } from "../../support/building.ts";
import { requestJson } from "../../support/person.ts";

const building = useBuilding();

const admin = (
  emailOrId: string,
  env: NodeJS.ProcessEnv = { OWNER_DATABASE_URL: building.database.url("parking_owner") },
) =>
  promisify(execFile)(process.execPath, ["src/commands/admin.ts", emailOrId], {
    cwd: projectFolder,
    env,
  });

/** Registers somebody with this address, which the identity provider has confirmed or not. */
async function register(email: string, confirmed: boolean): Promise<string> {
  const { origin, issuer } = building.service;
  const id = randomUUID();
  const token = await issuer.token({ sub: id, email, email_verified: confirmed });
  const body = { apartment_number: "1A" };
  const answer = await requestJson(origin, "POST", "/api/profile", { token, body });
  expect(answer.status).toBe(201);
  return id;
}

const isAdministrator = async (id: string): Promise<boolean> => {
  const sql = "select from parking.profiles where id = $1 and is_admin and is_approved";
  return (await building.rows(sql, [id])).length === 1;
};

describe("npm run admin without OWNER_DATABASE_URL", () => {
  it("makes no embedded database where there is none", async () => {
    await using cleanup = new AsyncDisposableStack();
    const remove = (it: string) => rm(it, { recursive: true });
    const dataDir = cleanup.adopt(await mkdtemp(join(tmpdir(), "admin-")), remove);

    await expect(admin("ann@example.org", { DATA_DIR: dataDir })).rejects.toMatchObject({
      code: 1,
      stderr: `OWNER_DATABASE_URL: is required, because ${dataDir} has no embedded database; npm start makes one\n`,
    });
    expect(await readdir(dataDir)).toEqual([]);
  });
});

describe("npm run admin", () => {
  let email: string;
  beforeEach(() => {
    email = `${randomUUID()}@example.org`;
  });

  it("makes the person with a confirmed address an administrator", async () => {
    const id = await register(email, true);

    expect(await admin(email.toUpperCase())).toMatchObject({
      stdout: `${email} (${id}) is approved and an administrator.\n`,
    });
    expect(await isAdministrator(id)).toBe(true);
  });

  it("refuses an address that the identity provider has not confirmed", async () => {
    const id = await register(email, false);

    await expect(admin(email)).rejects.toMatchObject({
      code: 1,
      stderr: `The identity provider has not confirmed ${email}. If you know the person, name them by id: ${id}\n`,
    });
    expect(await isAdministrator(id)).toBe(false);
  });

  it("sends the operator to the identity provider where that decides", async () => {
    const id = await register(email, true);
    const env = {
      OWNER_DATABASE_URL: building.database.url("parking_owner"),
      AUTH_ISSUER: "https://login.example.org",
      AUTH_AUDIENCE: "parking",
      AUTH_GROUPS_CLAIM: "groups",
      AUTH_ADMIN_GROUP: "admins",
    };

    await expect(admin(email, env)).rejects.toMatchObject({
      code: 1,
      stderr:
        "AUTH_ADMIN_GROUP: the identity provider decides who administers; put the person into admins there\n",
    });
    expect(await isAdministrator(id)).toBe(false);
  });

  it("says that the identity provider decides who is approved, where it does", async () => {
    const id = await register(email, true);
    const env = {
      OWNER_DATABASE_URL: building.database.url("parking_owner"),
      AUTH_ISSUER: "https://login.example.org",
      AUTH_AUDIENCE: "parking",
      AUTH_GROUPS_CLAIM: "groups",
      AUTH_APPROVED_GROUP: "residents",
    };

    expect(await admin(email, env)).toMatchObject({
      stdout: `${email} (${id}) is an administrator while the identity provider has them in residents, as AUTH_APPROVED_GROUP asks.\n`,
    });
    expect(await isAdministrator(id)).toBe(true);
  });

  it("takes the id of a person without a confirmed address", async () => {
    const id = await register(email, false);
    await admin(id.toUpperCase());

    expect(await isAdministrator(id)).toBe(true);
  });

  it("takes the confirmed one of two people with the same address", async () => {
    const impostor = await register(email, false);
    const id = await register(email, true);
    await admin(email);

    expect(await isAdministrator(id)).toBe(true);
    expect(await isAdministrator(impostor)).toBe(false);
  });

  it("asks for an id where several people have confirmed the address", async () => {
    const ids = [await register(email, true), await register(email, true)];

    await expect(admin(email)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(ids.toSorted().join(", ")),
    });
  });

  it("refuses an address without a profile", async () => {
    await expect(admin(email)).rejects.toMatchObject({
      code: 1,
      stderr: `Nobody has registered as ${email}\n`,
    });
  });
});
