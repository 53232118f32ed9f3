import { describe, expect, it } from "@jest/globals";
import { send } from "../graphql/ask.ts";
import { answerOf, refusal } from "../support/answers.ts";
import { type Building, claimOf, hours, offer, useBuilding } from "../support/building.ts";
import { listenTo, orderEvents } from "../support/events.ts";
import { invited, newNumber } from "../support/invitations.ts";
import { opened } from "../support/opened.ts";
import { type Person, requestJson } from "../support/person.ts";
import { eventsOf } from "../support/rows.ts";
import { type Service, startService } from "../support/service.ts";

const RESIDENTS = "residents";
const ADMINS = "garage admins";
const CONCIERGES = "concierges";
const both = { claim: "groups", approved: RESIDENTS, admin: ADMINS, concierge: CONCIERGES };

interface Shown {
  readonly profile: Readonly<Record<string, unknown>>;
}

/** The same person with a token that has these groups. */
async function inGroups(
  { service }: Pick<Building, "service">,
  { id, email }: Pick<Person, "id" | "email">,
  groups: unknown,
  more: object = {},
) {
  const claims = { sub: id, email, email_verified: true, groups, ...more };
  const token = await service.issuer.token(claims);
  const ask = <Body>(method: string, path: string, body?: object) =>
    requestJson<Body>(service.origin, method, `/api${path}`, { token, ...(body && { body }) });
  return { id, token, ask };
}
const notApproved = refusal(403, "Account not approved");
const notAdministrator = refusal(403, "Administrator privileges required");

