import { beforeAll, describe, expect, it } from "@jest/globals";
import { type Act, actsOfAdministrators, actsOfResidents } from "../support/acts.ts";
import { useArena } from "../support/arena.ts";
import { requestJson } from "../support/person.ts";
import { withTransactionOf } from "../support/sql.ts";
import { holdsForAll } from "../support/table.ts";
import { untilWaiting } from "../support/waiting.ts";
import { connectionsFor, outcomeOf, outcomeOfSql, type Rival } from "./rivals.ts";
import { withOldSnapshotOf } from "./transaction.ts";

const building = useArena(connectionsFor(2));
beforeAll(() => building.administrator()); // who remains

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
  ({ actor, request: [method, path, body] }: Act, headers = {}): Rival =>
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
