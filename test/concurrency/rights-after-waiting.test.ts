import { beforeAll, describe, expect, it } from "@jest/globals";
import { type Act, actsOfAdministrators, actsOfResidents } from "../support/acts.ts";
import { useArena } from "../support/arena.ts";
import { type Claim, offer } from "../support/building.ts";
import type { BothWays } from "../support/doors.ts";
import { type Person, requestJson } from "../support/person.ts";
import { newSubscription } from "../support/push-service.ts";
import { reportOf } from "../support/spot-reports.ts";
import { claimsOf, setClaims, withTransactionOf } from "../support/sql.ts";
import { holdsForAll } from "../support/table.ts";
import { untilWaiting } from "../support/waiting.ts";
import { connectionsFor, outcomeOf, outcomeOfSql, type Rival } from "./rivals.ts";
import { withOldSnapshotOf } from "./transaction.ts";

const building = useArena(connectionsFor(2));
beforeAll(() => building.administrator()); // who remains

type ActOf = BothWays & { readonly actor: Person };

/** How an act ends whose actor loses a right while it waits for the row. */
const whileLosing = (right: string, { actor, row }: Act, act: Rival): Promise<string> =>
  withTransactionOf(building.superuser, async (gate) => {
    const [table, id, key = "id"] = row;
    const { rowCount } = await gate.query(`select from ${table} where ${key} = $1 for update`, [
      id,
    ]);
    expect(rowCount).toBe(1);
    const outcome = act();
    await untilWaiting(building, 1);
    await gate.query(`update parking.profiles set ${right} = false where id = $1`, [actor.id]);
    await gate.query("commit");
    return outcome;
  });

const byRequest =
  ({ actor, request: [method, path, body] }: ActOf, headers = {}): Rival =>
  () =>
    outcomeOf(
      requestJson(building.service.origin, method, `/api${path}`, {
        token: actor.token,
        headers,
        ...(method !== "DELETE" && { body: body ?? {} }),
      }),
    );

/** How the act ends in a transaction with one snapshot, from before the right was lost. */
const afterLosing = (right: string, { actor, sql }: Act, level: string): Promise<string> =>
  withOldSnapshotOf(building, actor, level, sql, () =>
    building.rows(`update parking.profiles set ${right} = false where id = $1`, [actor.id]),
  );

describe.each([
  [
    "suspended",
    "is_approved",
    "Account not approved",
    "approved_account_required",
    actsOfResidents,
  ],
  [
    "an administrator no longer",
    "is_admin",
    "Administrator privileges required",
    "administrator_required",
    actsOfAdministrators,
  ],
] as const)("who is %s while a lock is waited for", (_who, right, message, rule, acts) => {
  it("is refused by a request, whatever it asks for", () =>
    holdsForAll(Object.entries(acts(building)), async ([, prepare]) => {
      const act = await prepare();
      expect(await whileLosing(right, act, byRequest(act))).toBe(`403 ${message}`);
      if (act.request[0] === "POST") return; // a condition is refused there

      const again = await prepare();
      const conditional = byRequest(again, { "If-Match": "*" });
      expect(await whileLosing(right, again, conditional)).toBe(`403 ${message}`);
    }));

  it("is refused by direct SQL, whatever the statement is", () =>
    holdsForAll(Object.entries(acts(building)), async ([, prepare]) => {
      const act = await prepare();
      const rival = () => outcomeOfSql(act.actor.sql(...act.sql));
      expect(await whileLosing(right, act, rival)).toBe(rule);

      for (const level of ["repeatable read", "serializable"])
        expect(await afterLosing(right, await prepare(), level)).toBe("40001");
    }));
});

