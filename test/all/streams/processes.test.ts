import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Building, openBuilding, spotOf } from "../../support/building.ts";
import { type Heard, listenTo } from "../../support/events.ts";
import type { Person } from "../../support/person.ts";
import { noRateLimits, type Program, startProgram } from "../../support/program.ts";
import { type Random, random } from "../../support/random.ts";
import { type Relay, startRelay } from "../../support/relay.ts";
import { served } from "../../support/served.ts";
import { until } from "../../support/waiting.ts";

const CUTS = 100;

let building: Building;
let person: Person;
let relay: Relay;
let programs: readonly [Program, Program];

const start = () =>
  startProgram(building, {
    ...noRateLimits,
    DATABASE_URL: relay.url(building.database.url("parking_api")),
  });

beforeAll(async () => {
  building = await openBuilding();
  person = await building.resident();
  relay = await startRelay(Number(new URL(building.database.url("parking_api")).port));
  programs = await Promise.all([start(), start()]);
  // Not all are visible of those that made the person.
  await positionsAfter(0);
});
afterAll(async () => {
  await Promise.all(programs.map((it) => it.stop()));
  await relay.close();
  await building.close();
});

const record =
  "insert into private.new_events (type, subject_id, data) select 'spot.updated', uuidv7(), '{}' from generate_series(1, $1)";

/** Writes events until it is over: a few at a time, in transactions that overlap, as fast as they are ordered. */
async function write(chance: Random, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const [backlog] = await building.rows<{ is: boolean }>(
      "select count(*) > 200 as is from private.new_events",
    );
    if (backlog?.is) continue;
    const count = 1 + chance.below(chance.below(20) === 0 ? 500 : 3);
    await Promise.all([building.rows(record, [count]), building.rows(record, [1])]);
  }
}

const positionsAfter = async (position: number) => {
  await until("positions for all events", async () => {
    const [waiting] = await building.rows("select from private.new_events limit 1");
    return waiting === undefined;
  });
  const rows = await building.rows<{ position: string }>(
    "select position from private.events where position > $1 order by position",
    [position],
  );
  return rows.map(({ position: it }) => Number(it));
};
const idsOf = (heard: readonly Heard[]) => heard.map(({ id }) => id);

/** Listens at any of the processes, and again and again after the last event that came. */
async function listenInPieces(chance: Random, pieces: number) {
  const heard: Heard[] = [];
  let first: number | undefined;
  for (let piece = 0; piece < pieces; piece++) {
    const ear = await listenTo(chance.pick(programs), person, heard.at(-1)?.id ?? first);
    first ??= await ear.began;
    const wanted = chance.below(30);
    await ear.until(({ length }) => length >= wanted);
    ear.close();
    await ear.over;
    heard.push(...ear.heard);
  }
  return { heard, first: first ?? 0 };
}

describe("two processes with streams", () => {
  it(`show each event once to who is cut off ${CUTS} times, wherever they connect again`, async () => {
    let isOver = false;
    const writing = write(random(18), () => isOver);
    const { heard, first } = await listenInPieces(random(5), CUTS);
    isOver = true;
    await writing;

    const all = await positionsAfter(first);
    const rest = await listenTo(programs[0], person, heard.at(-1)?.id);
    await rest.until(({ length }) => heard.length + length >= all.length);
    rest.close();
    expect(idsOf([...heard, ...rest.heard])).toEqual(all);
    expect(all.length).toBeGreaterThan(500);
  });

  it("tell both at once what one of them writes", async () => {
    const ears = await Promise.all(programs.map((program) => listenTo(program, person)));
    const spot = { spot_number: "B-1", building_section: "North" };
    const register = () => programs[0].ask(person, "POST", "/parking-spots", spot);
    expect((await served(register)).status).toBe(201);
    for (const ear of ears)
      expect(await ear.until(({ length }) => length > 0)).toMatchObject([
        { type: "spot.registered", data: { spot_number: "B-1" } },
      ]);
    for (const ear of ears) ear.close();
  });

  it("keep their streams while the database is gone, and lose nothing", async () => {
    const ear = await listenTo(programs[0], person);
    const began = await ear.began;
    await relay.refuse();
    await spotOf(person);
    await spotOf(person);
    await relay.mend();
    await ear.until(({ length }) => length === 2);
    expect(idsOf(ear.heard)).toEqual(await positionsAfter(began));
    ear.close();
  });

  it("end their streams when they stop", async () => {
    const ears = await Promise.all([1, 2, 3].map(() => listenTo(programs[1], person)));
    await programs[1].stop();
    expect(await Promise.all(ears.map(({ over }) => over))).toEqual(["ended", "ended", "ended"]);
  });
});
