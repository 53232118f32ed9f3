import { beforeAll, describe, expect, it } from "@jest/globals";
import {
  type Claim,
  claimOf,
  spotOf,
  useBuilding,
  type Window,
  windowOf,
} from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { backdate, stored } from "../support/rows.ts";

const building = useBuilding();
let administrator: Person;
beforeAll(async () => {
  administrator = await building.administrator();
});

const erase = ({ id }: Person, reason = "They moved out") =>
  administrator.delete(`/admin/profiles/${id}?reason=${encodeURIComponent(reason)}`, 200);

const messagesOf = async ({ id }: Person) =>
  (
    await building.rows<{ message: string }>(
      "select message from parking.notifications where recipient_id = $1 order by id",
      [id],
    )
  ).map(({ message }) => message);

/** A window, and a claim of all of it, that were over long ago or still last. */
async function held(
  owner: Person,
  claimer: Person,
  [from, to]: readonly [number, number],
): Promise<{ window: Window; claim: Claim }> {
  const window = await windowOf(owner, await spotOf(owner), 1, 5);
  const claim = await claimOf(claimer, window);
  await backdate(building, "availabilities", window, from, to);
  await backdate(building, "claims", claim, from, to);
  return { window, claim };
}

const past = [-50, -40] as const;
const running = [-3, 5] as const;
const future = [1, 5] as const;

const startOfTest = new Date();

/** How long windows were offered until now, in minutes. */
const offeredMinutes = async (owner: Person): Promise<number> => {
  const [row] = await building.rows<{ minutes: number }>(
    `select coalesce(sum(extract(epoch from least(end_time, $2) - start_time) / 60), 0)::float as minutes
       from parking.availabilities
      where owner_id = $1 and start_time < $2`,
    [owner.id, startOfTest],
  );
  return row?.minutes ?? Number.NaN;
};

describe("the erasure of a person", () => {
  it("completes what has ended, cancels what has not, and notifies only of that", async () => {
    const [person, neighbour] = [await building.resident(), await building.resident()];
    const claims = {
      ended: await held(person, neighbour, past),
      endedByPerson: await held(neighbour, person, past),
      running: await held(person, neighbour, running),
      future: await held(person, neighbour, future),
      futureByPerson: await held(neighbour, person, future),
    };
    await building.rows("select private.recount()"); // triggers did not count the dates above
    const before = await messagesOf(neighbour);

    await erase(person);

    const statusOf = async ({ claim }: { claim: Claim }) =>
      ((await stored(building, "claims", claim.id)) as Claim).status;
    expect(await statusOf(claims.ended)).toBe("completed");
    expect(await statusOf(claims.endedByPerson)).toBe("completed");
    expect(await statusOf(claims.running)).toBe("cancelled");
    expect(await statusOf(claims.future)).toBe("cancelled");
    expect(await statusOf(claims.futureByPerson)).toBe("cancelled");
    const news = (await messagesOf(neighbour)).slice(before.length);
    expect(news).toHaveLength(3);
    for (const message of news) expect(message).toMatch(/was cancelled\. Reason: They moved out$/);
    expect(await building.rows("table private.count_drifts")).toEqual([]);
  });

  it("keeps past free windows, and of running ones what is past", async () => {
    const person = await building.resident();
    const spot = await spotOf(person);
    const windows = {
      past: await windowOf(person, spot, 10, 15),
      running: await windowOf(person, spot, 20, 25),
      future: await windowOf(person, spot, 30, 35),
    };
    await backdate(building, "availabilities", windows.past, -20, -10);
    await backdate(building, "availabilities", windows.running, -5, 5);
    await building.rows("select private.recount()");
    const offered = await offeredMinutes(person);
    const past = await stored(building, "availabilities", windows.past.id);

    await erase(person);

    expect(await offeredMinutes(person)).toBe(offered);
    expect(await stored(building, "availabilities", windows.past.id)).toEqual(past);
    expect(await stored(building, "availabilities", windows.future.id)).toBeUndefined();
    const [open] = await building.rows(
      "select from parking.availabilities where owner_id = $1 and end_time > now()",
      [person.id],
    );
    expect(open).toBeUndefined();
    expect(await building.rows("table private.count_drifts")).toEqual([]);
  });
});

