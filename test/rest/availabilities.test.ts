import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "@jest/globals";
import { answerOf, formatsOf, refusal } from "../support/answers.ts";
import {
  hours,
  type Spot,
  spotOf,
  useBuilding,
  type Window,
  windowOf,
} from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { backdateCreation, longAgo } from "../support/rows.ts";

const building = useBuilding();
const owner = building.shared("resident");
let others: readonly Person[];
let spot: Spot;
beforeAll(async () => {
  others = [await building.resident(), await building.administrator()];
  spot = await spotOf(owner);
});

it("POST publishes a window of a spot that nobody has verified, with exactly its fields", async () => {
  const times = { start_time: hours(1), end_time: hours(5) };
  const { body } = await owner.post<{ availability: Window }>(
    "/availabilities",
    { spot_id: spot.id, ...times },
    201,
  );
  expect(Object.keys(body)).toEqual(["availability"]);
  expect(body.availability).toMatchObject({ spot_id: spot.id, ...times, is_claimed: false });
  expect(formatsOf(body.availability)).toEqual({
    id: "uuid",
    spot_id: "uuid",
    start_time: "time",
    end_time: "time",
    is_claimed: "boolean",
    created_at: "time",
    updated_at: "time",
  });
  for (const person of [owner, ...others])
    expect((await person.get(`/availabilities/${body.availability.id}`, 200)).body).toEqual(body);
});

it("PUT gives the owner's window one or both times, and without any returns it as it is", async () => {
  const window = await windowOf(owner, spot, 10, 20);
  await backdateCreation(building, "availabilities", window);
  const put = async (change: object) =>
    (await owner.put<{ availability: Window }>(`/availabilities/${window.id}`, change, 200)).body
      .availability;
  const before = { ...window, created_at: longAgo, updated_at: longAgo };
  expect(await put({})).toEqual(before);
  for (const change of [
    { start_time: hours(15) },
    { end_time: hours(25) },
    { start_time: hours(20), end_time: hours(30) },
  ])
    expect(await put(change)).toMatchObject({ id: window.id, created_at: longAgo, ...change });
  expect(await put({})).not.toMatchObject({ updated_at: longAgo });
});

it("PUT without times is refused to others, and of a window that is not there", async () => {
  const { id } = await windowOf(owner, spot, 40, 50);
  for (const person of others)
    expect(answerOf(await person.put(`/availabilities/${id}`, {}))).toEqual(
      refusal(403, "You can only update availabilities for your own spots"),
    );
  expect(answerOf(await owner.put(`/availabilities/${randomUUID()}`, {}))).toEqual(
    refusal(404, "Availability not found"),
  );
});

it("DELETE removes a window, and no other of the spot", async () => {
  const [gone, left] = [await windowOf(owner, spot, 60, 65), await windowOf(owner, spot, 65, 70)];
  expect(answerOf(await owner.delete(`/availabilities/${gone.id}`))).toEqual({
    status: 200,
    body: { message: expect.any(String), deleted_availability_id: gone.id },
  });
  await owner.get(`/availabilities/${gone.id}`, 404);
  await owner.get(`/availabilities/${left.id}`, 200);
});
