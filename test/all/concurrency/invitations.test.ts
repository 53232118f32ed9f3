import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, it } from "@jest/globals";
import { expectConsistency } from "../../concurrency/consistency.ts";
import {
  atOnce,
  connectionsFor,
  outcomeOf,
  type Rival,
  several,
  tally,
} from "../../concurrency/rivals.ts";
import { withTransaction } from "../../concurrency/transaction.ts";
import { useArena } from "../../support/arena.ts";
import {
  invitationTo,
  invite,
  invited,
  newAddress,
  newNumber,
  registers,
  spotNumbered,
} from "../../support/invitations.ts";
import { type Person, requestJson } from "../../support/person.ts";

const ROUNDS = 8;
const INVITED_ALREADY = "409 This address has been invited already";
const NO_ADMINISTRATOR = "403 Administrator privileges required";

const building = useArena(connectionsFor(8));
const administrator = building.shared("administrator");
afterEach(() => expectConsistency(building));

const inviting =
  (by: Person, ...invitations: readonly object[]): Rival =>
  () =>
    outcomeOf(invite(by, ...invitations));
const registering =
  (email: string): Rival =>
  async () =>
    (await registers(building, email)).isApproved ? "approved" : "waiting";

const approvedWith = async (email: string): Promise<number> => {
  const rows = await building.rows(
    "select from parking.profiles where email = $1 and is_approved",
    [email],
  );
  return rows.length;
};

describe("two people who register with one confirmed address at one moment", () => {
  it("are one resident and one who waits", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const email = newAddress();
      await invite(administrator, invited(email, newNumber()));
      const outcomes = await atOnce(building, Array(4).fill(registering(email)));
      expect(tally(outcomes)).toEqual({ approved: 1, waiting: 3 });
    }
  });
});

describe("two lists at one moment", () => {
  it("with the same addresses in another order are one list", async () => {
    const other = await building.administrator();
    for (let round = 0; round < ROUNDS; round++) {
      const people = Array.from({ length: 20 }, () => invited(newAddress(), newNumber()));
      const outcomes = await atOnce(building, [
        inviting(administrator, ...people),
        inviting(other, ...people.toReversed()),
      ]);
      expect(tally(outcomes)).toEqual({ "201": 1, [INVITED_ALREADY]: 1 });
    }
  });

  it("with one spot for different people are one list", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const number = newNumber();
      const outcomes = await atOnce(
        building,
        [0, 1].map(() => inviting(administrator, invited(newAddress(), number))),
      );
      expect(tally(outcomes)).toEqual({
        "201": 1,
        "409 A parking spot can be in one open invitation, and once": 1,
      });
    }
  });
});

describe("a person who registers while they are invited", () => {
  it.each<[string, string, Readonly<Record<string, string>>]>([
    ["reads the profile", "GET", {}],
    ["changes the profile", "PUT", {}],
    ["changes the profile from a snapshot", "PUT", { "If-Match": "*" }],
  ])(
    "is approved too, where a confirmed address comes with who %s",
    async (_who, method, headers) => {
      for (let round = 0; round < ROUNDS; round++) {
        const email = newAddress();
        const { sub } = await registers(building, email, {});
        const token = await building.service.issuer.token({ sub, email, email_verified: true });
        const body = method === "PUT" ? { full_name: "Confirmed" } : undefined;
        const confirming = () =>
          outcomeOf(
            requestJson(building.service.origin, method, "/api/profile", { token, body, headers }),
          );
        const outcomes = await atOnce(building, [
          confirming,
          inviting(administrator, invited(email)),
          confirming,
        ]);
        expect(outcomes).toEqual(["200", "201", "200"]);
        expect(await approvedWith(email)).toBe(1);
      }
    },
  );
});

it.each([
  ["made", "commit", "approved"],
  ["made", "rollback", "waiting"],
  ["deleted", "commit", "waiting"],
  ["deleted", "rollback", "approved"],
] as const)(
  "a registration waits for an invitation that is being %s; on %s: %s",
  async (what, end, outcome) => {
    const email = newAddress();
    if (what === "deleted") await invite(administrator, invited(email));
    await withTransaction(building, administrator, async (transaction) => {
      if (what === "made") {
        const invitations = JSON.stringify([invited(email)]);
        await transaction.call("create_invitations", { invitations });
      } else {
        const { id } = await invitationTo(administrator, email);
        await transaction.call("delete_invitation", { id });
      }
      const registration = registering(email)();
      await transaction.isWaitedFor();
      await transaction.end(end);
      expect(await registration).toBe(outcome);
    });
  },
);

describe("an administrator whose rights are taken away", () => {
  const withdrawal =
    (former: Person): Rival =>
    () =>
      outcomeOf(administrator.put(`/admin/profiles/${former.id}`, { is_admin: false }));
  const openBy = ({ id }: Person) =>
    building.rows("select from parking.invitations where inviter_id = $1 and status = 'open'", [
      id,
    ]);

  it("while they invite, leaves no open invitation", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const former = await building.administrator();
      const outcomes = await atOnce(building, [
        inviting(former, ...(await several(5, async () => invited(newAddress())))),
        withdrawal(former),
      ]);
      expect([
        ["201", "200"],
        [NO_ADMINISTRATOR, "200"],
      ]).toContainEqual(outcomes);
      expect(await openBy(former)).toEqual([]);
    }
  });

  it("while somebody accepts, has approved them or has not", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const former = await building.administrator();
      const email = newAddress();
      await invite(former, invited(email));
      const [outcome] = await atOnce(building, [registering(email), withdrawal(former)]);
      expect(await invitationTo(administrator, email)).toMatchObject({
        status: outcome === "approved" ? "accepted" : "lapsed",
      });
    }
  });
});

describe("a spot that a neighbour registers while its invited owner comes", () => {
  it("belongs to one of them, and the invitation names the rule that refused the other", async () => {
    for (let round = 0; round < 2 * ROUNDS; round++) {
      const neighbour = await building.resident();
      const [email, number] = [newAddress(), newNumber()];
      await invite(administrator, invited(email, number));
      const outcomes = await atOnce(building, [
        registering(email),
        () => outcomeOf(neighbour.post("/parking-spots", spotNumbered(number))),
      ]);
      const taken = "409 A parking spot with this number already exists";
      expect([
        ["approved", "201"],
        ["approved", taken],
      ]).toContainEqual(outcomes);
      const [spot] = (await invitationTo(administrator, email)).spots;
      expect(spot?.refused_by).toBe(
        outcomes[1] === "201" ? "spots_spot_number_is_unique" : undefined,
      );
    }
  });
});

describe("an administrator who erases and invites at one moment", () => {
  it("does neither halfway, and nobody waits in a circle", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const person = await building.unapproved();
      const key = randomUUID();
      const erasure = `/admin/profiles/${person.id}?reason=moved`;
      const outcomes = await atOnce(building, [
        () => outcomeOf(administrator.delete(erasure)),
        () =>
          outcomeOf(
            requestJson(building.service.origin, "POST", "/api/admin/invitations", {
              token: administrator.token,
              body: { invitations: [invited(person.email)] },
              headers: { "Idempotency-Key": key },
            }),
          ),
      ]);
      expect(outcomes).toEqual(["200", "201"]);
      const [left] = await building.rows<{ email: string; is_approved: boolean }>(
        "select email, is_approved from parking.profiles where id = $1",
        [person.id],
      );
      expect(left).toEqual({ email: `${person.id}@erased.invalid`, is_approved: false });
    }
  });
});