describe("the groups of the identity provider", () => {
  const building = useBuilding({ groups: both });
  const unapproved = () => building.unapproved();
  const as = (person: Pick<Person, "id" | "email">, ...groups: readonly string[]) =>
    inGroups(building, person, groups);

  it("approve, and take that back, from the next request on", async () => {
    const person = await unapproved();
    for (const [groups, status] of [
      [[RESIDENTS], 200],
      [[], 403],
      [["other", RESIDENTS], 200],
      [["Residents", "residents/north"], 403],
    ] as const) {
      const { ask } = await as(person, ...groups);
      expect((await ask("GET", "/claims")).status).toBe(status);
      const { token } = await as(person, ...groups);
      const { body } = await send(building, { token }, "{ claims { totalCount } }");
      expect(body.errors?.[0]?.extensions.status ?? 200).toBe(status);
    }
  });

  it("make a concierge, while approved", async () => {
    const person = await unapproved();
    for (const [groups, status] of [
      [[RESIDENTS, CONCIERGES], 200],
      [[RESIDENTS], 403],
      [[CONCIERGES], 403],
    ] as const) {
      const { ask } = await as(person, ...groups);
      expect((await ask("GET", "/admin/parked")).status).toBe(status);
    }
  });

  describe("count as the later of two tokens has them, at whichever process it came:", () => {
    const other = opened<Service>(
      () => startService(building.database.url("parking_api"), { groups: both }),
      (service) => service.close(),
    );
    const now = Math.floor(Date.now() / 1_000);
    /** Somebody who registered with another token some time ago. */
    const known = async () => {
      const person = await unapproved();
      const sql = "update private.users set token_issued_at = to_timestamp($2) where id = $1";
      await building.rows(sql, [person.id, now - 9]);
      return person;
    };
    const older = (person: Person, ...groups: readonly string[]) =>
      inGroups(building, person, groups, { iat: now - 2 });
    const later = (person: Person, ...groups: readonly string[]) =>
      inGroups({ service: other }, person, groups, { iat: now - 1 });

    it("an older one makes nobody an administrator again", async () => {
      const person = await known();
      const [first, second] = [await older(person, RESIDENTS, ADMINS), await later(person)];
      expect((await first.ask("GET", "/admin/profiles")).status).toBe(200);
      expect(answerOf(await second.ask("GET", "/claims"))).toEqual(notApproved);

      for (const service of [building.service, other]) {
        const again = await inGroups({ service }, person, [RESIDENTS, ADMINS], { iat: now - 2 });
        expect(answerOf(await again.ask("GET", "/admin/profiles"))).toEqual(notApproved);
        expect((await again.ask<Shown>("GET", "/profile")).body.profile).toMatchObject({
          is_approved: false,
          is_admin: false,
        });
        const { body } = await send({ service }, again, "{ claims { totalCount } }");
        expect(body.errors?.[0]?.extensions.status).toBe(403);
        expect((await listenTo(service, again)).status).toBe(403);
      }
    });

    it("an older one takes nothing away, and ends neither streams nor feeds", async () => {
      const person = await known();
      const [first, second] = [await older(person), await later(person, RESIDENTS)];
      const { body } = await second.ask<{ feed: { url: string } }>("POST", "/calendar-feed", {});
      const ear = await listenTo(other, second);
      expect((await first.ask("GET", "/claims")).status).toBe(200);

      expect((await fetch(body.feed.url)).status).toBe(200);
      await second.ask("POST", "/parking-spots", { spot_number: "S", building_section: "N" });
      await orderEvents(other);
      await ear.until((heard) => heard.some(({ type }) => type === "spot.registered"));
      ear.close();
    });
  });

  it("appoint administrators, and take that back", async () => {
    const person = await unapproved();
    const profiles = async (...groups: readonly string[]) =>
      answerOf(await (await as(person, ...groups)).ask("GET", "/admin/profiles"));

    expect(await profiles(RESIDENTS, ADMINS)).toMatchObject({ status: 200 });
    expect(await profiles(RESIDENTS)).toEqual(notAdministrator);
    expect(await profiles(ADMINS)).toEqual(notApproved);
  });

  it("approve at registration", async () => {
    const { ask } = await as(await building.newcomer(), RESIDENTS);
    expect(answerOf(await ask("GET", "/claims"))).toEqual(notApproved);
    const made = await ask<Shown>("POST", "/profile", { apartment_number: "7" });

    expect([made.status, made.body.profile]).toMatchObject([
      201,
      { is_approved: true, is_approved_by_groups: true, is_admin_by_groups: true },
    ]);
    expect((await ask("GET", "/claims")).status).toBe(200);
  });

  it("hold for others from the next request of the person on, whatever that is", async () => {
    const [owner, claimer] = [await unapproved(), await unapproved()];
    const { ask } = await as(owner, RESIDENTS);
    const number = { spot_number: "G-1", building_section: "North" };
    const { body } = await ask<{ spot: { id: string } }>("POST", "/parking-spots", number);
    const times = { spot_id: body.spot.id, start_time: hours(2), end_time: hours(4) };
    const window = await ask<{ availability: { id: string } }>("POST", "/availabilities", times);
    const resident = await as(claimer, RESIDENTS);
    const seen = () => resident.ask("GET", `/availabilities/${window.body.availability.id}`);
    expect((await seen()).status).toBe(200);

    const outside = await as(owner);
    expect(answerOf(await outside.ask("GET", "/claims"))).toEqual(notApproved);
    expect((await seen()).status).toBe(404);

    const inside = await as(owner, RESIDENTS);
    await send(building, inside, "{ ownProfile { id } }");
    expect((await seen()).status).toBe(200);
  });

  it("say who decides in the list of profiles, and refuse other decisions", async () => {
    const [person, waiting] = [await unapproved(), await unapproved()];
    await (await as(waiting)).ask("GET", "/claims");
    const { ask } = await as(person, RESIDENTS, ADMINS);
    const { body } = await ask<{ profiles: readonly Shown["profile"][] }>("GET", "/admin/profiles");
    expect(body.profiles.find(({ id }) => id === waiting.id)).toMatchObject({
      is_approved: false,
      is_approved_by_groups: true,
      is_admin: false,
      is_admin_by_groups: true,
    });

    const change = async (flags: object) =>
      answerOf(await ask("PUT", `/admin/profiles/${waiting.id}`, flags));
    expect(await change({ is_approved: true })).toEqual(
      refusal(409, "The identity provider decides who is approved"),
    );
    expect(await change({ is_admin: true })).toEqual(
      refusal(409, "The identity provider decides who administers"),
    );
    expect(await change({ is_approved: false, is_admin: false })).toMatchObject({ status: 200 });
  });

  describe("leave to an invitation the spots, and not the approval,", () => {
    const inviting = async (email: string) => {
      const administrator = await as(await unapproved(), RESIDENTS, ADMINS);
      const invitations = [invited(email, newNumber())];
      expect(await administrator.ask("POST", "/admin/invitations", { invitations })).toMatchObject({
        status: 201,
      });
      return administrator;
    };
    const registered = ["profile.registered"];
    const typesOf = async (id: string) => (await eventsOf(building, id)).map(({ type }) => type);
    const approvalOf = async (id: string) =>
      building.rows("select is_approved from parking.profiles where id = $1", [id]);

    it("of somebody who has registered", async () => {
      const person = await unapproved();
      await (await as(person)).ask("GET", "/profile");
      await inviting(person.email);

      expect(await approvalOf(person.id)).toEqual([{ is_approved: false }]);
      expect(await typesOf(person.id)).toEqual(registered);
      const spots = "select is_verified from parking.spots where owner_id = $1";
      expect(await building.rows(spots, [person.id])).toEqual([{ is_verified: true }]);
    });
  });

  it.each([
    ["a text", RESIDENTS, 200],
    ["a text with commas", `others, ${RESIDENTS},${ADMINS}`, 200],
    ["a longer text", `${RESIDENTS} and others`, 403],
    ["no claim", undefined, 403],
    ["null", null, 403],
    ["a number", 1, 403],
    ["an object", { [RESIDENTS]: true }, 403],
    ["a list of lists", [[RESIDENTS]], 403],
    ["a list of several kinds", [null, 1, {}, RESIDENTS], 200],
  ])("are taken from %s", async (_what, groups, status) => {
    const { ask } = await inGroups(building, await unapproved(), groups);
    expect((await ask("GET", "/claims")).status).toBe(status);
  });

  it("do not come from claims of the token with the names that the service uses", async () => {
    const { id, email } = await unapproved();
    const forged = { is_approved: true, is_admin: true, approved: true };
    const token = await building.service.issuer.token({ sub: id, email, ...forged });
    const answer = await requestJson(building.service.origin, "GET", "/api/claims", { token });
    expect(answerOf(answer)).toEqual(notApproved);
  });
});

