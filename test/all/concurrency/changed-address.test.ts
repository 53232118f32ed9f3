import { afterEach, describe, expect, it } from "@jest/globals";
import { expectConsistency } from "../../concurrency/consistency.ts";
import { atOnce, connectionsFor, outcomeOf, tally } from "../../concurrency/rivals.ts";
import { useArena } from "../../support/arena.ts";
import { requestJson } from "../../support/person.ts";

const ROUNDS = 8;
const GATE = "private.users";

const building = useArena(connectionsFor(12));
const person = building.shared("resident");
afterEach(() => expectConsistency(building));

let addresses = 0;
/** The person's next token, with an address that no token had before. */
const nextToken = async (): Promise<{ email: string; token: string }> => {
  addresses += 1;
  const email = `moved-${addresses}@test.example`;
  const token = await building.service.issuer.token({
    sub: person.id,
    email,
    email_verified: true,
  });
  return { email, token };
};

interface Own {
  readonly profile: { readonly email: string; readonly full_name: string };
  readonly user: { readonly email: string };
}

const ownProfile = (token: string) =>
  requestJson<Own>(building.service.origin, "GET", "/api/profile", { token });
const rename = (token: string, full_name: string) =>
  outcomeOf(
    requestJson(building.service.origin, "PUT", "/api/profile", { token, body: { full_name } }),
  );

/** The addresses in the event log, without the first one. */
const changesOfAddress = async (): Promise<string[]> => {
  const rows = await building.rows<{ email: string }>(
    `select data ->> 'email' as email
       from private.events
      where subject_id = $1 and type = 'profile.updated'
      order by id`,
    [person.id],
  );
  return rows.map(({ email }) => email);
};

describe("a token with a new address, used ten times at one moment", () => {
  it("shows the new address each time, and changes it once", async () => {
    // Two rivals rarely miss each other's row in the index: in about one round of fifty.
    for (let round = 0; round < 5 * ROUNDS; round++) {
      const { email, token } = await nextToken();
      const before = await changesOfAddress();
      const outcomes = await atOnce(
        building,
        Array(10).fill(async () => {
          const { status, body } = await ownProfile(token);
          return `${status} ${body.profile.email} ${body.user.email}`;
        }),
        GATE,
      );
      expect(tally(outcomes)).toEqual({ [`200 ${email} ${email}`]: 10 });
      expect(await changesOfAddress()).toEqual([...before, email]);
    }
  });
});

describe("a profile that is read with a new address and edited at one moment", () => {
  it("keeps both changes, without a deadlock", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { email, token } = await nextToken();
      const outcomes = await atOnce(building, [
        ...Array(4).fill(() => ownProfile(token).then(({ status }) => String(status))),
        ...Array(4).fill(() => rename(token, email)),
      ]);
      expect(tally(outcomes)).toEqual({ "200": 8 });
      const { body } = await ownProfile(token);
      expect(body).toMatchObject({ profile: { email, full_name: email }, user: { email } });
    }
  });
});
