import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { statisticsJob } from "../../src/jobs/statistics.ts";
import { answerOf, complaint, malformed, refusal } from "../support/answers.ts";
import { claimOf, spotOf, useBuilding, windowOf } from "../support/building.ts";
import { postWithKey } from "../support/keyed.ts";
import type { Person } from "../support/person.ts";
import { stored } from "../support/rows.ts";

const building = useBuilding();
let administrator: Person;
beforeAll(async () => {
  administrator = await building.administrator();
});

const pathOf = ({ id }: Person, reason = "They moved out") =>
  `/admin/profiles/${id}?reason=${encodeURIComponent(reason)}`;

const details = {
  full_name: "Zebedee Quux",
  apartment_number: "Penthouse 77",
  phone_number: "+49 (30) 555-0199",
};

const timed = {
  id: "",
  key: "",
  event_id: null,
  data: {},
  attempts: 1,
  failures: 0,
  overdue_seconds: 0,
};

const spotNamed = (spot_number: string) => ({ spot_number, building_section: "North" });

/** A resident with a name, a spot with notes, and claims on both sides. */
async function knownResident() {
  const [person, neighbour] = [await building.resident(), await building.resident()];
  await person.put("/profile", { ...details, full_name: "Zebedee Quux-Smith" }, 200);
  await person.put("/profile", details, 200);
  const own = await spotOf(person);
  const others = await spotOf(neighbour);
  await person.put(`/parking-spots/${own.id}`, { notes: "Z.Q. moors a boat here" }, 200);
  const path = `/parking-spots/${own.id}/access`;
  await person.put(path, { access_notes: "The key is with Z.Q.'s sister" }, 200);
  const windows = {
    claimed: await windowOf(person, own, 1, 5),
    completed: await windowOf(person, own, 10, 15),
    free: await windowOf(person, own, 20, 25),
    others: await windowOf(neighbour, others, 1, 5),
  };
  const claims = {
    onOwn: await claimOf(neighbour, windows.claimed),
    completed: await claimOf(neighbour, windows.completed),
    byPerson: await claimOf(person, windows.others),
  };
  await neighbour.put(`/claims/${claims.completed.id}`, { status: "completed" }, 200);
  const third = { ...spotNamed(randomUUID().slice(0, 8)), notes: "Zebedee's" };
  await postWithKey(building.service.origin, person, "/parking-spots", "a key", third);
  return { person, neighbour, own, windows, claims };
}