describe("who is no concierge any more while a lock is waited for", () => {
  const claimFor = async (): Promise<Act> => {
    const actor = await building.concierge();
    const { window, claimer } = await offer(building);
    const { id: availability_id, start_time, end_time } = window;
    const other = { claimer_id: claimer.id, reason: "A visitor" };
    return {
      actor,
      request: ["POST", "/claims", { availability_id, start_time, end_time, ...other }],
      sql: [
        "select api.create_claim($1, $2, $3, claimer_id => $4, reason => $5)",
        [availability_id, start_time, end_time, other.claimer_id, other.reason],
      ],
      row: ["parking.availabilities", availability_id],
    };
  };
  const cancel = async (): Promise<Act> => {
    const { actor, request } = await claimFor();
    const { body } = await actor.post<{ claim: Claim }>("/claims", request[2], 201);
    const { id } = body.claim;
    return {
      actor,
      request: ["PUT", `/admin/claims/${id}`, { status: "cancelled", reason: "Gone" }],
      sql: ["select api.cancel_claim($1, 'cancelled', 'Gone')", [id]],
      row: ["parking.claims", id],
    };
  };
  const dealWith = async (): Promise<Act> => {
    const { owner, spot } = await offer(building);
    const { id } = await reportOf(owner, spot);
    return {
      actor: await building.concierge(),
      request: ["PUT", `/admin/spot-reports/${id}`, { is_resolved: true }],
      sql: ["update parking.spot_reports set is_resolved = true where id = $1", [id]],
      row: ["parking.spot_reports", id],
    };
  };

  const required = ["administrator_required", "Administrator privileges required"] as const;

  it.each([
    [
      "claims for nobody",
      claimFor,
      "claims_for_others_by_staff",
      "You can only claim for yourself",
    ],
    ["cancels nothing", cancel, ...required],
    ["deals with no report", dealWith, ...required],
  ])("%s", async (_what, prepare, rule, message) => {
    const right = "is_concierge";
    const act = await prepare();
    expect(await whileLosing(right, act, byRequest(act))).toBe(`403 ${message}`);
    const again = await prepare();
    const rival = () => outcomeOfSql(again.actor.sql(...again.sql));
    expect(await whileLosing(right, again, rival)).toBe(rule);
    for (const level of ["repeatable read", "serializable"])
      expect(await afterLosing(right, await prepare(), level)).toBe("40001");
  });
});

describe("who is erased", () => {
  const keys = Object.values(newSubscription());
  const acts: Readonly<Record<string, BothWays>> = {
    "parking.push_subscriptions": {
      request: ["POST", "/push-subscriptions", newSubscription()],
      sql: [
        "insert into parking.push_subscriptions (endpoint, p256dh, auth) values ($1, $2, $3)",
        keys,
      ],
    },
    "parking.preferences": {
      request: ["PUT", "/profile/preferences", { language: "de" }],
      sql: ["insert into parking.preferences (language) values ('de')", []],
    },
  };

  it.each(Object.entries(acts))("leaves nothing in %s, during it or later", async (table, act) => {
    const actor = await building.resident();
    const byPerson = byRequest({ ...act, actor });
    const bySql = () => outcomeOfSql(actor.sql(...act.sql));
    const outcomes = await withTransactionOf(building.superuser, async (gate) => {
      await gate.query("select private.erase_person($1)", [actor.id]);
      const waiting = Promise.all([byPerson(), bySql()]);
      await untilWaiting(building, 2);
      await gate.query("commit");
      return waiting;
    });
    const refused = ["404 User profile not found", `${table.split(".")[1]}_of_a_resident`];
    expect(outcomes).toEqual(refused);
    expect([await byPerson(), await bySql()]).toEqual(refused);
    const left = `select from ${table} where person_id = $1`;
    expect(await building.rows(left, [actor.id])).toEqual([]);
  });

  it("is waited for before a device is subscribed anew: nobody waits in a circle", async () => {
    const actor = await building.resident();
    const profile = "select from parking.profiles where id = $1 for no key update skip locked";
    await withTransactionOf(building.direct, async (client) => {
      await setClaims(client, claimsOf(actor));
      await client.query("select private.free_endpoint($1)", [newSubscription().endpoint]);
      expect((await building.superuser.query(profile, [actor.id])).rowCount).toBe(0);
    });
  });
});
