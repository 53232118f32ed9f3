import { beforeAll, describe, expect, it } from "@jest/globals";
import { actsOfAdministrators, actsOfResidents, changesIn } from "../support/acts.ts";
import { useBuilding } from "../support/building.ts";
import { doorsOf } from "../support/doors.ts";
import { holdsForAll } from "../support/table.ts";

const building = useBuilding();
const ended = doorsOf(building);
beforeAll(() => building.administrator()); // who remains

describe.each([
  ["approved_account_required", "is_approved", actsOfResidents],
  ["administrator_required", "is_admin", actsOfAdministrators],
] as const)("%s", (rule, right, acts) => {
  it(`refuses whatever a person does who is not ${right} any more`, () =>
    holdsForAll(Object.entries(acts(building)), async ([, prepare]) => {
      const act = await prepare();
      const take = `update parking.profiles set ${right} = false where id = $1`;
      await building.rows(take, [act.actor.id]);
      expect(await ended(act.actor, act)).toBe(rule);
    }));
});

/** What somebody changes who is named in no path: it is always their own. */
const OWN = /^\w+ \/(profile|notifications|calendar-feed)\b(?!\/:id)/;

it("what is a person's, nobody else changes or deletes: neither a resident nor an administrator", async () => {
  const others = [await building.resident(), await building.administrator()];
  const changes = Object.entries(changesIn(building)).filter(
    ([name]) => !/\/(admin|series)\//.test(name) && !OWN.test(name),
  );
  expect(changes.length).toBeGreaterThan(10);
  await holdsForAll(changes, async ([, prepare]) => {
    const act = await prepare();
    for (const other of others) expect(await ended(other, act)).not.toBe("done");
    expect(await ended(act.actor, act)).toBe("done");
  });
});
