import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { decodeJwt } from "jose";
import { Pool } from "pg";
import { pino } from "pino";
import { readServiceConfig } from "../../../src/config/config.ts";
import { createLogger } from "../../../src/log/logger.ts";
import { startService } from "../../../src/service.ts";
import { useDatabase } from "../../support/database.ts";
import { freePort } from "../../support/free-port.ts";
import { startMailService, visitorOf } from "../../support/mail-sign-in.ts";
import { requestJson } from "../../support/person.ts";
import { patience } from "../../support/service.ts";
import type { Settings } from "../../support/settings.ts";
import { startTestIssuer, type TestIssuer } from "../../support/tokens.ts";
import { runCommand } from "./run.ts";

interface Answer {
  readonly profile?: { readonly id: string; readonly email: string; readonly is_admin: boolean };
}

describe("npm run identity -- move", () => {
  const database = useDatabase();
  let issuer: TestIssuer;
  let owner: Pool;
  let folder: string;
  /** The log of the service that signs people in by mail. */
  const lines: string[] = [];
  const logger = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
  beforeAll(async () => {
    issuer = await startTestIssuer();
    owner = new Pool({ connectionString: database.url("parking_owner"), max: 1 });
    owner.on("error", () => {}); // the database is dropped
    folder = await mkdtemp(join(tmpdir(), "move-"));
  });
  afterEach(() => owner.query("update private.users set subject = null"));
  afterAll(async () => {
    await rm(folder, { recursive: true });
    await owner.end();
    await issuer.close();
  });

  const command = (...args: readonly string[]) =>
    runCommand("identity", args, { OWNER_DATABASE_URL: database.url("parking_owner") });
  const moveToProvider = async (...lines: readonly string[]) => {
    const file = join(folder, "people.csv");
    await writeFile(file, lines.join("\n"));
    return command("move", "provider", file);
  };

  async function withProvider<T>(settings: Settings, use: (origin: string) => Promise<T>) {
    const config = readServiceConfig({
      PORT: String(await freePort()),
      DATABASE_URL: database.url("parking_api"),
      AUTH_ISSUER: issuer.issuer,
      AUTH_AUDIENCE: issuer.audience,
      JOBS: "off",
      ...settings,
    });
    const service = await startService(config, createLogger("silent"), patience);
    return use(service.origin).finally(service.stop);
  }
  const profileOf = async (origin: string, token: string) => {
    const answer = await requestJson<Answer>(origin, "GET", "/api/profile", { token });
    return answer.body.profile;
  };

  /** Signs in by mail, and registers where that is new. */
  async function byMail(...addresses: readonly string[]) {
    const service = await startMailService(database, {}, undefined, logger);
    const ids: string[] = [];
    for (const address of addresses) {
      const { access_token: token } = await visitorOf(service.origin).signIn(
        address,
        service.mails,
      );
      const body = { apartment_number: "1A" };
      await requestJson(service.origin, "POST", "/api/profile", { token, body });
      ids.push(String(decodeJwt(token).sub));
    }
    await service.stop();
    return ids;
  }

  it.each([
    { AUTH_SUB_IS_UUID: "true", sub: "0b5a1a5e-6a11-4b3d-8f52-7a9a3a1d0c11" },
    { AUTH_SUB_IS_UUID: "false", sub: "auth0|maria" },
  ])("keeps a person's account at the provider, and back ($sub)", async ({ sub, ...settings }) => {
    const address = `maria.${sub.length}@home.example`;
    const other = `other.${sub.length}@home.example`;
    const [id] = await byMail(address, other);
    await owner.query(
      "update parking.profiles set is_approved = true, is_admin = true where id = $1",
      [id],
    );
    const moved = await moveToProvider(
      `"${address.toUpperCase()}","${sub}"`,
      "",
      `nobody@home.example,b`,
    );
    expect(moved.stderr).toBe("");
    expect(moved.stdout).toMatch(/^People sign in with the identity provider from now on/);
    expect(moved.stdout).toContain(`\n  ${other}\n`);
    const left = await owner.query(
      "select 1 from identity.accounts union all select 1 from identity.documents",
    );
    expect(left.rows).toEqual([]);

    await withProvider(settings, async (origin) => {
      const token = await issuer.token({ sub, email: address, email_verified: true });
      expect(await profileOf(origin, token)).toMatchObject({ id, email: address, is_admin: true });
      const stranger = await issuer.token({
        sub: "7b5a1a5e-6a11-4b3d-8f52-7a9a3a1d0c12",
        email: other,
      });
      expect(await profileOf(origin, stranger)).toBeUndefined();
    });

    lines.length = 0;
    await byMail();
    expect(lines.join()).toMatch(/"people":\d+,.*cannot sign in by mail yet/);
    expect((await command("move", "mail")).stdout).toMatch(/^People sign in by mail from now on/);
    lines.length = 0;
    expect((await byMail(address))[0]).toBe(id);
    expect(lines.join()).not.toContain("cannot sign in by mail yet");
  });

  it("moves nobody where it is not clear who somebody is", async () => {
    const [first, second] = await byMail("first@home.example", "second@home.example");
    const refusals = [
      [
        ["first@home.example,a", "first@home.example,b"],
        /more than one account has the address: first@/,
      ],
      [
        [`first@home.example,${second}`],
        new RegExp(`other people have registered with the sub: ${second}`),
      ],
      [["first@home.example"], /^Line 1 is no address and sub/],
    ] as const;
    for (const [lines, reason] of refusals) {
      const { code, stderr } = await moveToProvider(...lines);
      expect([code, stderr]).toEqual([1, expect.stringMatching(reason)]);
    }
    await owner.query("update private.users set email = 'first@home.example' where id = $1", [
      second,
    ]);
    expect((await moveToProvider("first@home.example,a")).stderr).toMatch(/more than one account/);
    expect((await command("move", "mail")).stderr).toMatch(/more than one account/);
    await owner.query("update private.users set email_confirmed_at = null where id = $1", [second]);
    await owner.query("update private.users set email = 'second@home.example' where id = $1", [
      second,
    ]);
    expect((await command("move", "mail")).stdout).toMatch(
      /never confirmed:\n {2}second@home.example\n$/,
    );
    const { rows } = await owner.query("select subject from private.users where id = $1", [first]);
    expect(rows).toEqual([{ subject: null }]);
  });
});
