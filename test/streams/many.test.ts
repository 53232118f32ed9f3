import { expect, it } from "@jest/globals";
import { claimOf, offer, useBuilding } from "../support/building.ts";
import { type Ear, listenTo, orderEvents } from "../support/events.ts";

const building = useBuilding();

/** What a reader heard of windows and claims. */
const typesOf = ({ heard }: Pick<Ear, "heard">): readonly string[] =>
  heard.map(({ type }) => type).filter((type) => /^(availability|claim)\./.test(type));

it("shows each event to each of 500 streams, once", async () => {
  const { window, claimer, owner } = await offer(building);
  const people = [claimer, owner];
  while (people.length < 100) people.push(await building.resident());
  await orderEvents(building.service);
  const ears = await Promise.all(
    people.flatMap((person) => Array.from({ length: 5 }, () => listenTo(building.service, person))),
  );
  expect(building.service.streams.count()).toBe(500);

  const untilAll = (count: number) =>
    Promise.all(
      ears.map((ear) =>
        ear.until(
          (heard) => heard.filter(({ type }) => type === "availability.updated").length === count,
        ),
      ),
    );
  const { id } = await claimOf(claimer, window);
  await orderEvents(building.service);
  await untilAll(1);
  await claimer.delete(`/claims/${id}`, 200);
  await orderEvents(building.service);
  await untilAll(2);

  const kinds = Map.groupBy(ears, (ear) => typesOf(ear).join());
  expect(new Map(Array.from(kinds, ([kind, { length }]) => [kind, length]))).toEqual(
    new Map([
      ["availability.updated,availability.updated", 490],
      ["claim.submitted,availability.updated,claim.deleted,availability.updated", 10],
    ]),
  );
  for (const ear of ears) ear.close();
});