describe("the name of an erased person", () => {
  it("goes from what messages are made of, and everything else in it stays", async () => {
    const { person, neighbour } = await cancelled("Zebedee Quux", "Zebedee asked");
    const data = async () =>
      (
        await building.rows<{ data: object }>(
          "select data from parking.notifications where recipient_id = $1 order by id",
          [neighbour.id],
        )
      ).map((row) => row.data);
    const before = await data();

    await erase(person);

    expect(await data()).toEqual([before[0], { ...before[1], reason: "erased asked" }]);
  });

  /** The neighbour's window is claimed by the person, and the administrator cancels that. */
  async function cancelled(full_name: string, reason: string) {
    const [person, neighbour] = [await building.resident(), await building.resident()];
    await person.put("/profile", { full_name }, 200);
    const spot = await spotOf(neighbour);
    const claim = await claimOf(person, await windowOf(neighbour, spot));
    await administrator.put(`/admin/claims/${claim.id}`, { status: "cancelled", reason }, 200);
    return { person, neighbour };
  }

  it.each(["Spot", "Your Parking Spot", "claim was", "UTC", "Reason"])(
    "changes no message that the service wrote: %s",
    async (name) => {
      const { person, neighbour } = await cancelled(name, "Repairs");
      const before = await messagesOf(neighbour);

      await erase(person);

      expect(await messagesOf(neighbour)).toEqual(before);
    },
  );

  it.each([
    ["Zebedee van Quux", "Zebedee van Quux asked", "erased asked"],
    ["Zebedee van Quux", "QUUX's car, van of zebedee", "erased's car, van of erased"],
    ["Zebedee Quux-Smith", "Mr Smith and Zebedees dog", "Mr erased and Zebedees dog"],
    ["zebedee quux", "Quux asked", "erased asked"],
    // Scripts without spaces between words, in which two characters are a name.
    ["李娜", "李娜先生搬走了", "erased先生搬走了"],
    ["田中 太郎", "昨日、田中さんが来た", "昨日、erasedさんが来た"],
    ["김철수", "김철수가 이사했다", "erased가 이사했다"],
    ["สมชาย ใจดี", "คุณสมชายย้ายออก", "คุณerasedย้ายออก"],
    ["Li Na", "Na li, Lina and Li Na", "Na li, Lina and erased"],
  ])("%s goes from the reason %j, also in the messages", async (name, reason, left) => {
    const { person, neighbour } = await cancelled(name, reason);
    const before = await messagesOf(neighbour);

    await erase(person);

    expect(await messagesOf(neighbour)).toEqual(
      before.map((message) => message.replace(`Reason: ${reason}`, `Reason: ${left}`)),
    );
    expect(await building.rows("select from private.events where reason = $1", [reason])).toEqual(
      [],
    );
  });

  it("goes, however many names the person has had", async () => {
    const { person } = await cancelled("Zenobia Quince", "Zenobia moves");
    await building.rows(
      `insert into private.events (type, subject_id, data)
       select 'profile.updated', $1::uuid,
              jsonb_build_object('full_name', (
                select string_agg(initcap(md5(format('%s %s', name, part))), ' ')
                  from generate_series(1, 6) part
              ))
         from generate_series(1, 2000) name`,
      [person.id],
    );

    await erase(person);

    expect(
      await building.rows("select from private.events where reason = 'erased moves'"),
    ).toHaveLength(1);
  });

  it("goes from a reason that is too long afterwards, wherever it is cut", async () => {
    const name = "Zoe";
    const reason = `${name} ${"x".repeat(292)}\u00a0${name}`; // a blank that no line may end with
    const { person } = await cancelled(name, reason);

    await erase(person);

    expect(
      await building.rows("select reason from private.events where reason like 'erased xxx%'"),
    ).toEqual([{ reason: `erased ${"x".repeat(292)}` }]);
  });

  it("goes from messages about the spot that it was the number of, also a deleted one", async () => {
    const [person, neighbour] = [await building.resident(), await building.resident()];
    await person.put("/profile", { full_name: "Zacharias Quill" }, 200);
    for (const [number, isDeleted] of [
      ["Spot of Quill", false],
      ["Other spot of Quill", true],
    ] as const) {
      const { body } = await person.post<{ spot: { id: string } }>(
        "/parking-spots",
        { spot_number: number, building_section: "North" },
        201,
      );
      const { body: published } = await person.post<{ availability: Window }>(
        "/availabilities",
        { spot_id: body.spot.id, start_time: inHours(1), end_time: inHours(5) },
        201,
      );
      const claim = await claimOf(neighbour, published.availability);
      if (isDeleted) {
        await neighbour.put(`/claims/${claim.id}`, { status: "completed" }, 200);
        await person.delete(`/parking-spots/${body.spot.id}`, 200);
      } else {
        const cancellation = { status: "cancelled", reason: "Repairs" };
        await administrator.put(`/admin/claims/${claim.id}`, cancellation, 200);
      }
    }
    const before = await messagesOf(neighbour);
    expect(before).toHaveLength(2);

    await erase(person);

    expect(await messagesOf(neighbour)).toEqual(
      before.map((message) => message.replace("Quill", "erased")),
    );
  });

  it("stays in a section that has spots of others too", async () => {
    const person = await building.resident();
    await spotOf(await building.resident(), "West wing");
    await person.put("/profile", { full_name: "Adam West" }, 200);
    const [shared, own] = [await spotOf(person, "West wing"), await spotOf(person, "At Adam's")];

    await erase(person);

    expect(await stored(building, "spots", shared.id)).toMatchObject({
      building_section: "West wing",
    });
    expect(await stored(building, "spots", own.id)).toMatchObject({
      building_section: "At erased's",
    });
  });
});

const inHours = (count: number): string =>
  new Date(startOfTest.getTime() + count * 3_600_000).toISOString();