/** Every row of every table that has one of these texts. */
async function placesOf(texts: readonly string[]) {
  const tables = await building.rows<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name
       from information_schema.tables
      where table_schema in ('parking', 'private')
        and table_type = 'BASE TABLE'`,
  );
  const found = await Promise.all(
    tables.map(async ({ name }) => ({
      name,
      rows: await building.rows(
        `select to_jsonb(t) as row from ${name} t
          where exists (select from unnest($1::text[]) word where strpos(to_jsonb(t)::text, word) > 0)`,
        [texts],
      ),
    })),
  );
  return found.filter(({ rows }) => rows.length > 0);
}

const counts = () =>
  building.rows(
    `select (select count(*)::int from parking.profiles) as profiles,
            (select count(*)::int from parking.claims) as claims`,
  );

describe("DELETE /admin/profiles/{id}", () => {
  it("leaves no name, address or phone number, and keeps the counts", async () => {
    const { person } = await knownResident();
    const words = ["Zebedee", "Quux", "Z.Q.", "Penthouse", "555-0199", person.email];
    expect(await placesOf(words)).not.toEqual([]);
    const before = await counts();

    expect(answerOf(await administrator.delete(pathOf(person), 200)).body).toEqual({
      message: "Personal data erased successfully",
      deleted_profile_id: person.id,
    });

    expect(await placesOf(words)).toEqual([]);
    expect(await counts()).toEqual(before);
    const { body } = await administrator.get(`/admin/profiles/${person.id}`, 200);
    expect(body).toMatchObject({
      profile: {
        email: `${person.id}@erased.invalid`,
        full_name: null,
        apartment_number: "erased",
        phone_number: null,
        is_approved: false,
        is_admin: false,
      },
    });
    const [event] = await building.rows(
      "select type, actor_id, reason from private.events where subject_id = $1 order by id desc limit 1",
      [person.id],
    );
    expect(event).toEqual({
      type: "profile.erased",
      actor_id: administrator.id,
      reason: "They moved out",
    });
  });

  it("does not learn the address again from a token", async () => {
    const { person } = await knownResident();
    await administrator.delete(pathOf(person), 200);

    const { body } = await person.get("/profile", 200);

    expect(body).toMatchObject({ profile: { email: `${person.id}@erased.invalid` } });
    expect(await placesOf([person.email])).toEqual([]);
  });

  it("retires what they shared: the number is free, and what was stays", async () => {
    const { person, neighbour, own, claims } = await knownResident();
    await administrator.delete(pathOf(person), 200);

    const { spot_number } = own;
    expect((await neighbour.get(`/parking-spots/${own.id}`)).status).toBe(404);
    await neighbour.post("/parking-spots", spotNamed(spot_number), 201);
    const { body } = await neighbour.get(`/claims/${claims.completed.id}`, 200);
    expect(body).toMatchObject({ claim: { id: claims.completed.id, status: "completed" } });
    expect(
      await building.rows("select spot_number from reporting.claims where id = $1", [
        claims.completed.id,
      ]),
    ).toEqual([{ spot_number }]);
  });

  it("leaves nothing in the planner's statistics", async () => {
    const { person } = await knownResident();
    const known = () =>
      building.rows(
        `select from pg_stats
          where schemaname in ('parking', 'private')
            and concat(most_common_vals, histogram_bounds, most_common_elems) ~ 'Zebedee|Penthouse|Z\\.Q\\.'`,
      );
    await building.rows("analyze");
    expect(await known()).not.toEqual([]);
    await administrator.delete(pathOf(person), 200);

    const [job] = await building.rows("select from private.jobs where kind = 'statistics'");
    expect(job).toBeDefined();
    await statisticsJob(building.service.pool).attempt(
      { ...timed, kind: "statistics" },
      new AbortController().signal,
    );
    expect(await known()).toEqual([]);
  });

  it("is refused without a reason, to residents, for another id and for the last administrator", async () => {
    const person = await building.resident();
    expect(complaint(await administrator.delete(`/admin/profiles/${person.id}`))).toEqual(
      malformed("reason"),
    );
    expect(answerOf(await person.delete(pathOf(person)))).toEqual(
      refusal(403, "Administrator privileges required"),
    );
    expect(
      answerOf(await administrator.delete(`/admin/profiles/${randomUUID()}?reason=x`)),
    ).toEqual(refusal(404, "User profile not found"));
    expect(answerOf(await administrator.delete(pathOf(administrator)))).toEqual(
      refusal(409, "The last administrator cannot be removed"),
    );
    expect(await stored(building, "profiles", administrator.id)).toMatchObject({
      email: administrator.email,
    });
  });
});

describe("direct SQL as the API role", () => {
  it("erases nobody without administrator privileges", async () => {
    const { person, neighbour } = await knownResident();
    for (const call of [
      `api.erase_profile('${person.id}', 'x')`,
      `private.erase_as_administrator('${person.id}')`,
    ]) {
      expect(await neighbour.sqlError(`select ${call}`)).toMatchObject({
        code: "42501",
        constraint: "administrator_required",
      });
    }
    expect(
      await administrator.sqlError(`select private.erase_person('${person.id}')`),
    ).toMatchObject({ code: "42501", message: expect.stringMatching(/^permission denied/) });
    expect(await stored(building, "profiles", person.id)).toMatchObject(details);
  });
});
