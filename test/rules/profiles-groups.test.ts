import { beforeEach, describe, expect, it } from "@jest/globals";
import type { ClientBase } from "pg";
import { withClient } from "../../src/database/client.ts";
import { useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { administratorsOf, eventsOf, suspend, writePastRules } from "../support/rows.ts";
import { setClaims } from "../support/sql.ts";
import { until } from "../support/waiting.ts";
import { refusedBy, run, type Statement, tryWithClaims } from "./support.ts";

const building = useBuilding();

interface Decided {
  readonly is_approved?: unknown;
  readonly is_admin?: unknown;
  readonly is_concierge?: unknown;
  readonly iat?: number;
}
const claimsOf = ({ id }: Person, decided: Decided): string =>
  JSON.stringify({ sub: id, ...decided });

/** Runs in a committed transaction of a person whose groups decide this. */
const as = <Result>(
  person: Person,
  decided: Decided,
  use: (client: ClientBase) => Promise<Result>,
): Promise<Result> =>
  withClient(building.database.url("parking_api"), async (client) => {
    await client.query("begin");
    await setClaims(client, claimsOf(person, decided));
    const result = await use(client);
    await client.query("commit");
    return result;
  });
const follow = (person: Person, decided: Decided) =>
  as(person, decided, (client) => client.query("select private.follow_groups()"));
const flagsOf = async ({ id }: Person) =>
  (
    await building.rows(
      `select is_approved, is_admin, is_concierge,
              is_approved_by_groups, is_admin_by_groups, is_concierge_by_groups
         from parking.profiles where id = $1`,
      [id],
    )
  )[0];
/** What the policies and functions take the caller for. */
const rightsOf = (person: Person, decided: Decided) =>
  tryWithClaims(
    building,
    claimsOf(person, decided),
    async (client) =>
      (
        await client.query(
          `select private.is_approved() as approved, private.is_administrator() as administrator,
                  private.is_staff() as staff,
                  (select count(*)::int from parking.building) as seen`,
        )
      ).rows[0],
  );
const nobody = { approved: false, administrator: false, staff: false, seen: 0 };
const resident = { approved: true, administrator: false, staff: false, seen: 1 };
const concierge = { ...resident, staff: true };
const administrator = { ...concierge, administrator: true };

describe("the groups of the caller", () => {
  it("decide who is approved, in both directions", async () => {
    const [approved, waiting] = [await building.resident(), await building.unapproved()];

    expect(await rightsOf(waiting, { is_approved: true })).toEqual(resident);
    expect(await rightsOf(approved, { is_approved: false })).toEqual(nobody);
    expect(await rightsOf(approved, {})).toEqual(resident);
    expect(await rightsOf(waiting, {})).toEqual(nobody);
  });

  it("decide who administers, in both directions, while approved", async () => {
    const [one, other] = [await building.administrator(), await building.resident()];

    expect(await rightsOf(other, { is_admin: true })).toEqual(administrator);
    expect(await rightsOf(one, { is_admin: false })).toEqual(resident);
    expect(await rightsOf(one, { is_approved: false, is_admin: true })).toEqual(nobody);
    expect(await rightsOf(await building.unapproved(), { is_admin: true })).toEqual(nobody);
  });

  it("decide who is a concierge, in both directions, while approved", async () => {
    const [one, other] = [await building.concierge(), await building.resident()];

    expect(await rightsOf(one, {})).toEqual(concierge);
    expect(await rightsOf(other, { is_concierge: true })).toEqual(concierge);
    expect(await rightsOf(one, { is_concierge: false })).toEqual(resident);
    expect(await rightsOf(one, { is_approved: false, is_concierge: true })).toEqual(nobody);
    expect(await rightsOf(await building.unapproved(), { is_concierge: true })).toEqual(nobody);
  });

  it("decide whose spots are locked", async () => {
    const isLocked = (person: Person, decided: Decided) =>
      as(person, decided, async (client) => {
        await client.query("select private.lock_own_spots()");
        const free = await building.rows(
          "select from parking.profiles where id = $1 for update skip locked",
          [person.id],
        );
        return free.length === 0;
      });
    const [approved, waiting] = [await building.resident(), await building.unapproved()];

    expect(await isLocked(waiting, { is_approved: true })).toBe(true);
    expect(await isLocked(approved, { is_approved: false })).toBe(false);
    expect(await isLocked(approved, {})).toBe(true);
    expect(await isLocked(waiting, {})).toBe(false);
  });

  it("decide nothing for people without a profile, or whose account was erased", async () => {
    const all = { is_approved: true, is_admin: true, is_concierge: true };
    const erased = await building.resident();
    await building.rows("select private.erase_person($1)", [erased.id]);

    expect(await rightsOf(await building.newcomer(), all)).toEqual(nobody);
    expect(await rightsOf(erased, all)).toEqual(nobody);
    await follow(erased, all);
    expect(await flagsOf(erased)).toMatchObject({
      is_approved: false,
      is_admin: false,
      is_concierge: false,
    });
  });

  it.each([null, "true", 1, [true], {}, "x"])("decide nothing by %j", async (value) => {
    const waiting = await building.unapproved();
    expect(
      await rightsOf(waiting, { is_approved: value, is_admin: value, is_concierge: value }),
    ).toEqual(nobody);
  });
});

describe("private.follow_groups", () => {
  it("keeps what they decide, with the event of any approval", async () => {
    const person = await building.unapproved();

    await follow(person, { is_approved: true, is_concierge: true });
    await follow(person, { is_approved: true, is_concierge: true });

    expect(await flagsOf(person)).toEqual({
      is_approved: true,
      is_admin: false,
      is_concierge: true,
      is_approved_by_groups: true,
      is_admin_by_groups: false,
      is_concierge_by_groups: true,
    });
    expect((await eventsOf(building, person.id)).map(({ type }) => type)).toEqual([
      "profile.registered",
      "profile.approved",
    ]);
  });

  it("changes nothing without decisions but whose they are, and only the caller's profile", async () => {
    const [person, other] = [await building.resident(), await building.resident()];
    await follow(person, { is_approved: false, is_admin: true });
    await follow(person, {});

    expect(await flagsOf(person)).toEqual({
      is_approved: false,
      is_admin: true,
      is_concierge: false,
      is_approved_by_groups: false,
      is_admin_by_groups: false,
      is_concierge_by_groups: false,
    });
    expect(await flagsOf(other)).toMatchObject({ is_approved: true, is_admin: false });
  });
});

/** Follows while another transaction holds the person's row, and after that has committed. */
const followBehind = (
  person: Person,
  decided: Decided,
  change: (owner: ClientBase) => Promise<unknown>,
): Promise<void> =>
  withClient(building.database.url("parking_owner"), async (owner) => {
    await owner.query("begin");
    await change(owner);
    const pid = Promise.withResolvers<number>();
    const following = as(person, decided, async (client) => {
      const { rows } = await client.query("select pg_backend_pid() as pid");
      pid.resolve(rows[0].pid);
      await client.query("select private.follow_groups()");
    });
    const follower = await pid.promise;
    await until("the follower waits", async () => {
      const blocking = await building.rows("select unnest(pg_blocking_pids($1))", [follower]);
      return blocking.length > 0;
    });
    await owner.query("commit");
    await following;
  });

describe("an older token of the same person", () => {
  const now = Math.floor(Date.now() / 1_000);
  const none = { is_approved: false, is_admin: false, is_concierge: false };
  const all = { is_approved: true, is_admin: true, is_concierge: true };
  /** Somebody who registered by a token that did not say when it was issued. */
  const unheard = async () => {
    const person = await building.unapproved();
    await building.rows("update private.users set token_issued_at = null where id = $1", [
      person.id,
    ]);
    return person;
  };

  it.each([
    ["gives no rights that a later one does not have", all, none, nobody],
    ["takes no rights that a later one has", none, all, administrator],
  ])("%s", async (_what, older, later, rights) => {
    const person = await unheard();
    await follow(person, { ...older, iat: now - 2 });
    await follow(person, { ...later, iat: now - 1.5 });
    const kept = await flagsOf(person);
    expect(kept).toMatchObject(later);

    expect(await rightsOf(person, { ...older, iat: now - 2 })).toEqual(rights);
    await follow(person, { ...older, iat: now - 2 });
    expect(await flagsOf(person)).toEqual(kept);
  });

  it("does so also where the later one had nothing new to say", async () => {
    const person = await unheard();
    await follow(person, { ...none, iat: now - 3 });
    await follow(person, { ...none, iat: now - 1 });
    await follow(person, { ...all, iat: now - 2 });

    expect(await flagsOf(person)).toMatchObject(none);
    expect(await rightsOf(person, { ...all, iat: now - 2 })).toEqual(nobody);
  });

  it("overwrites nothing where both come at the same moment", async () => {
    const person = await unheard();
    await follow(person, { ...none, iat: now - 3 });
    await followBehind(person, { ...all, iat: now - 2 }, (owner) =>
      owner.query("update private.users set token_issued_at = to_timestamp($2) where id = $1", [
        person.id,
        now - 1,
      ]),
    );

    expect(await flagsOf(person)).toMatchObject(none);
  });

  it("is one that says when it was issued: a token without iat is believed", async () => {
    const person = await unheard();
    await follow(person, { ...none, iat: now - 1 });
    await follow(person, all);
    expect(await rightsOf(person, all)).toEqual(administrator);
    await follow(person, { ...none, iat: now - 1 });
    expect(await flagsOf(person)).toMatchObject(none);
  });

  it("is not one that seems so because a clock ran ahead", async () => {
    const person = await unheard();
    await follow(person, { ...none, iat: now + 34_560_000 });
    await follow(person, { ...all, iat: now - 1 });
    await follow(person, { ...none, iat: now - 2 });

    expect(await rightsOf(person, { ...none, iat: now - 2 })).toEqual(administrator);
  });

  it("is known also where the later one came when nothing could be written", async () => {
    const person = await unheard();
    await follow(person, { ...none, iat: now - 3 });
    await as(person, { ...none, iat: now - 1 }, async (client) => {
      await client.query("set transaction read only");
      await client.query("select private.follow_groups(), api.get_profile()");
    });
    await follow(person, { ...none, iat: now - 1 });

    expect(await rightsOf(person, { ...all, iat: now - 2 })).toEqual(nobody);
  });
});

const set = ({ id }: Person, assignment: string): Statement => [
  `update parking.profiles set ${assignment} where id = $1`,
  [id],
];
const refusalAs = (who: Person, decided: Decided, statement: Statement): Promise<unknown> =>
  as(who, decided, (client) => run(client, statement)).then(
    ({ rowCount }) => rowCount,
    (error: unknown) => error,
  );

function itIsDecided(rule: string, flag: "is_approved" | "is_admin" | "is_concierge"): void {
  const other = flag === "is_admin" ? "is_approved" : "is_admin";

  it("refuses an administrator's change, and leaves the other flag to them", async () => {
    const [who, whom] = [await building.administrator(), await building.unapproved()];
    const decided = { [flag]: true };

    expect(await refusalAs(who, decided, set(whom, `${flag} = true`))).toMatchObject(
      refusedBy(rule),
    );
    expect(await refusalAs(who, decided, set(whom, `${flag} = false, ${other} = true`))).toBe(1);
    expect(await refusalAs(who, {}, set(whom, `${flag} = true`))).toBe(1);
  });

  it("does not bind the owner of the database", async () => {
    const whom = await building.unapproved();
    await building.rows(...set(whom, `${flag} = true`));
    expect(await flagsOf(whom)).toMatchObject({ [flag]: true });
  });
}

describe("profiles_approved_by_groups", () => {
  itIsDecided("profiles_approved_by_groups", "is_approved");
});

describe("profiles_administrators_by_groups", () => {
  itIsDecided("profiles_administrators_by_groups", "is_admin");
});

describe("profiles_concierges_by_groups", () => {
  itIsDecided("profiles_concierges_by_groups", "is_concierge");
});

describe("profiles_keep_an_administrator", () => {
  const broken = refusedBy("profiles_keep_an_administrator");
  let last: Person;
  beforeEach(async () => {
    last = await building.administrator();
    await writePastRules(
      building,
      "update parking.profiles set is_approved = true, is_admin = (id = $1)",
      [last.id],
    );
  });

  it.each([
    { is_admin: false },
    { is_approved: false },
    { is_approved: false, is_admin: false },
    { is_approved: true, is_admin: false },
  ])("lets the groups take the last one away: %j", async (decided) => {
    await follow(last, decided);
    expect(await administratorsOf(building)).toEqual([]);
  });

  it("still holds for what the groups do not decide", async () => {
    const decided = [
      [{ is_admin: true }, "is_approved = false"],
      [{ is_approved: true }, "is_admin = false"],
    ] as const;
    for (const [by, change] of decided)
      expect(await refusalAs(last, by, set(last, change))).toMatchObject(broken);
    await expect(suspend(building, last)).rejects.toMatchObject(broken);
    await expect(building.rows("select private.erase_person($1)", [last.id])).rejects.toMatchObject(
      broken,
    );
  });
});
