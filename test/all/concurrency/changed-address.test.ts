import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { expectConsistency } from "../../concurrency/consistency.ts";
import { atOnce, connectionsFor, outcomeOf, several, tally } from "../../concurrency/rivals.ts";
import { useArena } from "../../support/arena.ts";
import { type Person, requestJson } from "../../support/person.ts";
import { withTransactionOf } from "../../support/sql.ts";
import { untilWaiting } from "../../support/waiting.ts";

const ROUNDS = 8;
const GATE = "private.users";

const building = useArena(connectionsFor(12));
let person: Person;
beforeAll(async () => {
  person = await building.resident();
});
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

describe("several tokens with different addresses, used at one moment", () => {
  it("leave one of their addresses, the same in profile and sign-in data", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const tokens = await several(4, nextToken);
      const outcomes = await atOnce(
        building,
        [...tokens, ...tokens].map(
          ({ token }) =>
            async () =>
              String((await ownProfile(token)).status),
        ),
        GATE,
      );
      expect(tally(outcomes)).toEqual({ "200": 8 });
      expect(tokens.map(({ email }) => email)).toContain((await changesOfAddress()).at(-1));
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

  it("is edited after the reading, where the reading came first", async () => {
    const { email, token } = await nextToken();
    await withTransactionOf(building.superuser, async (gate) => {
      await gate.query("select from private.users where id = $1 for update", [person.id]);
      const reading = ownProfile(token);
      await untilWaiting(building, 1);
      const editing = rename(token, "Edited");
      await untilWaiting(building, 2);
      await gate.query("commit");

      expect(await reading).toMatchObject({ status: 200, body: { profile: { email } } });
      expect(await editing).toBe("200");
    });
  });
});
