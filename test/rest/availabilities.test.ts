import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import {
  answerOf,
  complaint,
  formatsOf,
  malformed,
  refusal,
  refusalOf,
} from "../support/answers.ts";
import {
  hours,
  type Spot,
  spotOf,
  useBuilding,
  type Window,
  windowOf,
} from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { backdate, eventsOf } from "../support/rows.ts";

const building = useBuilding();
let owner: Person;
let neighbour: Person;
let administrator: Person;
beforeAll(async () => {
  owner = await building.resident();
  neighbour = await building.resident();
  administrator = await building.administrator();
});

const publish = (person: Person, { id }: Pick<Spot, "id">, from: number, to: number) =>
  person.post<{ availability: Window }>("/availabilities", {
    spot_id: id,
    start_time: hours(from),
    end_time: hours(to),
  });

const windowsOn = ({ id }: Spot) =>
  building.rows(
    `select owner_id, start_time, end_time, is_claimed
       from parking.availabilities
      where spot_id = $1
      order by start_time`,
    [id],
  );

describe("POST /availabilities", () => {
  it("publishes a window of the caller's spot, not claimed", async () => {
    const spot = await spotOf(owner);

    const { status, body } = await publish(owner, spot, 1, 5);

    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(["availability"]);
    expect(body.availability).toMatchObject({
      spot_id: spot.id,
      start_time: hours(1),
      end_time: hours(5),
      is_claimed: false,
    });
    expect(await windowsOn(spot)).toEqual([
      {
        owner_id: owner.id,
        start_time: new Date(hours(1)),
        end_time: new Date(hours(5)),
        is_claimed: false,
      },
    ]);
    expect(await eventsOf(building, body.availability.id)).toEqual([
      { type: "availability.created", actor_id: owner.id },
    ]);
  });

  it("answers with exactly the fields of Availability", async () => {
    expect(formatsOf(await windowOf(owner, await spotOf(owner)))).toEqual({
      id: "uuid",
      spot_id: "uuid",
      start_time: "time",
      end_time: "time",
      is_claimed: "boolean",
      created_at: "time",
      updated_at: "time",
    });
  });

  it("needs no verification of the spot", async () => {
    const spot = await spotOf(owner);

    expect(spot.is_verified).toBe(false);
    expect(await publish(owner, spot, 1, 5)).toMatchObject({ status: 201 });
  });

  it("refuses a start that has passed", async () => {
    const spot = await spotOf(owner);

    expect(answerOf(await publish(owner, spot, -1, 5))).toEqual(
      refusalOf("start_time", 400, "start_time must be in the future"),
    );
    expect(await windowsOn(spot)).toEqual([]);
  });

  it.each([
    ["before its start", 5, 4],
    ["at its start", 5, 5],
  ])("refuses an end %s", async (_case, from, to) => {
    const spot = await spotOf(owner);

    expect(answerOf(await publish(owner, spot, from, to))).toEqual(
      refusalOf("end_time", 400, "end_time must be after start_time"),
    );
    expect(await windowsOn(spot)).toEqual([]);
  });

  it.each([
    ["a neighbour", () => neighbour],
    ["an administrator", () => administrator],
  ])("refuses a window of another's spot to %s", async (_case, someone) => {
    const spot = await spotOf(owner);

    expect(answerOf(await publish(someone(), spot, 1, 5))).toEqual(
      refusal(403, "You can only create availabilities for your own spots"),
    );
    expect(await windowsOn(spot)).toEqual([]);
  });

  it("answers 404 for the id of no spot", async () => {
    expect(answerOf(await publish(owner, { id: randomUUID() }, 1, 5))).toEqual(
      refusal(404, "Parking spot not found"),
    );
  });

  it.each([
    ["equals", 10, 20],
    ["lies inside", 12, 14],
    ["surrounds", 9, 21],
    ["begins inside", 19, 22],
    ["ends inside", 8, 11],
    ["begins with", 10, 11],
    ["ends with", 19, 20],
  ])("refuses a window that %s another of the spot: %d to %d", async (_case, from, to) => {
    const spot = await spotOf(owner);
    await windowOf(owner, spot, 10, 20);

    expect(answerOf(await publish(owner, spot, from, to))).toEqual(
      refusal(409, "Availability overlaps an existing availability of this spot"),
    );
    expect(await windowsOn(spot)).toHaveLength(1);
  });

  it.each([
    ["right before", 5, 10],
    ["right after", 20, 25],
    ["apart from", 30, 31],
  ])("lets a window lie %s another: %d to %d", async (_case, from, to) => {
    const spot = await spotOf(owner);
    await windowOf(owner, spot, 10, 20);

    expect(await publish(owner, spot, from, to)).toMatchObject({ status: 201 });
    expect(await windowsOn(spot)).toHaveLength(2);
  });

  it("allows windows of two spots at the same time", async () => {
    const [first, second] = [await spotOf(owner), await spotOf(owner)];
    await windowOf(owner, first, 10, 20);

    expect(await publish(owner, second, 10, 20)).toMatchObject({ status: 201 });
  });

  it("refuses to overlap a window that has begun", async () => {
    const spot = await spotOf(owner);
    await backdate(building, "availabilities", await windowOf(owner, spot), -2, 5);

    expect(answerOf(await publish(owner, spot, 4, 6))).toEqual(
      refusal(409, "Availability overlaps an existing availability of this spot"),
    );
  });

  it.each([
    ["owner_id", randomUUID()],
    ["is_claimed", true],
    ["id", randomUUID()],
  ])("does not let the caller set %s", async (field, value) => {
    const spot = await spotOf(owner);

    const answer = await owner.post("/availabilities", {
      spot_id: spot.id,
      start_time: hours(1),
      end_time: hours(5),
      [field]: value,
    });

    expect(complaint(answer)).toEqual(malformed(field));
    expect(await windowsOn(spot)).toEqual([]);
  });
});

describe("GET /availabilities/{id}", () => {
  it("shows a window to every approved resident", async () => {
    const availability = await windowOf(owner, await spotOf(owner));

    for (const person of [owner, neighbour, administrator]) {
      expect(answerOf(await person.get(`/availabilities/${availability.id}`))).toEqual({
        status: 200,
        body: { availability },
      });
    }
  });

  it("answers 404 for an unknown id", async () => {
    expect(answerOf(await owner.get(`/availabilities/${randomUUID()}`))).toEqual(
      refusal(404, "Availability not found"),
    );
  });
});
