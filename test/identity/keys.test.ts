import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { decodeJwt, decodeProtectedHeader, type JWK, SignJWT } from "jose";
import { Pool } from "pg";
import { createSigningKeys } from "../../src/identity/keys.ts";
import { secretOf } from "../../src/identity/secret.ts";
import { readJson } from "../support/browser.ts";
import { useDatabase } from "../support/database.ts";
import { startMailService, visitorOf } from "../support/mail-sign-in.ts";

const database = useDatabase();
const secret = secretOf("a secret of the tests, which is long enough");
let api: Pool;
let owner: Pool;
beforeAll(() => {
  api = new Pool({ connectionString: database.url("parking_api"), max: 4 });
  owner = new Pool({ connectionString: database.url("parking_owner"), max: 1 });
  for (const pool of [api, owner]) pool.on("error", () => {}); // the database is dropped
});
afterAll(() => Promise.all([api.end(), owner.end()]));

let passed = 0;
const clock = () => passed;
const keys = () => createSigningKeys(api, secret, clock);
const kidsOf = async (of: Awaited<ReturnType<typeof keys>>) =>
  (await of.current()).map(({ kid }) => kid);
const older = () =>
  owner.query("update identity.keys set created_at = created_at - interval '91 days'");

describe("the keys that sign tokens", () => {
  it("are the same for processes that start at once", async () => {
    const all = await Promise.all(Array.from({ length: 4 }, keys));
    const kids = await Promise.all(all.map(kidsOf));
    expect(kids[0]).toHaveLength(1);
    expect(new Set(kids.flat()).size).toBe(1);
  });

  it("are renewed after ninety days: the one before still proves its tokens, older ones do not", async () => {
    const [first] = await kidsOf(await keys());
    await older();
    const [second, before] = await kidsOf(await keys());
    expect(before).toBe(first);
    expect(second).not.toBe(first);
    await older();
    const renewed = await keys();
    const [third, ...others] = await kidsOf(renewed);
    expect(others).toEqual([second]);
    expect([first, second]).not.toContain(third);
    expect(await renewed.keyOf({ alg: "RS256", kid: second ?? "" })).toBeDefined();
    await expect(renewed.keyOf({ alg: "RS256", kid: first ?? "" })).rejects.toThrow();
  });

  it("are looked up for a token of one that another process has just made", async () => {
    const here = await keys();
    await older();
    const [made = ""] = await kidsOf(await keys());
    await expect(here.keyOf({ alg: "RS256", kid: made })).rejects.toThrow(); // it asked a moment ago
    passed += 6_000;
    expect(await here.keyOf({ alg: "RS256", kid: made })).toBeDefined();
  });

  it("serve through an outage of the database", async () => {
    const pool = new Pool({ connectionString: database.url("parking_api"), max: 1 });
    const here = await createSigningKeys(pool, secret, clock);
    const [kid = ""] = await kidsOf(here);
    await pool.end();
    passed += 120_000;
    expect(await here.keyOf({ alg: "RS256", kid })).toBeDefined();
  });

  it("are encrypted in the database, each for its name", async () => {
    await keys();
    const { rows } = await owner.query<{ kid: string; sealed: Buffer }>(
      "select kid, sealed from identity.keys",
    );
    const [one] = rows;
    if (!one) throw new Error("there is no key");
    expect(JSON.parse(secret.open(one.sealed, one.kid))).toHaveProperty("d");
    expect(() => secret.open(one.sealed, "another")).toThrow();
    expect(one.sealed.toString("latin1")).not.toContain('"d"');
  });

  it("need the secret that encrypted them: the start says so", async () => {
    await expect(
      startMailService(database, { IDENTITY_SECRET: "another secret, which is long enough" }),
    ).rejects.toThrow(/^IDENTITY_SECRET: it is not the one/);
  });

  it("prove tokens of the service, and no others that name them", async () => {
    await using stack = new AsyncDisposableStack();
    const service = stack.adopt(await startMailService(database), (it) => it.stop());
    const { access_token: token } = await visitorOf(service.origin).signIn(
      "maria@home.example",
      service.mails,
    );
    const ask = async (bearer: string) =>
      (
        await fetch(`${service.origin}/api/profile`, {
          headers: { Authorization: `Bearer ${bearer}` },
        })
      ).status;
    expect(await ask(token)).toBe(404);
    const { kid = "" } = decodeProtectedHeader(token);
    const sign = (alg: string) =>
      new SignJWT(decodeJwt(token)).setProtectedHeader({ alg, kid, typ: "at+jwt" });
    const jwks = await fetch(`${service.origin}/identity/jwks`);
    const { keys } = await readJson<{ keys: readonly JWK[] }>(jwks);
    const known = keys.find((key) => key.kid === kid);
    expect(known).toMatchObject({ kty: "RSA", n: expect.any(String), e: "AQAB" });
    expect(known).not.toHaveProperty("d");
    const forged = await sign("HS256").sign(Buffer.from(JSON.stringify(known)));
    expect(await ask(forged)).toBe(401);
    const [head = "", body = ""] = token.split(".");
    expect(await ask(`${head}.${body}.`)).toBe(401);
  });
});
