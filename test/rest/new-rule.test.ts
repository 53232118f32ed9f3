import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { answerOf, refusal, refusalOf } from "../support/answers.ts";
import { spotOf, useBuilding, type Window, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { bodyOf } from "./times.ts";

const building = useBuilding();
let owner: Person;
let claimer: Person;
beforeAll(async () => {
  owner = await building.resident();
  claimer = await building.resident();
});

/** What a DBA types: SQL as the owner of the database, while the service runs. */
const ship = (sql: string) => building.rows(sql);

/** A window of four days. */
const longWindow = async (): Promise<Window> => windowOf(owner, await spotOf(owner), 1, 97);

const claim = (window: Window, to: number) =>
  claimer.post("/claims", { availability_id: window.id, ...bodyOf({ from: 1, to }) });

/** Each test forbids a section of its own. */
const registerIn = (section: string, spot_number = `R-${section}`) =>
  owner.post("/parking-spots", { spot_number, building_section: section });

const spotsIn = (section: string) =>
  building.rows("select from parking.spots where building_section = $1", [section]);

describe("a check that a DBA adds while the service runs", () => {
  beforeAll(() =>
    ship(`
      alter table parking.claims
        add constraint claims_last_a_day_at_most
          check (end_time - start_time <= interval '24 hours');
      comment on constraint claims_last_a_day_at_most on parking.claims is
        E'@status 409\\n@field end_time\\nA claim lasts at most 24 hours'`),
  );
  afterAll(() => ship("alter table parking.claims drop constraint claims_last_a_day_at_most"));

  it("refuses with its own message, status and field", async () => {
    const window = await longWindow();

    expect(answerOf(await claim(window, 26))).toEqual(
      refusalOf("end_time", 409, "A claim lasts at most 24 hours"),
    );
    expect(
      await building.rows("select from parking.claims where availability_id = $1", [window.id]),
    ).toEqual([]);
  });
});

describe("a rule that is taken away again", () => {
  it("refuses nothing any more", async () => {
    await ship(
      "alter table parking.spots add constraint no_attic check (building_section <> 'Attic')",
    );
    expect(await registerIn("Attic")).toMatchObject({ status: 400 });

    await ship("alter table parking.spots drop constraint no_attic");

    expect(await registerIn("Attic")).toMatchObject({ status: 201 });
  });
});

describe("the status of a rule without @status", () => {
  it.each([
    [
      "400 for a check",
      "Cave",
      `alter table parking.spots add constraint no_cave check (building_section <> 'Cave');
       comment on constraint no_cave on parking.spots is 'No cars in the cave'`,
      refusal(400, "No cars in the cave"),
    ],
    [
      "403 for a restrictive policy",
      "Cellar",
      `create policy no_cellar on parking.spots as restrictive for insert to parking_api
         with check (building_section <> 'Cellar');
       comment on policy no_cellar on parking.spots is 'No cars in the cellar'`,
      refusal(403, "No cars in the cellar"),
    ],
    [
      "400 for a trigger that names itself",
      "Roof",
      `create trigger no_roof before insert on parking.spots for each row
         when (new.building_section = 'Roof') execute function private.enforce_rule();
       comment on trigger no_roof on parking.spots is 'No cars on the roof'`,
      refusal(400, "No cars on the roof"),
    ],
    [
      "403 for a trigger that refuses the person",
      "Garden",
      `create trigger no_garden before insert on parking.spots for each row
         when (new.building_section = 'Garden') execute function private.enforce_rule('42501');
       comment on trigger no_garden on parking.spots is 'No cars in the garden'`,
      refusal(403, "No cars in the garden"),
    ],
  ])("is %s", async (_case, section, rule, expected) => {
    await ship(rule);

    expect(answerOf(await registerIn(section))).toEqual(expected);
    expect(await spotsIn(section)).toEqual([]);
  });

  it("is 409 for a unique index", async () => {
    await ship(`
      create unique index one_spot_at_the_door on parking.spots (building_section)
        where building_section = 'Door';
      comment on index parking.one_spot_at_the_door is 'There is one spot at the door'`);
    await registerIn("Door", "D-1");

    expect(answerOf(await registerIn("Door", "D-2"))).toEqual(
      refusal(409, "There is one spot at the door"),
    );
    expect(await spotsIn("Door")).toHaveLength(1);
  });

  it("is 409 for an exclusion constraint", async () => {
    await ship(`
      alter table parking.spots
        add constraint one_spot_at_the_gate
          exclude (building_section with =) where (building_section = 'Gate');
      comment on constraint one_spot_at_the_gate on parking.spots is
        'There is one spot at the gate'`);
    await registerIn("Gate", "G-1");

    expect(answerOf(await registerIn("Gate", "G-2"))).toEqual(
      refusal(409, "There is one spot at the gate"),
    );
  });
});

describe("tags in the comment", () => {
  it("give a policy another status and a field", async () => {
    await ship(`
      create policy no_lobby on parking.spots as restrictive for insert to parking_api
        with check (building_section <> 'Lobby');
      comment on policy no_lobby on parking.spots is
        E'@field building_section\\r\\n@status 409\\r\\nNo cars in the lobby'`);

    expect(answerOf(await registerIn("Lobby"))).toEqual(
      refusalOf("building_section", 409, "No cars in the lobby"),
    );
  });

  it("give a trigger function of the DBA's own its status and field", async () => {
    await ship(`
      create function private.no_stairs() returns trigger language plpgsql as $$
      begin
        if new.building_section = 'Stairs' then
          raise check_violation using constraint = 'no_stairs', message = 'not for clients';
        end if;
        return new;
      end $$;
      create trigger no_stairs after insert on parking.spots
        for each row execute function private.no_stairs();
      comment on trigger no_stairs on parking.spots is
        E'@status 409\\n@field building_section\\nNo cars on the stairs'`);

    expect(answerOf(await registerIn("Stairs"))).toEqual(
      refusalOf("building_section", 409, "No cars on the stairs"),
    );
    expect(await spotsIn("Stairs")).toEqual([]);
  });
});

describe("a changed message", () => {
  it("is in answers within two seconds", async () => {
    const window = await windowOf(owner, await spotOf(owner));
    const claimOwn = () =>
      owner.post("/claims", { availability_id: window.id, ...bodyOf({ from: 1, to: 2 }) });
    expect(answerOf(await claimOwn())).toEqual(
      refusal(403, "You cannot claim your own parking spot"),
    );

    await ship(`
      comment on constraint claims_not_by_owner on parking.claims is
        E'@status 409\\nIt is yours already'`);
    await setTimeout(1_500);

    expect(answerOf(await claimOwn())).toEqual(refusal(409, "It is yours already"));
  });
});

describe("a rule without a comment", () => {
  it.each([
    [
      "a check",
      "Ramp",
      "alter table parking.spots add constraint no_ramp check (building_section <> 'Ramp')",
      refusal(400, "Invalid data"),
    ],
    [
      "a restrictive policy",
      "Yard",
      `create policy no_yard on parking.spots as restrictive for insert to parking_api
         with check (building_section <> 'Yard')`,
      refusal(403, "Insufficient permissions"),
    ],
    [
      "a trigger that names itself",
      "Pool",
      `create trigger no_pool before insert on parking.spots for each row
         when (new.building_section = 'Pool') execute function private.enforce_rule()`,
      refusal(400, "Invalid data"),
    ],
  ])("refuses without a word of PostgreSQL's: %s", async (_case, section, rule, expected) => {
    await ship(rule);

    expect(answerOf(await registerIn(section))).toEqual(expected);
    expect(await spotsIn(section)).toEqual([]);
  });

  it("does not reveal whose data a unique index found", async () => {
    await ship(`create unique index one_at_the_pond on parking.spots (building_section)
                  where building_section = 'Pond'`);
    await registerIn("Pond", "P-1");

    expect(answerOf(await registerIn("Pond", "P-2"))).toEqual(
      refusal(409, "Conflicts with existing data"),
    );
  });
});
