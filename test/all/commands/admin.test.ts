import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { useBuilding } from "../../support/building.ts";
import { cloneDatabase } from "../../support/database.ts";
import { IDENTITY_SECRET, startMailService, visitorOf } from "../../support/mail-sign-in.ts";
import { requestJson } from "../../support/person.ts";
import { runCommand } from "./run.ts";

const building = useBuilding();

const admin = (emailOrId: string, settings: NodeJS.ProcessEnv = {}) =>
  runCommand("admin", [emailOrId], {
    OWNER_DATABASE_URL: building.database.url("parking_owner"),
    ...settings,
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

const refusal = (stderr: string) => ({ code: 1, stdout: "", stderr: `${stderr}\n` });

describe("npm run admin", () => {
  let email: string;
  beforeEach(() => {
    email = `${randomUUID()}@example.org`;
  });

  /** Its database is the embedded one, in production too. */
  const smallHouse = {
    NODE_ENV: "production",
    SIGN_IN: "mail",
    SMTP_URL: "smtp://mail.example.org",
    MAIL_FROM: "parking@example.org",
    PUBLIC_URL: "https://parking.example.org",
  };

  it.each([{}, smallHouse])("makes no embedded database where there is none: %j", async (its) => {
    await using cleanup = new AsyncDisposableStack();
    const remove = (it: string) => rm(it, { recursive: true });
    const DATA_DIR = cleanup.adopt(await mkdtemp(join(tmpdir(), "admin-")), remove);
    expect(await runCommand("admin", [email], { ...its, DATA_DIR })).toEqual(
      refusal(
        `OWNER_DATABASE_URL: is required, because ${DATA_DIR} has no embedded database; npm start makes one`,
      ),
    );
    expect(await readdir(DATA_DIR)).toEqual([]);
  });

  it("says that the migrations have not run yet, as in the first seconds of a service", async () => {
    await using stack = new AsyncDisposableStack();
    const empty = stack.adopt(await cloneDatabase("template0"), (it) => it.drop());
    const settings = { OWNER_DATABASE_URL: empty.url("parking_owner") };
    for (const [name, its] of [
      [email, {}],
      [email, { ...smallHouse, IDENTITY_SECRET, DATABASE_URL: empty.url("parking_api") }],
    ] as const) {
      const { code, stderr } = await admin(name, { ...settings, ...its });
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(
          /^The database is not ready, .* does not exist\. .*try again.*npm run migrate.*\n$/,
        ),
      ]);
    }
  });

  it("makes the person with a confirmed address an administrator, and nobody else of that address", async () => {
    const impostor = await register(email, false);
    const id = await register(email, true);
    const { stdout } = await admin(email.toUpperCase());
    expect(stdout).toBe(`${email} (${id}) is approved and an administrator.\n`);
    expect([await isAdministrator(id), await isAdministrator(impostor)]).toEqual([true, false]);
  });

  it("asks for the id where nobody or several people have confirmed the address, and takes it", async () => {
    expect(await admin(email)).toEqual(refusal(`Nobody has registered as ${email}`));
    const id = await register(email, false);
    expect(await admin(email)).toEqual(
      refusal(
        `The identity provider has not confirmed ${email}. If you know the person, name them by id: ${id}`,
      ),
    );
    expect(await isAdministrator(id)).toBe(false);
    await admin(id.toUpperCase());
    expect(await isAdministrator(id)).toBe(true);

    const ids = [await register(email, true), await register(email, true)];
    expect((await admin(email)).stderr).toContain(ids.toSorted().join(", "));
  });

  it("leaves to the identity provider what that decides", async () => {
    const id = await register(email, true);
    const provider = {
      AUTH_ISSUER: "https://login.example.org",
      AUTH_AUDIENCE: "parking",
      AUTH_GROUPS_CLAIM: "groups",
    };
    expect(await admin(email, { ...provider, AUTH_ADMIN_GROUP: "admins" })).toEqual(
      refusal(
        "AUTH_ADMIN_GROUP: the identity provider decides who administers; put the person into admins there",
      ),
    );
    expect(await isAdministrator(id)).toBe(false);
    const { stdout } = await admin(email, { ...provider, AUTH_APPROVED_GROUP: "residents" });
    expect(stdout).toBe(
      `${email} (${id}) is an administrator while the identity provider has them in residents, as AUTH_APPROVED_GROUP asks.\n`,
    );
    expect(await isAdministrator(id)).toBe(true);
  });

  describe("with SIGN_IN=mail", () => {
    it("invites by mail, and makes whoever registers with that address an administrator", async () => {
      await using stack = new AsyncDisposableStack();
      const { database } = building;
      const service = stack.adopt(await startMailService(database), (it) => it.stop());
      const { origin, mails } = service;
      const settings = {
        NODE_ENV: "production",
        SIGN_IN: "mail",
        IDENTITY_SECRET,
        DATABASE_URL: database.url("parking_api"),
        PUBLIC_URL: origin,
        SMTP_URL: mails.url.href,
        MAIL_FROM: "parking@example.org",
      };
      const registers = async (address: string) => {
        const { access_token: token } = await visitorOf(origin).signIn(address, mails);
        const body = { apartment_number: "1A" };
        type Flags = Readonly<Record<"is_approved" | "is_admin", boolean>>;
        const { body: answer } = await requestJson<{ profile: Flags }>(
          origin,
          "POST",
          "/api/profile",
          { token, body },
        );
        const { is_approved, is_admin } = answer.profile;
        return { is_approved, is_admin };
      };
      const [mistyped, right] = [`mistyped.${email}`, `Right.${email}`];
      for (const address of [mistyped, right]) {
        expect(await admin(address, settings)).toMatchObject({
          stderr: "",
          stdout: `${address} got a mail, and becomes an administrator by registering at ${origin} within two weeks.\n`,
        });
      }
      expect(mails.received.map(({ to }) => to)).toEqual([[mistyped], [right]]);
      expect(mails.received[1]?.text).toContain(`${origin}\n`);
      expect(mails.received[1]?.text).toContain("Building settings");

      expect(await registers(mistyped)).toEqual({ is_approved: false, is_admin: false });
      expect(await registers(right.toLowerCase())).toEqual({ is_approved: true, is_admin: true });
      expect(await building.rows("table identity.expected_administrator")).toEqual([]);
      expect((await admin(right, settings)).stdout).toMatch(
        / is approved and an administrator\.\n$/,
      );

      // A stranger may have the mailbox that was mistyped. It is corrected by address or by id.
      const stranger = `stranger.${email}`;
      const named = "select id from parking.profiles where email = $1";
      const [{ id } = { id: "" }] = await building.rows<{ id: string }>(named, [
        right.toLowerCase(),
      ]);
      for (const name of [right, id]) {
        await admin(stranger, settings);
        await admin(name, settings);
        expect(await building.rows("table identity.expected_administrator")).toEqual([]);
      }

      const late = `late.${email}`;
      mails.behave({ toRecipient: 550 });
      expect((await admin(late, settings)).stderr).toMatch(/^SMTP_URL: no mail was sent, .*550/);
      mails.behave({});
      await building.rows(
        "update identity.expected_administrator set expected_at = now() - interval '15 days'",
      );
      expect(await registers(late)).toEqual({ is_approved: false, is_admin: false });
    });
  });
});
