import { setTimeout } from "node:timers/promises";
import { expect, it } from "@jest/globals";
import { answerOf, refusal, refusalOf } from "../support/answers.ts";
import { spotOf, useBuilding, windowOf } from "../support/building.ts";
import { holdsForAll } from "../support/table.ts";
import { bodyOf } from "./times.ts";

const building = useBuilding();
const owner = building.shared("resident");

/** What a DBA types: SQL as the owner of the database, while the service runs. */
const ship = (sql: string) => building.rows(sql);

/** Rules that forbid spots in a section, or a second one there, and what a comment on them names. */
const rules: Readonly<Record<string, (section: string) => readonly [sql: string, on: string]>> = {
  "a check": (section) => [
    `alter table parking.spots add constraint no_${section} check (building_section <> '${section}')`,
    `constraint no_${section} on parking.spots`,
  ],
  "a restrictive policy": (section) => [
    `create policy no_${section} on parking.spots as restrictive for insert to parking_api
       with check (building_section <> '${section}')`,
    `policy no_${section} on parking.spots`,
  ],
  "a trigger": (section) => [
    `create trigger no_${section} before insert on parking.spots for each row
       when (new.building_section = '${section}') execute function private.enforce_rule()`,
    `trigger no_${section} on parking.spots`,
  ],
  "a trigger that refuses the person": (section) => [
    `create trigger no_${section} before insert on parking.spots for each row
       when (new.building_section = '${section}') execute function private.enforce_rule('42501')`,
    `trigger no_${section} on parking.spots`,
  ],
  "a trigger function of the DBA's own": (section) => [
    `create function private.no_${section}() returns trigger language plpgsql as $$
     begin
       if new.building_section = '${section}' then
         raise check_violation using constraint = 'no_${section}', message = 'not for clients';
       end if;
       return new;
     end $$;
     create trigger no_${section} after insert on parking.spots
       for each row execute function private.no_${section}()`,
    `trigger no_${section} on parking.spots`,
  ],
  "a unique index": (section) => [
    `create unique index one_${section} on parking.spots (building_section)
       where building_section = '${section}'`,
    `index parking.one_${section}`,
  ],
  "an exclusion constraint": (section) => [
    `alter table parking.spots add constraint one_${section}
       exclude (building_section with =) where (building_section = '${section}')`,
    `constraint one_${section} on parking.spots`,
  ],
};

let sections = 0;

it("a rule that a DBA adds refuses by its comment, and without a word of PostgreSQL's", () =>
  holdsForAll<readonly [kind: string, comment: string | null, expected: object]>(
    [
      ["a check", "Not here", refusal(400, "Not here")],
      ["a restrictive policy", "Not here", refusal(403, "Not here")],
      ["a trigger", "Not here", refusal(400, "Not here")],
      ["a trigger that refuses the person", "Not here", refusal(403, "Not here")],
      ["a unique index", "One here", refusal(409, "One here")],
      ["an exclusion constraint", "One here", refusal(409, "One here")],
      [
        "a check",
        "@status 409\n@field building_section\nNot here",
        refusalOf("building_section", 409, "Not here"),
      ],
      [
        "a restrictive policy",
        "@field building_section\r\n@status 409\r\nNot here",
        refusalOf("building_section", 409, "Not here"),
      ],
      [
        "a trigger function of the DBA's own",
        "@status 409\n@field building_section\nNot here",
        refusalOf("building_section", 409, "Not here"),
      ],
      ["a check", null, refusal(400, "Invalid data")],
      ["a restrictive policy", null, refusal(403, "Insufficient permissions")],
      ["a trigger", null, refusal(400, "Invalid data")],
      ["a unique index", null, refusal(409, "Conflicts with existing data")],
    ],
    async ([kind, comment, expected]) => {
      sections += 1;
      const building_section = `s${sections}`;
      const [sql = "", on] = rules[kind]?.(building_section) ?? [];
      await ship(sql);
      if (comment) await ship(`comment on ${on} is '${comment}'`);
      const register = (place: number) =>
        owner.post("/parking-spots", { spot_number: `${sections}-${place}`, building_section });

      const isOne = on?.includes("one_");
      if (isOne) expect((await register(1)).status).toBe(201);
      expect(answerOf(await register(2))).toEqual(expected);
      const spots = "select from parking.spots where building_section = $1";
      expect(await building.rows(spots, [building_section])).toHaveLength(isOne ? 1 : 0);
    },
  ));

it("a rule that is taken away again refuses nothing any more", async () => {
  const register = async () =>
    (await owner.post("/parking-spots", { spot_number: "A", building_section: "Attic" })).status;
  await ship(
    "alter table parking.spots add constraint no_attic check (building_section <> 'Attic')",
  );
  expect(await register()).toBe(400);
  await ship("alter table parking.spots drop constraint no_attic");
  expect(await register()).toBe(201);
});

it("a changed message is in answers within two seconds", async () => {
  const window = await windowOf(owner, await spotOf(owner));
  const claimOwn = async () => {
    const times = bodyOf({ from: 1, to: 2 });
    return answerOf(await owner.post("/claims", { availability_id: window.id, ...times }));
  };
  expect(await claimOwn()).toEqual(refusal(403, "You cannot claim your own parking spot"));

  await ship(`
    comment on constraint claims_not_by_owner on parking.claims is
      E'@status 409\\nIt is yours already'`);
  await setTimeout(1_500);
  expect(await claimOwn()).toEqual(refusal(409, "It is yours already"));
});