describe.each([
  ["approved", RESIDENTS],
  ["admin", ADMINS],
])("with a group for %s alone", (right, group) => {
  const building = useBuilding({ groups: { claim: "groups", [right]: group } });

  it("administrators decide the other as before", async () => {
    const isApproved = right === "approved";
    const [one, other] = [await building.administrator(), await building.unapproved()];
    const { ask } = await inGroups(building, one, [RESIDENTS, ADMINS]);
    const change = async (flags: object) =>
      (await ask("PUT", `/admin/profiles/${other.id}`, flags)).status;

    expect(await change({ is_approved: true })).toBe(isApproved ? 409 : 200);
    expect(await change({ is_admin: true })).toBe(isApproved ? 200 : 409);
  });
});

describe("without groups in the settings", () => {
  const building = useBuilding();

  it("the claims of a token decide nothing, and no field says who decides", async () => {
    const person = await building.unapproved();
    const { ask } = await inGroups(building, person, [RESIDENTS, ADMINS]);
    expect(answerOf(await ask("GET", "/claims"))).toEqual(notApproved);
    const { body } = await ask<Shown>("GET", "/profile");
    expect(Object.keys(body.profile).filter((name) => name.endsWith("groups"))).toEqual([]);
  });

  it("a service that had them before shows that administrators decide again", async () => {
    const person = await building.resident();
    await building.rows(
      "update parking.profiles set is_approved_by_groups = true, is_admin_by_groups = true where id = $1",
      [person.id],
    );
    const { body } = await person.get<Shown>("/profile", 200);
    expect(Object.keys(body.profile).filter((name) => name.endsWith("groups"))).toEqual([]);
    const { window } = await offer(building);
    await claimOf(person, window);
  });
});
