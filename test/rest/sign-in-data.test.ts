import { randomUUID } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import { type Answer, requestJson } from "../support/person.ts";
import type { Claims } from "../support/tokens.ts";

interface Account {
  readonly profile: { readonly email: string; readonly updated_at: string };
  readonly user: { readonly email: string; readonly email_confirmed_at: string | null };
}

const building = useBuilding();

/** Sends a request with these claims in the token, as when a person's data have changed. */
async function ask<Body = Account>(
  method: string,
  path: string,
  sub: string,
  claims: Claims,
  body?: unknown,
): Promise<Answer<Body>> {
  const { issuer, origin } = building.service;
  const token = await issuer.token({ sub, ...claims });
  return requestJson<Body>(origin, method, `/api${path}`, { token, body });
}

async function registered(claims: Claims): Promise<string> {
  const sub = randomUUID();
  const { status } = await ask("POST", "/profile", sub, claims, { apartment_number: "1A" });
  expect(status).toBe(201);
  return sub;
}

const stored = (sub: string) =>
  building.rows(
    `select p.email as profile, u.email as user, u.email_confirmed_at
       from parking.profiles p
       join private.users u using (id)
      where id = $1`,
    [sub],
  );

const EMAIL = "maria@old.example";

describe("the email address", () => {
  it.each([
    ["no email", {}],
    ["an invalid email", { email: "maria" }],
  ])("is required to register: a token with %s is refused", async (_case, claims) => {
    const sub = randomUUID();

    const { status, body } = await ask("POST", "/profile", sub, claims, {
      apartment_number: "1A",
    });

    expect(status).toBe(400);
    expect(body).toEqual({ error: expect.stringContaining("email") });
    expect(await stored(sub)).toEqual([]);
    expect(await building.rows("select from private.users where id = $1", [sub])).toEqual([]);
  });

  it.each(["\ufe0f", "\u034f", "\u3164", "\u2800", "\u00ad", "\u{e0041}", "\u{1d173}"])(
    "stays when a later token has one with %j, which no address may have",
    async (invisible) => {
      const sub = await registered({ email: EMAIL });
      const email = `maria${invisible}@new.example`;

      expect(await ask("GET", "/profile", sub, { email })).toMatchObject({
        status: 200,
        body: { profile: { email: EMAIL }, user: { email: EMAIL } },
      });
    },
  );

  it("is not updated by any other GET, because those only read", async () => {
    const sub = await registered({ email: EMAIL });

    await ask("GET", "/dashboard", sub, { email: "maria@new.example" });

    expect(await stored(sub)).toMatchObject([{ profile: EMAIL, user: EMAIL }]);
  });
});
