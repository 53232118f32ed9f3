import { beforeEach, describe, expect, it } from "@jest/globals";
import { withClient } from "../../src/database/client.ts";
import { useBuilding } from "../support/building.ts";
import { stored } from "../support/rows.ts";
import { refusedBy, tryWithClaims } from "./support.ts";

const building = useBuilding();
const resident = building.shared("resident");

/** What the database stores when a person calls with these claims. */
const signIn = (claims: Readonly<Record<string, unknown>>) =>
  withClient(building.database.url("parking_api"), async (api) => {
    await api.query("select set_config('request.jwt.claims', $1, false)", [
      JSON.stringify({ sub: resident.id, ...claims }),
    ]);
    const { rows } = await api.query(
      "select email, email_confirmed_at from private.remember_user()",
    );
    return rows[0];
  });
const eventsOfResident = () =>
  building.rows(
    `select type, data ->> 'email' as email, actor_id
       from private.events
      where subject_id = $1
      order by id desc`,
    [resident.id],
  );

describe("the email of a profile", () => {
  it("users_email_is_given: is in the token of who has no profile yet", async () => {
    const { id } = await building.newcomer();
    await expect(
      tryWithClaims(building, JSON.stringify({ sub: id }), (api) =>
        api.query("select private.remember_user()"),
      ),
    ).rejects.toMatchObject({ code: "23502", constraint: "users_email_is_given" });
  });

  it("follows the sign-in, and the event log records it", async () => {
    await signIn({ email: "new@test.example" });

    expect(await stored(building, "profiles", resident.id)).toMatchObject({
      email: "new@test.example",
    });
    expect((await eventsOfResident())[0]).toEqual({
      type: "profile.updated",
      email: "new@test.example",
      actor_id: resident.id,
    });
  });

  it.each([
    { what: "the same address", claims: { email: "same@test.example" } },
    { what: "no address", claims: {} },
  ])("stays, and nothing is written, with a token of $what", async ({ claims }) => {
    await signIn({ email: "same@test.example" });
    const rows = async () => [
      await stored(building, "profiles", resident.id),
      await building.rows("select * from private.users where id = $1", [resident.id]),
      await eventsOfResident(),
    ];
    const before = await rows();

    await signIn(claims);

    expect(await rows()).toEqual(before);
  });

  it("stays when the address in the token is invalid", async () => {
    const before = await stored(building, "profiles", resident.id);
    const broken = refusedBy("users_email_is_an_address");
    await expect(signIn({ email: "none" })).rejects.toMatchObject(broken);
    expect(await stored(building, "profiles", resident.id)).toEqual(before);
  });
});

describe("an older token of the same person", () => {
  const now = Math.floor(Date.now() / 1_000);
  beforeEach(() =>
    building.rows("update private.users set token_issued_at = null where id = $1", [resident.id]),
  );

  it("changes neither the address nor its confirmation", async () => {
    await signIn({ email: "first@test.example", iat: now - 9 });
    const later = await signIn({ email: "later@test.example", iat: now - 5 });

    const older = { email: "first@test.example", email_verified: true, iat: now - 9 };
    expect(await signIn(older)).toEqual(later);
    expect(await signIn({ ...older, email: "later@test.example" })).toEqual(later);
    expect(await stored(building, "profiles", resident.id)).toMatchObject({
      email: "later@test.example",
    });
  });

  it("does not also where the later one had nothing new to say", async () => {
    await signIn({ email: "same@test.example", iat: now - 4 });
    await signIn({ email: "same@test.example", iat: now - 2 });

    expect(await signIn({ email: "older@test.example", iat: now - 3 })).toMatchObject({
      email: "same@test.example",
    });
  });
});

describe("the confirmation of a user's email", () => {
  const confirmedAt = new Date("2026-01-02T03:04:05.678Z");

  it("is the time in the token", async () => {
    const email_confirmed_at = confirmedAt.toISOString();
    const user = await signIn({ email: "named@test.example", email_confirmed_at });
    expect(user).toEqual({ email: "named@test.example", email_confirmed_at: confirmedAt });
  });

  it("is the time of the first token that says it is verified", async () => {
    const token = { email: "seen@test.example", email_verified: true };
    const first = await signIn(token);
    expect(first).toEqual({ email: "seen@test.example", email_confirmed_at: expect.any(Date) });
    expect(await signIn(token)).toEqual(first);
    expect(await signIn({ email: "seen@test.example" })).toEqual(first);
  });

  it.each([false, "true", 1, null])("is null when email_verified is %j", async (verified) => {
    const email = `not-${verified}@test.example`;
    const user = await signIn({ email, email_verified: verified });
    expect(user).toEqual({ email, email_confirmed_at: null });
  });

  it("is not kept for a new address", async () => {
    await signIn({ email: "old@test.example", email_verified: true });
    const user = await signIn({ email: "fresh@test.example" });
    expect(user).toEqual({ email: "fresh@test.example", email_confirmed_at: null });
  });
});
